// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ARCHGRID_COVERAGE_AUDIT_NOTES_HPP
#define ARCHGRID_COVERAGE_AUDIT_NOTES_HPP

#include <archgrid/coverage/audit.hpp>
#include <string>

namespace archgrid::coverage {

/// Adds a note on a file.
void add_note(const fatbin::File& file, const char* code, Facts facts, Audit& result);

/// Adds a finding about a file as a whole, and returns it.
Finding& find_in(const fatbin::File& file, std::string code, Facts facts, Audit& result);

/// Adds a finding about the files together, and returns it.
Finding& find_in_all(std::string code, Facts facts, Audit& result);

}  // namespace archgrid::coverage

#endif
