// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ARCHGRID_COVERAGE_JOINED_HPP
#define ARCHGRID_COVERAGE_JOINED_HPP

#include <string>

namespace archgrid::coverage {

/// Returns "a, b".
template <typename Texts>
std::string joined(const Texts& texts) {
  std::string list;
  for (const auto& text : texts) list += (list.empty() ? "" : ", ") + text;
  return list;
}

}  // namespace archgrid::coverage

#endif
