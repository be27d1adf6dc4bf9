// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ARCHGRID_CPU_EMULATOR_NAMES_HPP
#define ARCHGRID_CPU_EMULATOR_NAMES_HPP

#include <string>
#include <vector>

namespace archgrid::cpu_emulator::detail {

/// Returns the demangled name of the function at a code address, or the address in hexadecimal.
std::string function_name(const void* code);

/// Returns file and line of the call that returns to an address, and after ", called at" those of
/// the inlined calls around it; without line tables, the function. Leaves out the executor and its
/// stand-ins for CUDA's headers.
std::string code_place(const void* return_address);

/// Returns the return addresses of the calls in progress, the innermost first.
std::vector<const void*> calls_under_way();

/// Returns the places of these calls, one per line, from the kernel's code up to the kernel itself;
/// empty without line tables.
std::string calls_of_kernel(const std::vector<const void*>& return_addresses, const void* kernel);

}  // namespace archgrid::cpu_emulator::detail

#endif
