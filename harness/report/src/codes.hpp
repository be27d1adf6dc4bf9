// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ARCHGRID_REPORT_CODES_HPP
#define ARCHGRID_REPORT_CODES_HPP

#include <string_view>

namespace archgrid::report {

/// The meaning of a finding's or remark's code, for any file.
struct Code {
  std::string_view code;
  std::string_view title;  ///< a few words
  std::string_view help;   ///< its meaning and its fix
};

/// Returns the texts of a code. A code without texts is its own title and help.
Code explain(std::string_view code);

}  // namespace archgrid::report

#endif
