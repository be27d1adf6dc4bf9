// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// GPUs that are newer than those that a file has machine code for: only PTX serves them.
#ifndef ARCHGRID_COVERAGE_NEWER_HPP
#define ARCHGRID_COVERAGE_NEWER_HPP

#include <archgrid/coverage/verdict.hpp>
#include <string>

namespace archgrid::coverage {

/// "GPUs newer than 9.0 are served by PTX compute_90 (JIT)", or what else they get: one sentence.
/// Their drivers are taken to be as new as they are. Empty where no kernel has machine code.
std::string newer_gpus(const fatbin::File& file, const Coverage& coverage);

}  // namespace archgrid::coverage

#endif
