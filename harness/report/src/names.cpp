// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include <archgrid/report.hpp>
#include <cctype>
#include <map>

namespace archgrid::report {
namespace {

constexpr std::string_view kAnonymous = "(anonymous namespace)::";

void erase_all(std::string& text, std::string_view part) {
  for (auto at = text.find(part); at != std::string::npos; at = text.find(part)) {
    text.erase(at, part.size());
  }
}

std::string without_signature(const std::string& demangled) {
  std::string name(coverage::without_parameters(demangled));
  erase_all(name, kAnonymous);
  // Templates are demangled with their return type, which is void for kernels.
  if (name.rfind("void ", 0) == 0) name.erase(0, 5);
  return name;
}

bool is_identifier(char c) {
  return c == '_' || std::isalnum(static_cast<unsigned char>(c)) != 0;
}

/// Without the namespaces of the name and of its template arguments: tile<Shape<64, 8>>.
std::string without_namespaces(const std::string& name) {
  std::string result;
  for (std::size_t at = 0; at < name.size(); ++at) {
    if (name.compare(at, 2, "::") == 0 && !result.empty() && is_identifier(result.back())) {
      while (!result.empty() && is_identifier(result.back())) result.pop_back();
      ++at;
    } else if (!(name[at] == ' ' && at > 0 && name[at - 1] == '>' && name[at + 1] == '>')) {
      result += name[at];
    }
  }
  return result;
}

}  // namespace

std::vector<std::string> short_names(const std::vector<std::string>& demangled) {
  std::vector<std::vector<std::string>> lengths;
  std::vector<std::map<std::string, int>> counts(2);
  for (const auto& full : demangled) {
    const auto plain = without_signature(full);
    lengths.push_back({without_namespaces(plain), plain, full});
    ++counts[0][lengths.back()[0]];
    ++counts[1][lengths.back()[1]];
  }
  std::vector<std::string> result;
  for (auto& names : lengths) {
    const std::size_t choice = counts[0][names[0]] == 1 ? 0 : counts[1][names[1]] == 1 ? 1 : 2;
    result.push_back(std::move(names[choice]));
  }
  return result;
}

}  // namespace archgrid::report
