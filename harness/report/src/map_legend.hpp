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

Ink ink_of(ViewField field);

/// Returns the text of a field. Broken fields are distinct even without colour.
std::string word_of(ViewField field);

/// The meanings of the signs that occurred in maps.
class Legend {
 public:
  void add(const Pattern& pattern);
  [[nodiscard]] std::string text(bool without_promise, TextStyle style) const;

 private:
  std::map<coverage::Verdict, std::vector<std::string>> words_;
  std::set<coverage::State> states_;
  std::set<std::string> suspects_;  ///< words of suspects
};

}  // namespace archgrid::report

#endif
