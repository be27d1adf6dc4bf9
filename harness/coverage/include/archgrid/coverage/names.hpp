// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Formats and matches names of kernels.
#ifndef ARCHGRID_COVERAGE_NAMES_HPP
#define ARCHGRID_COVERAGE_NAMES_HPP

#include <string>
#include <string_view>

namespace archgrid::coverage {

/// Returns "void ns::tile<3>" for "void ns::tile<3>(float*)".
std::string_view without_parameters(std::string_view demangled);

/// Returns "ns::tile<3>" for it, without the return type, which only templates have.
std::string without_signature(const std::string& demangled);

/// Returns "tile<Shape<64, 8>>" for "ns::tile<ns::Shape<64, 8> >".
std::string without_namespaces(const std::string& name);

/// Reports whether a pattern matches a whole name; * is any text and ? any character.
bool matches_pattern(std::string_view pattern, std::string_view name);

/// Returns a path without versions and hashes: "libx.so" for "libx-1a2b3c4d.so.12.4".
std::string without_versions(const std::string& path);

}  // namespace archgrid::coverage

#endif
