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

/// Returns why a test program, read with ReadOptions::wants_identities, must run on the device:
/// "other code than on 2026-11-29 in 2 kernels: scale<float> and 1 more". Empty if all its tests
/// passed there with this code. `name`: PassedProgram::program.
std::string why_needed(const std::string& name, const fatbin::File& program,
                       coverage::ComputeCapability device, const Evidence& evidence);

/// A program of archgrid_add_gpu_test().
struct TestProgram {
  std::string name;            ///< of its target
  std::filesystem::path path;  ///< empty if it is not built, or elsewhere
};

/// Returns the test programs of a build tree, sorted by name.
std::vector<TestProgram> test_programs_in(const std::filesystem::path& tree);

}  // namespace archgrid::evidence

#endif
