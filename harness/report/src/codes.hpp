// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ARCHGRID_REPORT_CODES_HPP
#define ARCHGRID_REPORT_CODES_HPP

#include <string_view>

namespace archgrid::report {

/// What the code of a finding or of a remark stands for, in any file.
struct Code {
  std::string_view code;
  std::string_view title;  ///< a few words
  std::string_view help;   ///< what it means, and what mends it
};

/// A code that has no text of its own stands for itself.
Code explain(std::string_view code);

}  // namespace archgrid::report

#endif
