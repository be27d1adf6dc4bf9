// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Reads what GPU test programs recorded of their runs (archgrid.gpu-tests/1, archgrid.gpu-runs/1).
#ifndef ARCHGRID_EVIDENCE_RUN_RECORDS_HPP
#define ARCHGRID_EVIDENCE_RUN_RECORDS_HPP

#include <archgrid/evidence/evidence_file.hpp>
#include <filesystem>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace archgrid::evidence {

/// The executions of runs of test programs.
struct RunRecords {
  std::vector<Execution> executions;  ///< without a commit
  std::vector<PassedProgram> passed;  ///< likewise
  std::vector<PassedProgram> failed;  ///< of programs with this code that did not pass
  std::vector<std::string> programs;  ///< of these, as they were started
  std::size_t runs = 0;
  std::size_t without_gpu = 0;     ///< runs that found no GPU
  std::size_t fake = 0;            ///< runs on a fake CUDA runtime, which executes nothing
  std::size_t broken = 0;          ///< crashed, or failed otherwise than by a test
  std::size_t without_kernel = 0;  ///< other runs that executed no kernel whose code is known
};

/// Reads a record, or those of a ctest run. Throws EvidenceError for anything else.
RunRecords read_run_records(const std::filesystem::path& path);

/// The code that files have.
struct KnownCode {
  /// Kernels, each with a device and the code that the device executes.
  std::set<std::tuple<std::string, coverage::ComputeCapability, coverage::KernelCode>> kernels;
  std::set<std::pair<std::string, coverage::ComputeCapability>> hashes;  ///< of whole files
};

KnownCode code_in(const std::vector<fatbin::File>& files,
                  const std::set<coverage::ComputeCapability>& devices);

/// Throws EvidenceError, which names `path`, for an execution of code that is not known: the record
/// is of another build, or forged.
void expect_known(const RunRecords& records, const KnownCode& code,
                  const std::filesystem::path& path);

}  // namespace archgrid::evidence

#endif
