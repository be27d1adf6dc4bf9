// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ARCHGRID_COVERAGE_DECIMAL_HPP
#define ARCHGRID_COVERAGE_DECIMAL_HPP

namespace archgrid::coverage {

/// Reports whether `c` is a decimal digit, unlike std::isdigit() independent of the locale.
inline bool is_decimal(char c) {
  return c >= '0' && c <= '9';
}

}  // namespace archgrid::coverage

#endif
