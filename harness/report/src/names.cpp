// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include <archgrid/report.hpp>
#include <map>

#include "kernel_text.hpp"

namespace archgrid::report {
std::vector<std::string> short_names(const std::vector<std::string>& demangled) {
  std::vector<std::vector<std::string>> lengths;
  std::vector<std::map<std::string, int>> counts(2);
  for (const auto& full : demangled) {
    const auto plain = coverage::without_signature(full);
    lengths.push_back({coverage::without_namespaces(plain), plain, full});
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

namespace {

/// Returns "tile<64>(Problem const*)": the kernel's own name and its parameters, without return
/// type and namespaces.
std::string overload_text(const std::string& demangled) {
  constexpr std::string_view kAnonymous = "(anonymous namespace)::";
  auto parameters = demangled.substr(coverage::without_parameters(demangled).size());
  for (auto at = parameters.find(kAnonymous); at != std::string::npos;
       at = parameters.find(kAnonymous, at)) {
    parameters.erase(at, kAnonymous.size());
  }
  return coverage::without_namespaces(coverage::without_signature(demangled) + parameters);
}

void count_texts(const std::vector<std::string>& texts, std::map<std::string, int>& counts) {
  counts.clear();
  for (const auto& text : texts) ++counts[text];
}

}  // namespace

std::string kernel_text(const std::string& demangled, std::size_t most) {
  if (demangled.size() <= most) return demangled;
  const auto plain = coverage::without_signature(demangled);
  if (plain.size() <= most) return plain;
  return fatbin::shortened(coverage::without_namespaces(plain), most);
}

std::vector<std::string> kernel_texts(const std::vector<std::string>& demangled, std::size_t most) {
  std::vector<std::string> texts;
  std::map<std::string, int> counts;
  for (const auto& full : demangled) texts.push_back(kernel_text(full, most));
  for (const auto& longer : {overload_text, +[](const std::string& full) { return full; }}) {
    count_texts(texts, counts);
    for (std::size_t index = 0; index < texts.size(); ++index) {
      if (counts[texts[index]] > 1) {
        texts[index] = fatbin::shortened(longer(demangled[index]), most);
      }
    }
  }
  return texts;
}

}  // namespace archgrid::report
