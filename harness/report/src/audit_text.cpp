// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include "audit_text_parts.hpp"
#include "package_table.hpp"
#include "style.hpp"

namespace archgrid::report {
namespace {

std::string package_text(const View& view, TextStyle style) {
  auto text = package_table(view, style);
  return text.empty() ? text : text + '\n';
}

std::string package_answers_text(const View& view, TextStyle style) {
  std::string text;
  for (const auto& answer : view.package_answers) {
    text += wrapped(fatbin::printable(answer), "", style.columns);
  }
  return text;
}

}  // namespace

std::string closing_line_text(const View& view, TextStyle style) {
  const auto ink = view.outcome == Outcome::holds ? Ink::good : Ink::bad;
  auto text = wrapped(view.verdict, "", style.columns);
  text.pop_back();
  return paint(text, ink, style.style) + '\n';
}

std::string audit_text(const View& view, TextStyle style) {
  if (style.brief) {
    return findings_text(view, style) + suspects_text(view, style) + closing_line_text(view, style);
  }
  const bool is_package = view.report.without_promise && !style.all;
  return (is_package ? package_text(view, style) : maps_text(view, style)) +
         findings_text(view, style) + suspects_text(view, style) + notes_text(view, style) +
         package_answers_text(view, style) + closing_line_text(view, style);
}

}  // namespace archgrid::report
