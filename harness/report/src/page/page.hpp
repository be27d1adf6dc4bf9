// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ARCHGRID_REPORT_PAGE_HPP
#define ARCHGRID_REPORT_PAGE_HPP

#include <string_view>

namespace archgrid::report::page {

extern const std::string_view html;  ///< a template with {{names}}
extern const std::string_view style;
extern const std::string_view style_sha256;        ///< in hexadecimal
extern const std::string_view perf_style;          ///< for the page of measurements
extern const std::string_view perf_style_sha256;   ///< in hexadecimal
extern const std::string_view merge_style;         ///< for the page of CI jobs
extern const std::string_view merge_style_sha256;  ///< in hexadecimal
extern const std::string_view script;
extern const std::string_view script_sha256;

}  // namespace archgrid::report::page

#endif
