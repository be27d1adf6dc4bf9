// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Reads values of JSON that anybody may have written.
#ifndef ARCHGRID_EVIDENCE_CHECKED_HPP
#define ARCHGRID_EVIDENCE_CHECKED_HPP

#include <fmt/format.h>

#include <algorithm>
#include <archgrid/coverage/code_finder.hpp>
#include <archgrid/coverage/table.hpp>
#include <chrono>
#include <cstdint>
#include <initializer_list>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <string_view>

namespace archgrid::evidence {

/// The largest file that is read.
constexpr std::uintmax_t kMaxBytes = std::uintmax_t{1} << 28;

/// A value that is none of the schema.
struct Invalid : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Throws Invalid unless the value is an object with all of `keys`, and else only with `more`.
inline void expect_keys(const nlohmann::json& value, std::initializer_list<const char*> keys,
                        std::initializer_list<const char*> more) {
  if (!value.is_object()) throw Invalid("no JSON object");
  for (const auto* key : keys) {
    if (!value.contains(key)) throw Invalid(fmt::format("\"{}\" is missing", key));
  }
  const auto is_known = [&](const std::string& key) {
    const auto is_it = [&](const char* known) { return key == known; };
    return std::any_of(keys.begin(), keys.end(), is_it) ||
           std::any_of(more.begin(), more.end(), is_it);
  };
  for (const auto& [key, part] : value.items()) {
    if (!is_known(key)) throw Invalid(fmt::format("the key \"{}\" is unknown", key));
  }
}

/// Returns a text that is not empty.
inline std::string text_at(const nlohmann::json& value, const char* key) {
  const auto& part = value.at(key);
  if (!part.is_string() || part.get_ref<const std::string&>().empty()) {
    throw Invalid(fmt::format("\"{}\" is no text", key));
  }
  return part.get<std::string>();
}

inline coverage::ComputeCapability device_at(const nlohmann::json& value, const char* key) {
  const auto text = text_at(value, key);
  const auto device = coverage::parse_device(text);
  if (!device || device->text() != text) {
    throw Invalid(fmt::format("\"{}\": \"{}\" is no compute capability", key, text));
  }
  return *device;
}

inline bool is_all_of(std::string_view text, std::string_view letters) {
  return text.find_first_not_of(letters) == std::string_view::npos;
}

/// Returns 32 hexadecimal digits.
inline std::string identity_at(const nlohmann::json& value, const char* key) {
  auto identity = text_at(value, key);
  if (identity.size() != 32 || !is_all_of(identity, "0123456789abcdef")) {
    throw Invalid(fmt::format("\"{}\" has no 32 hexadecimal digits", key));
  }
  return identity;
}

inline coverage::KernelCode code_at(const nlohmann::json& value) {
  coverage::KernelCode code{text_at(value, "arch"), identity_at(value, "identity")};
  const auto begin = code.arch.find('_') + 1;
  const auto prefix = code.arch.substr(0, begin);
  if ((prefix != "sm_" && prefix != "compute_") ||
      !is_all_of(std::string_view(code.arch).substr(begin), "0123456789af")) {
    throw Invalid(fmt::format("\"arch\": \"{}\" is neither sm_90 nor compute_90", code.arch));
  }
  return code;
}

/// Reports whether "2026-11-29" is a day of the calendar, at most tomorrow: clocks differ.
inline bool is_day(const std::string& text) {
  using namespace std::chrono;
  const year_month_day day{year{std::stoi(text.substr(0, 4))},
                           month{static_cast<unsigned>(std::stoi(text.substr(5, 2)))},
                           std::chrono::day{static_cast<unsigned>(std::stoi(text.substr(8)))}};
  return day.ok() && sys_days{day} <= floor<days>(system_clock::now()) + days{1};
}

/// Returns a date as 2026-11-29.
inline std::string date_at(const nlohmann::json& value, const char* key) {
  auto text = text_at(value, key);
  const bool has_form =
      text.size() == 10 && text[4] == '-' && text[7] == '-' &&
      is_all_of(text.substr(0, 4) + text.substr(5, 2) + text.substr(8), "0123456789");
  if (!has_form || !is_day(text)) {
    throw Invalid(fmt::format("\"{}\": \"{}\" is no date of the past", key, text));
  }
  return text;
}

}  // namespace archgrid::evidence

#endif
