// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Names of kernels, as people write them.
#ifndef ARCHGRID_COVERAGE_NAMES_HPP
#define ARCHGRID_COVERAGE_NAMES_HPP

#include <string>
#include <string_view>

namespace archgrid::coverage {

/// "void ns::tile<3>" of "void ns::tile<3>(float*)".
std::string_view without_parameters(std::string_view demangled);

/// "ns::tile<3>" of that: templates are demangled with their return type, other kernels without.
std::string without_signature(const std::string& demangled);

/// "tile<Shape<64, 8>>" of "ns::tile<ns::Shape<64, 8> >".
std::string without_namespaces(const std::string& name);

/// Reports whether a pattern, in which * is any text and ? any character, matches a whole name.
bool matches_pattern(std::string_view pattern, std::string_view name);

}  // namespace archgrid::coverage

#endif
