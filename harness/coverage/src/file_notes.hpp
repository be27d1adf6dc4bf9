// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Notes on one file, which do not depend on verdicts.
#ifndef ARCHGRID_COVERAGE_FILE_NOTES_HPP
#define ARCHGRID_COVERAGE_FILE_NOTES_HPP

#include <archgrid/coverage/audit.hpp>
#include <optional>

namespace archgrid::coverage {

void note_stripped(const fatbin::File& file, Audit& result);

/// Notes how the file was built, and that it loads code at run time.
void note_build(const fatbin::File& file, const Request& request, Audit& result);

/// Notes that host code picks kernels from fat binaries. `audit` is a part of `result`.
void note_picked(const FileAudit& audit, Audit& result);

/// Finds that the name of the file promises a GPU, if that is promised, which its code does not
/// serve.
void note_misnamed(const fatbin::File& file, std::optional<ComputeCapability> named, Audit& result);

/// Notes that other files of a set serve kernels as promised; nothing without facts.
void note_settled(const fatbin::File& file, Facts facts, Audit& result);

/// Notes what GPUs get that are newer than all that the file was compiled for.
void note_newer(const fatbin::File& file, const ImageSelector& selector, const Request& request,
                Audit& result);

/// Notes modules with only variables that have no code for a promised device: they have no kernel
/// that would show it.
void note_unserved_variables(const fatbin::File& file, Audit& result);

}  // namespace archgrid::coverage

#endif
