// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <archgrid/coverage/json_text.hpp>
#include <archgrid/coverage/promise_table.hpp>
#include <archgrid/coverage/text_file.hpp>
#include <archgrid/fatbin.hpp>
#include <archgrid/promises/pyproject.hpp>
#include <cctype>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

// toml++ is slow to compile: no other source includes it.
#define TOML_DISABLE_ENVIRONMENT_CHECKS 1  // FLT_RADIX, which Zig 0.17 lacks for macOS
#define TOML_HEADER_ONLY 1
#define TOML_EXCEPTIONS 0
#define TOML_ENABLE_FORMATTERS 0
#define TOML_MAX_NESTED_VALUES 32  // of nested lists and tables
#include <toml++/toml.h>

namespace archgrid::promises {
namespace {

namespace fs = std::filesystem;
using coverage::MatrixError;
using coverage::quotable;
using nlohmann::json;

constexpr const char* kPlace = "tool.archgrid";
// toml++ searches lists of tables linearly: 1 MiB may take a second, and 5 MB half a minute.
constexpr std::uintmax_t kMaxBytes = std::uintmax_t{1} << 20U;
// toml++ limits the depth of values, but not of dotted keys, whose tables are destroyed
// recursively.
constexpr std::size_t kMaxSegments = 64;
constexpr std::size_t kMaxDescription = 200;
constexpr std::size_t kMaxGpuName = 100;

[[noreturn]] void refuse(const fs::path& path, const std::string& place,
                         const std::string& problem) {
  throw MatrixError(fmt::format("{}: {}: {}", path.string(), place, problem));
}

bool mentions_archgrid(std::string_view text) {
  return text.find("archgrid") != std::string_view::npos;
}

/// Returns the place after the string whose first quote is at `at`; for a single-line string, at
/// most the end of its line.
std::size_t end_of_string(std::string_view text, std::size_t at) {
  const char quote = text[at];
  const std::string fence(3, quote);
  const bool is_long = text.substr(at, 3) == fence;
  for (at += is_long ? 3 : 1; at < text.size(); ++at) {
    const char c = text[at];
    if (c == '\\' && quote == '"') {
      ++at;
    } else if (!is_long) {
      if (c == '\n') return at;
      if (c == quote) return at + 1;
    } else if (text.substr(at, 3) == fence) {
      // Two more quotes may be the last characters of the string.
      at += 3;
      for (int more = 0; more < 2 && at < text.size() && text[at] == quote; ++more) ++at;
      return at;
    }
  }
  return text.size();
}

/// Returns the line of the first key or header with more than kMaxSegments segments. Up to the
/// first error in the text, detects ends of strings and comments like toml++.
std::optional<std::size_t> line_of_deep_key(std::string_view text) {
  constexpr std::string_view kEndOfKey = "=,[]{}\n";
  std::size_t dots = 0;
  for (std::size_t at = 0; at < text.size();) {
    const char c = text[at];
    if (c == '"' || c == '\'') {
      at = end_of_string(text, at);
      continue;
    }
    if (c == '#') {
      at = std::min(text.find('\n', at), text.size());
      continue;
    }
    if (c == '.') ++dots;
    if (kEndOfKey.find(c) != std::string_view::npos) dots = 0;
    if (dots >= kMaxSegments) {
      const auto end = text.begin() + static_cast<std::ptrdiff_t>(at);
      return static_cast<std::size_t>(std::count(text.begin(), end, '\n')) + 1;
    }
    ++at;
  }
  return std::nullopt;
}

std::string content_of(const fs::path& path) {
  try {
    return coverage::read_text_file(path, kMaxBytes);
  } catch (const coverage::FileError& error) {
    std::error_code ignored;
    throw TomlError(error.what(), !fs::is_directory(path, ignored));
  }
}

toml::table parse(const fs::path& path, const std::string& text) {
  if (const auto line = line_of_deep_key(text)) {
    throw TomlError(fmt::format("{}: line {}: a key has more than {} segments: make it shorter",
                                path.string(), *line, kMaxSegments),
                    mentions_archgrid(text));
  }
  auto result = toml::parse(text);
  if (result) return std::move(result).table();
  const auto& error = result.error();
  const auto& begin = error.source().begin;
  const auto description = fatbin::printable(std::string(error.description()));
  throw TomlError(fmt::format("{}: line {}, column {}: invalid TOML: {}", path.string(), begin.line,
                              begin.column, fatbin::shortened(description, kMaxDescription)),
                  mentions_archgrid(text));
}

/// Converts a TOML value. The parser of promises reports values of a wrong type, except dates,
/// which JSON lacks.
json to_json(const toml::node& node, const fs::path& path, const std::string& place) {
  if (const auto* table = node.as_table()) {
    auto object = json::object();
    for (const auto& [key, value] : *table) {
      const std::string name(key.str());
      object[name] = to_json(value, path, fmt::format("{}.{}", place, quotable(name)));
    }
    return object;
  }
  if (const auto* array = node.as_array()) {
    auto list = json::array();
    for (const auto& value : *array) {
      list.push_back(to_json(value, path, fmt::format("{}[{}]", place, list.size())));
    }
    return list;
  }
  if (const auto* text = node.as_string()) return text->get();
  if (const auto* flag = node.as_boolean()) return flag->get();
  if (const auto* number = node.as_integer()) return number->get();
  if (const auto* number = node.as_floating_point()) return number->get();
  refuse(path, place, "a date or a time is not expected: write it in quotes");
}

/// Replaces GPU names by compute capabilities for the parser of promises, which reports values of a
/// wrong type.
void spell_devices(json& owner, const fs::path& path, const std::string& place,
                   const GpuReader& read_gpu) {
  if (!owner.is_object() || !owner.contains("devices")) return;
  auto& devices = owner.at("devices");
  if (!devices.is_array()) return;
  for (std::size_t index = 0; index < devices.size(); ++index) {
    auto& device = devices[index];
    if (!device.is_string()) continue;
    const auto text = fatbin::printable(device.get<std::string>());
    const auto at = fmt::format("{}.devices[{}]", place, index);
    if (text.size() > kMaxGpuName) {
      refuse(path, at, fmt::format("\"{}\" names no GPU: write one, \"H100\"", quotable(text)));
    }
    try {
      device = read_gpu(text).text();
    } catch (const std::runtime_error& error) {
      refuse(path, at, error.what());
    }
  }
}

}  // namespace

struct Pyproject::Content {
  fs::path path;
  toml::table top;
  std::string name;

  [[nodiscard]] const toml::node* promise() const { return top.at_path(kPlace).node(); }
};

std::string normalised_distribution(std::string_view name) {
  std::string result;
  for (const char c : name) {
    const bool is_separator = c == '-' || c == '_' || c == '.';
    if (!is_separator) {
      result += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    } else if (result.empty() || result.back() != '-') {
      result += '-';
    }
  }
  return result;
}

bool mentions_archgrid(const fs::path& path) {
  try {
    return mentions_archgrid(std::string_view(content_of(path)));
  } catch (const TomlError&) {
    return false;
  }
}

Pyproject::Pyproject(const fs::path& path) {
  auto content = std::make_shared<Content>();
  content->path = path;
  content->top = parse(path, content_of(path));
  if (const auto* name = content->top.at_path("project.name").as_string()) {
    content->name = normalised_distribution(name->get());
  }
  content_ = std::move(content);
}

const fs::path& Pyproject::path() const {
  return content_->path;
}

const std::string& Pyproject::name() const {
  return content_->name;
}

bool Pyproject::has_promise() const {
  return content_->promise() != nullptr;
}

fs::path Pyproject::matrix_file() const {
  const auto* table = content_->promise() == nullptr ? nullptr : content_->promise()->as_table();
  const auto* file = table == nullptr ? nullptr : table->get_as<std::string>("matrix");
  if (file == nullptr || file->get().empty()) return {};
  return content_->path.parent_path() / file->get();
}

coverage::Matrix Pyproject::promise(const GpuReader& read_gpu) const {
  const auto& path = content_->path;
  const auto* node = content_->promise();
  if (node == nullptr) {
    throw MatrixError(
        fmt::format("{}: no table [{}]: add it, with devices = [\"9.0\"], or name a matrix file",
                    path.string(), kPlace));
  }
  if (!node->is_table()) refuse(path, kPlace, fmt::format("expected a table: write [{}]", kPlace));
  auto table = to_json(*node, path, kPlace);
  spell_devices(table, path, kPlace, read_gpu);
  if (table.contains("ignore")) {
    auto& ignores = table.at("ignore");
    const auto place = fmt::format("{}.ignore", kPlace);
    if (!ignores.is_array()) {
      refuse(path, place, fmt::format("expected a list of tables: write [[{}]]", place));
    }
    for (std::size_t index = 0; index < ignores.size(); ++index) {
      spell_devices(ignores[index], path, fmt::format("{}[{}]", place, index), read_gpu);
    }
  }
  return coverage::read_promise_table(path.string(), kPlace, table);
}

}  // namespace archgrid::promises
