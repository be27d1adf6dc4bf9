// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include <archgrid/coverage/names.hpp>
#include <archgrid/coverage/text.hpp>
#include <archgrid/fatbin.hpp>
#include <cctype>
#include <mutex>

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
