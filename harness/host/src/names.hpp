// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ARCHGRID_HOST_NAMES_HPP
#define ARCHGRID_HOST_NAMES_HPP

#include <string>
#include <vector>

namespace archgrid::host::detail {

/// The name of the function at a code address, demangled; its address in hexadecimal where unknown.
std::string function_name(const void* code);

/// File and line of the call that returns to an address, and after ", called at" those of the calls
/// that were inlined around it; the function where the program has no line tables. What the
/// executor and its stand-ins for CUDA's headers do is left out.
std::string code_place(const void* return_address);

/// Where the calls that are under way return to, the innermost first.
std::vector<const void*> calls_under_way();

/// The places of these calls, each at a line of its own, from the kernel's code on to the kernel
/// itself; empty where the program has no line tables.
std::string calls_of_kernel(const std::vector<const void*>& return_addresses, const void* kernel);

}  // namespace archgrid::host::detail

#endif
