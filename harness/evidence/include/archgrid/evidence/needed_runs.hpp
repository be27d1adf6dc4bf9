// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Decides which tests must run again on a GPU.
#ifndef ARCHGRID_EVIDENCE_NEEDED_RUNS_HPP
#define ARCHGRID_EVIDENCE_NEEDED_RUNS_HPP

#include <archgrid/evidence/evidence_table.hpp>
#include <filesystem>
#include <string>
#include <vector>

namespace archgrid::evidence {

/// Returns why a test program, read with ReadOptions::wants_identities, must run on the device: "2
/// kernels changed since 2026-11-29: scale<float> and 1 more". Empty if all its tests passed there
/// with this code.
std::string why_needed(const fatbin::File& program, coverage::ComputeCapability device,
                       const Evidence& evidence);

/// Returns the programs of archgrid_add_gpu_test() in a build tree, sorted. Those that are not
/// there where they were built are beside the lists of their tests.
std::vector<std::filesystem::path> test_programs_in(const std::filesystem::path& tree);

}  // namespace archgrid::evidence

#endif
