// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include <archgrid/promises/spelling.hpp>
#include <charconv>
#include <string_view>

namespace archgrid::promises {
namespace {

constexpr int kLargest = 9999;

bool take_start(std::string_view& text, std::string_view start) {
  if (text.substr(0, start.size()) != start) return false;
  text.remove_prefix(start.size());
  return true;
}

bool take_end(std::string_view& text, std::string_view end) {
  if (text.size() < end.size() || text.substr(text.size() - end.size()) != end) return false;
  text.remove_suffix(end.size());
  return true;
}

std::optional<int> read_number(std::string_view text) {
  if (text.size() > 1 && text.front() == '0') return std::nullopt;
  int number = 0;
  const auto* const last = text.data() + text.size();
  const auto [end, error] = std::from_chars(text.data(), last, number);
  const bool good = error == std::errc() && end == last && number >= 0 && number <= kLargest;
  return good ? std::optional<int>(number) : std::nullopt;
}

/// Reads "90" and "9.0", the arch number of a device.
std::optional<int> read_arch_number(std::string_view text) {
  const auto dot = text.find('.');
  if (dot == std::string_view::npos) return read_number(text);
  const auto major = read_number(text.substr(0, dot));
  const auto minor = read_number(text.substr(dot + 1));
  if (!major || !minor || text.size() != dot + 2) return std::nullopt;
  return *major * 10 + *minor;
}

}  // namespace

std::string SpelledArch::text() const {
  const auto* kind = code == Code::any ? "" : code == Code::machine ? "-real" : "-virtual";
  return arch.text() + kind;
}

std::optional<SpelledArch> read_arch(const std::string& text) {
  std::string_view rest = text;
  SpelledArch result;
  if (take_end(rest, "-real") || take_start(rest, "sm_") || take_start(rest, "sm")) {
    result.code = Code::machine;
  } else if (take_end(rest, "-virtual") || take_start(rest, "compute_")) {
    result.code = Code::ptx;
  }
  for (const auto* suffix : {"a", "f"}) {
    if (result.arch.suffix == '\0' && take_end(rest, suffix)) result.arch.suffix = *suffix;
  }
  const auto number = read_arch_number(rest);
  if (!number) return std::nullopt;
  result.arch.number = *number;
  return result;
}

std::optional<SpelledArch> read_known_arch(const std::string& text) {
  const auto spelled = read_arch(text);
  return spelled && coverage::parse_arch(spelled->arch.text()) ? spelled : std::nullopt;
}

std::optional<coverage::ComputeCapability> read_device(const std::string& text) {
  const auto spelled = read_known_arch(text);
  if (!spelled || spelled->code == Code::ptx || spelled->arch.suffix != '\0') return std::nullopt;
  if (text.find('-') != std::string::npos) return std::nullopt;
  return coverage::table().find_architecture(spelled->arch.number)->device;
}

}  // namespace archgrid::promises
