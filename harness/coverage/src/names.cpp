// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <archgrid/coverage/names.hpp>
#include <archgrid/coverage/text.hpp>
#include <archgrid/fatbin.hpp>
#include <cctype>
#include <mutex>

#include "decimal.hpp"

namespace archgrid::coverage {
namespace {

constexpr std::string_view kAnonymous = "(anonymous namespace)";

void erase_all(std::string& text, std::string_view part) {
  for (auto at = text.find(part); at != std::string::npos; at = text.find(part)) {
    text.erase(at, part.size());
  }
}

/// The brackets that are open at a point of a name. In parentheses, an unmatched '<' or '>' is a
/// comparison.
class Brackets {
 public:
  void read(char c) {
    const auto closer = closer_of(c);
    if (closer != '\0') open_ += closer;
    const bool ends_group = c == ')' || c == ']' || c == '}';
    while (ends_group && !open_.empty() && open_.back() == '>') open_.pop_back();
    if (!open_.empty() && c == open_.back()) open_.pop_back();
  }

  [[nodiscard]] bool are_closed() const { return open_.empty(); }

 private:
  static char closer_of(char c) {
    return c == '<' ? '>' : c == '(' ? ')' : c == '[' ? ']' : c == '{' ? '}' : '\0';
  }

  std::string open_;  ///< expected closing brackets
};

bool is_identifier(char c) {
  return c == '_' || std::isalnum(static_cast<unsigned char>(c)) != 0;
}

constexpr std::size_t kHash = 8;

bool is_hash(const std::string& name, std::size_t begin) {
  if (name.size() - begin < kHash) return false;
  return std::all_of(name.begin() + static_cast<std::ptrdiff_t>(begin),
                     name.begin() + static_cast<std::ptrdiff_t>(begin + kHash),
                     [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); });
}

/// Replaces the hashes that nvcc puts into names with internal linkage:
/// _ZN39_GLOBAL__N__0cd80813_9_sample_cu_... or __nv_static_28__0cd80813_9_sample_cu_...
void hide_hashes(std::string& name) {
  const bool internal = name.find("_GLOBAL__N__") != std::string::npos ||
                        name.find("_INTERNAL_") != std::string::npos ||
                        name.rfind("__nv_static_", 0) == 0;
  for (std::size_t at = 0; internal && at < name.size(); ++at) {
    if (name[at] == '_' && is_hash(name, at + 1)) name.replace(at + 1, kHash, "#");
  }
}

/// Replaces CCCL's namespaces, which depend on its version and the archs of the build:
/// _ZN3cub21CUB_300102_SM_800_900... and _ZN6thrust23THRUST_200200_500_600_NS...
void hide_version(std::string& name, std::string_view library) {
  for (auto at = name.find(library); at != std::string::npos; at = name.find(library, at + 1)) {
    std::size_t begin = at;
    while (begin > 0 && is_decimal(name[begin - 1])) --begin;
    const auto version = at + library.size();
    if (begin == at || at - begin > 3 || version >= name.size() || !is_decimal(name[version]))
      continue;
    const auto length = std::stoul(name.substr(begin, at - begin));
    if (length > library.size() && length <= name.size() - at)
      name.replace(begin, at - begin + length, "#");
  }
}

}  // namespace

struct DemangledName::Name {
  Text mangled;
  std::once_flag once;
  std::string text;
};

DemangledName::DemangledName(std::string text) {
  if (text.empty()) return;
  name_ = std::make_shared<Name>();
  name_->text = std::move(text);
}

DemangledName DemangledName::of(Text mangled) {
  DemangledName name;
  if (mangled.empty()) return name;
  name.name_ = std::make_shared<Name>();
  name.name_->mangled = std::move(mangled);
  return name;
}

const std::string& DemangledName::str() const {
  static const std::string kEmpty;
  if (!name_) return kEmpty;
  std::call_once(name_->once, [this] {
    if (!name_->mangled.empty()) name_->text = fatbin::demangle(name_->mangled);
  });
  return name_->text;
}

std::string_view without_parameters(std::string_view demangled) {
  Brackets brackets;
  for (std::size_t at = 0; at < demangled.size(); ++at) {
    const char c = demangled[at];
    if (demangled.substr(at, kAnonymous.size()) == kAnonymous) {
      at += kAnonymous.size() - 1;
      continue;
    }
    if (brackets.are_closed() && c == '(') {
      const auto name = demangled.substr(0, at);
      return name.substr(0, name.find_last_not_of(' ') + 1);  // "module 3 (LTO-IR)" has a space
    }
    brackets.read(c);
  }
  return demangled;
}

std::string without_signature(const std::string& demangled) {
  std::string name(without_parameters(demangled));
  erase_all(name, std::string(kAnonymous) + "::");
  if (name.empty() || name.back() != '>') return name;
  // Templates are demangled with their return type: void, or an expression that becomes void.
  Brackets brackets;
  std::size_t begin = 0;
  for (std::size_t at = 0; at < name.size(); ++at) {
    brackets.read(name[at]);
    if (name[at] == ' ' && brackets.are_closed()) begin = at + 1;
  }
  return name.substr(begin);
}

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

std::string without_build(std::string_view mangled) {
  std::string name(mangled);
  hide_hashes(name);
  hide_version(name, "CUB_");
  hide_version(name, "THRUST_");
  return name;
}

// Backtracks to the last * on each mismatch: linear for one *, and never exponential.
bool matches_pattern(std::string_view pattern, std::string_view name) {
  std::size_t at = 0;
  std::size_t in_name = 0;
  std::size_t star = std::string_view::npos;
  std::size_t star_ends = 0;
  while (in_name < name.size()) {
    if (at < pattern.size() && pattern[at] == '*') {
      star = at++;
      star_ends = in_name;
    } else if (at < pattern.size() && (pattern[at] == '?' || pattern[at] == name[in_name])) {
      ++at;
      ++in_name;
    } else if (star != std::string_view::npos) {
      at = star + 1;
      in_name = ++star_ends;
    } else {
      return false;
    }
  }
  return pattern.find_first_not_of('*', at) == std::string_view::npos;
}

}  // namespace archgrid::coverage
