// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// The errors and functions of the toolkit that this library is built for.
#ifndef ARCHGRID_FAKE_ERRORS_HPP
#define ARCHGRID_FAKE_ERRORS_HPP

#include <optional>
#include <string>

namespace archgrid::fake_cudart {

/// Returns "cudaErrorInvalidValue"; null for a number that is not an error in this toolkit's
/// headers.
const char* name_of_error(int error);

/// Returns "fake: invalid value".
const char* text_of_error(int error);

/// Returns the number of an error given by its number ("2") or its name.
std::optional<int> find_error(const std::string& name_or_number);

/// Reports whether this toolkit's runtime has the function, and the function can fail.
bool can_fail(const std::string& function);

}  // namespace archgrid::fake_cudart

#endif
