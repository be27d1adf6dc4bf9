// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ARCHGRID_REPORT_KERNEL_TEXT_HPP
#define ARCHGRID_REPORT_KERNEL_TEXT_HPP

#include <cstddef>
#include <string>
#include <vector>

namespace archgrid::report {

/// Returns the demangled name in at most `most` columns. The return type and the parameters go
/// first, then the namespaces, as a kernel's own name and template arguments say more.
std::string kernel_text(const std::string& demangled, std::size_t most);

/// Returns the kernel_text() of each name. Names that would look alike get their parameters,
/// without namespaces, and lose their middle instead: only parameters distinguish overloads.
std::vector<std::string> kernel_texts(const std::vector<std::string>& demangled, std::size_t most);

}  // namespace archgrid::report

#endif
