// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// The errors and functions of the toolkit that this library is built for.
#ifndef ARCHGRID_PRETEND_ERRORS_HPP
#define ARCHGRID_PRETEND_ERRORS_HPP

#include <optional>
#include <string>

namespace archgrid::pretend {

/// "cudaErrorInvalidValue"; null for a number that is no error of this toolkit's headers.
const char* name_of_error(int error);

/// "pretended: invalid value"
const char* text_of_error(int error);

/// By number ("2") or by name.
std::optional<int> find_error(const std::string& name_or_number);

/// Whether this toolkit's runtime has such a function, which can fail.
bool can_fail(const std::string& function);

}  // namespace archgrid::pretend

#endif
