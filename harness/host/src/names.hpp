// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ARCHGRID_HOST_NAMES_HPP
#define ARCHGRID_HOST_NAMES_HPP

#include <string>

namespace archgrid::host::detail {

/// The name of the function at a code address, demangled; its address in hexadecimal where unknown.
std::string function_name(const void* code);

/// File and line of the call that returns to an address; the function where the program has no line
/// tables.
std::string code_place(const void* return_address);

}  // namespace archgrid::host::detail

#endif
