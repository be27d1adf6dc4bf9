// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ARCHGRID_COVERAGE_TEXT_HPP
#define ARCHGRID_COVERAGE_TEXT_HPP

#include <memory>
#include <ostream>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

namespace archgrid::coverage {

/// A text that does not change, which copies share: an audit says the same of thousands of kernels.
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

/// Gives equal texts one place. Not for several threads at once.
class TextPool {
 public:
  Text share(std::string text) {
    if (text.empty()) return {};
    const auto found = texts_.find(text);
    if (found != texts_.end()) return found->second;
    Text shared(std::move(text));
    texts_.emplace(shared.str(), shared);
    return shared;
  }

 private:
  std::unordered_map<std::string_view, Text> texts_;
};

}  // namespace archgrid::coverage

#endif
