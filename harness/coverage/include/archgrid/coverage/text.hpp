// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ARCHGRID_COVERAGE_TEXT_HPP
#define ARCHGRID_COVERAGE_TEXT_HPP

#include <memory>
#include <ostream>
#include <string>
#include <string_view>
#include <utility>

namespace archgrid::coverage {

/// An immutable text shared by its copies: a kernel's name occurs in many places.
class Text {
 public:
  Text() = default;
  Text(std::string text)
      : text_(text.empty() ? nullptr : std::make_shared<const std::string>(std::move(text))) {}
  Text(const char* text) : Text(std::string(text)) {}

  [[nodiscard]] const std::string& str() const {
    static const std::string kEmpty;
    return text_ ? *text_ : kEmpty;
  }
  operator const std::string&() const { return str(); }
  [[nodiscard]] bool empty() const { return !text_; }

  friend bool operator==(const Text& left, const Text& right) {
    return left.text_ == right.text_ || left.str() == right.str();
  }
  friend bool operator==(const Text& left, const std::string& right) { return left.str() == right; }
  friend bool operator==(const Text& left, const char* right) { return left.str() == right; }
  friend bool operator!=(const Text& left, const Text& right) { return !(left == right); }
  friend bool operator<(const Text& left, const Text& right) { return left.str() < right.str(); }
  friend std::ostream& operator<<(std::ostream& stream, const Text& text) {
    return stream << text.str();
  }

 private:
  std::shared_ptr<const std::string> text_;
};

/// A kernel's readable name, shared by its copies. Most names are never shown, so the first access
/// demangles it. Thread-safe.
class DemangledName {
 public:
  DemangledName() = default;
  DemangledName(std::string text);  ///< the demangled name
  DemangledName(const char* text) : DemangledName(std::string(text)) {}
  static DemangledName of(Text mangled);

  [[nodiscard]] const std::string& str() const;
  operator const std::string&() const { return str(); }
  [[nodiscard]] bool empty() const { return !name_; }

  friend bool operator==(const DemangledName& left, const std::string& right) {
    return left.str() == right;
  }
  friend bool operator==(const DemangledName& left, const char* right) {
    return left.str() == right;
  }
  friend std::ostream& operator<<(std::ostream& stream, const DemangledName& name) {
    return stream << name.str();
  }

 private:
  struct Name;
  std::shared_ptr<Name> name_;  ///< null: empty
};

}  // namespace archgrid::coverage

#endif
