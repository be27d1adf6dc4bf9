// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ARCHGRID_COVERAGE_CONTAINS_HPP
#define ARCHGRID_COVERAGE_CONTAINS_HPP

#include <algorithm>

namespace archgrid::coverage {

template <typename List, typename Value>
bool contains(const List& list, const Value& value) {
  return std::find(list.begin(), list.end(), value) != list.end();
}

}  // namespace archgrid::coverage

#endif
