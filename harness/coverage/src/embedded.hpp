// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// The data files at the time when archgrid was built.
#ifndef ARCHGRID_COVERAGE_EMBEDDED_HPP
#define ARCHGRID_COVERAGE_EMBEDDED_HPP

#include <string_view>

namespace archgrid::coverage::embedded {

extern const std::string_view architectures;
extern const std::string_view toolkits;
extern const std::string_view drivers;

}  // namespace archgrid::coverage::embedded

#endif
