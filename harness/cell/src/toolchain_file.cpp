// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <archgrid/cell.hpp>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "words.hpp"

namespace archgrid::cell {
namespace {

/// Returns the text without comments that end a line. A # in quotes ends none of the values that
/// name archs.
std::string without_comments(const std::string& text) {
  std::string code;
  for (const auto& line : split(text, "\n")) code += line.substr(0, line.find('#')) + '\n';
  return code;
}

bool is_word(char letter) {
  return std::isalnum(static_cast<unsigned char>(letter)) != 0 || letter == '_';
}

/// Reports whether a command is set(), whose case does not matter.
bool is_set(std::string_view name) {
  constexpr std::string_view kSet = "set";
  return std::equal(name.begin(), name.end(), kSet.begin(), kSet.end(), [](char left, char right) {
    return std::tolower(static_cast<unsigned char>(left)) == right;
  });
}

/// Returns the arguments of each set() in the text.
std::vector<std::vector<std::string>> calls_of_set(const std::string& code) {
  std::vector<std::vector<std::string>> calls;
  constexpr std::string_view kSpace = " \t\r\n";
  for (std::size_t at = 0; (at = code.find('(', at)) != std::string::npos; ++at) {
    auto end = at;
    while (end > 0 && kSpace.find(code[end - 1]) != std::string_view::npos) --end;
    auto begin = end;
    while (begin > 0 && is_word(code[begin - 1])) --begin;
    const auto name = code.substr(begin, end - begin);
    if (!is_set(name)) continue;
    const auto close = std::min(code.find(')', at), code.size());
    calls.push_back(split(std::string_view(code).substr(at + 1, close - at - 1), " \t\r\n\""));
  }
  return calls;
}

}  // namespace

Toolchain read_toolchain(const Cache& cache) {
  Toolchain toolchain;
  const auto entry = cache.find("CMAKE_TOOLCHAIN_FILE");
  if (entry == cache.end() || entry->second.empty()) return toolchain;
  toolchain.file = entry->second;
  const auto source = cache.find("CMAKE_HOME_DIRECTORY");
  const std::filesystem::path folder = source == cache.end() ? std::string() : source->second;
  std::ifstream stream(folder / entry->second);
  std::ostringstream text;
  text << stream.rdbuf();
  for (auto call : calls_of_set(without_comments(text.str()))) {
    const auto kind = std::find(call.begin(), call.end(), "CACHE");
    const bool is_nameless = kind == call.begin();  // set(), too
    if (is_nameless || (kind != call.end() && !has(call, "FORCE"))) continue;
    call.erase(kind, call.end());
    const std::vector<std::string> values(call.begin() + 1, call.end());
    toolchain.variables[call[0]] = fmt::format("{}", fmt::join(values, ";"));
  }
  return toolchain;
}

}  // namespace archgrid::cell
