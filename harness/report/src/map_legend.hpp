// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// The signs of a map in text.
#ifndef ARCHGRID_REPORT_MAP_LEGEND_HPP
#define ARCHGRID_REPORT_MAP_LEGEND_HPP

#include <archgrid/report/audit_view.hpp>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "style.hpp"

namespace archgrid::report {

/// Returns the colour of a field. `is_refused`: the driver does not run the file on the GPU.
Ink ink_of(ViewField field, bool is_refused);

/// Returns the text of a field. Broken fields are distinct even without colour, and a ! follows
/// other verdicts where the driver does not run the file.
std::string word_of(ViewField field, bool is_refused);

/// The meanings of the signs that occurred in maps.
class Legend {
 public:
  void add(const Pattern& pattern);
  void add_refused() { has_refused_ = true; }
  [[nodiscard]] std::string text(bool without_promise, TextStyle style) const;

 private:
  std::map<coverage::Verdict, std::vector<std::string>> words_;
  std::set<coverage::State> states_;
  std::set<std::string> suspects_;  ///< words of suspects
  bool has_refused_ = false;
};

}  // namespace archgrid::report

#endif
