// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <archgrid/coverage/json_text.hpp>
#include <archgrid/coverage/pyproject.hpp>
#include <archgrid/fatbin.hpp>
#include <cctype>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <optional>
#include <system_error>
#include <utility>

#include "promise_table.hpp"

// toml++ is slow to compile: no other source includes it.
#define TOML_HEADER_ONLY 1
#define TOML_EXCEPTIONS 0
#define TOML_ENABLE_FORMATTERS 0
#include <toml++/toml.h>

namespace archgrid::coverage {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr const char* kPlace = "tool.archgrid";
constexpr std::uintmax_t kMaxBytes = std::uintmax_t{16} << 20U;
constexpr std::size_t kMaxDescription = 200;

[[noreturn]] void refuse(const fs::path& path, const std::string& place,
                         const std::string& problem) {
  throw MatrixError(fmt::format("{}: {}: {}", path.string(), place, problem));
}

/// Returns the text of a regular file: opening a FIFO would block.
std::string content_of(const fs::path& path) {
  std::error_code error;
  const auto refuse = [&path](const std::string& problem) {
    throw TomlError(fmt::format("{}: {}", path.string(), problem));
  };
  const auto status = fs::status(path, error);
  if (!fs::exists(status)) refuse(fmt::format("cannot open: {}", error.message()));
  if (!fs::is_regular_file(status)) refuse("not a regular file: name a file");
  const auto size = fs::file_size(path, error);
  if (!error && size > kMaxBytes) refuse(fmt::format("larger than {} MiB", kMaxBytes >> 20U));
  std::ifstream stream(path, std::ios::binary);
  if (!stream) refuse(fmt::format("cannot open: {}", std::strerror(errno)));
  std::string text{std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
  if (stream.bad()) refuse("cannot be read");
  return text;
}

toml::table parse_file(const fs::path& path) {
  auto result = toml::parse(content_of(path));
  if (result) return std::move(result).table();
  const auto& error = result.error();
  const auto& begin = error.source().begin;
  const auto description = fatbin::printable(std::string(error.description()));
  throw TomlError(fmt::format("{}: line {}, column {}: invalid TOML: {}", path.string(), begin.line,
                              begin.column, fatbin::shortened(description, kMaxDescription)));
}

/// Converts a TOML value. The parser of promises reports values of a wrong type, except for dates,
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

/// Replaces names of GPUs by compute capabilities, which the parser of promises reads. That parser
/// reports values of a wrong type.
void spell_devices(json& owner, const fs::path& path, const std::string& place,
                   const GpuReader& read_gpu) {
  if (!owner.is_object() || !owner.contains("devices")) return;
  auto& devices = owner.at("devices");
  if (!devices.is_array()) return;
  for (std::size_t index = 0; index < devices.size(); ++index) {
    auto& device = devices[index];
    if (!device.is_string()) continue;
    try {
      device = read_gpu(device.get<std::string>()).text();
    } catch (const std::runtime_error& error) {
      refuse(path, fmt::format("{}.devices[{}]", place, index), error.what());
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

std::string normalized_distribution(std::string_view name) {
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

Pyproject::Pyproject(const fs::path& path) {
  auto content = std::make_shared<Content>();
  content->path = path;
  content->top = parse_file(path);
  if (const auto* name = content->top.at_path("project.name").as_string()) {
    content->name = normalized_distribution(name->get());
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

Matrix Pyproject::promise(const GpuReader& read_gpu) const {
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
  return read_promise_table(path.string(), kPlace, table);
}

}  // namespace archgrid::coverage
