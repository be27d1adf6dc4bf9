// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ARCHGRID_REPORT_MARKDOWN_PAGE_HPP
#define ARCHGRID_REPORT_MARKDOWN_PAGE_HPP

#include <archgrid/report/audit_view.hpp>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

namespace archgrid::report {

/// Reserved for the end of a truncated page: the lines that count what is missing.
constexpr std::size_t kMarkdownReserve = 400;

/// A page that accepts only whole parts, while they fit.
class MarkdownPage {
 public:
  explicit MarkdownPage(std::size_t most) : max_(most) {}

  bool add(std::string_view part) {
    if (text_.size() + part.size() + kMarkdownReserve > max_) return false;
    text_ += part;
    return true;
  }

  /// Adds a part that may use the reserve.
  void add_last(std::string_view part) {
    if (text_.size() + part.size() <= max_) text_ += part;
  }

  [[nodiscard]] std::string text() && { return std::move(text_); }

 private:
  std::size_t max_;
  std::string text_;
};

inline const char* sign_of(Outcome outcome) {
  switch (outcome) {
    case Outcome::holds:
      return ":white_check_mark:";
    case Outcome::broken:
      return ":x:";
    case Outcome::open:
      break;
  }
  return ":warning:";
}

}  // namespace archgrid::report

#endif
