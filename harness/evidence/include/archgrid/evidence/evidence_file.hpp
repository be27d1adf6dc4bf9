// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Reads and writes the file of what ran where: JSON Lines that a project keeps in git.
#ifndef ARCHGRID_EVIDENCE_EVIDENCE_FILE_HPP
#define ARCHGRID_EVIDENCE_EVIDENCE_FILE_HPP

#include <archgrid/coverage/code_finder.hpp>
#include <archgrid/coverage/table.hpp>
#include <filesystem>
#include <map>
#include <stdexcept>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

namespace archgrid::evidence {

/// An invalid file. The message names the file, the line and the fix.
struct EvidenceError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Place and time of a run of tests.
struct Run {
  coverage::ComputeCapability device;
  std::string gpu;     ///< "NVIDIA H100 PCIe"
  std::string driver;  ///< "580.65.06"; empty if unknown
  std::string test;    ///< "cu130-fat/gemm: Shapes.Big"; of a program "cu130-fat/gemm"
  std::string commit;  ///< empty if unknown
  std::string date;    ///< "2026-11-29", UTC
};

/// The launch of a kernel by a test that passed on a GPU: a line of an evidence file.
struct Execution {
  std::string kernel;  ///< mangled, by fatbin::without_build()
  coverage::KernelCode code;
  Run run;
};

/// A run of a test program in which all tests passed: another line of an evidence file. Its code
/// includes kernels that no test launches.
struct PassedProgram {
  std::string program;    ///< "cu130-fat/gemm_test": its cell, if it has one, and its file
  std::string code_hash;  ///< coverage::code_hash_of()
  Run run;
};

/// The runs of a project: each code of a kernel, and of a program, once per device, with its newest
/// date.
class Evidence {
 public:
  /// Reads a file; a missing one is empty. Takes lines in any order, repeated ones too, as a merge
  /// in git leaves them. Throws EvidenceError.
  static Evidence read(const std::filesystem::path& path);

  enum class Added { fresh, again };
  Added add(Execution execution);
  void add(PassedProgram program);
  /// Removes a run of the program with this code that is not newer: it has failed since.
  void remove(const PassedProgram& failed);

  /// Returns the lines of the file, sorted, so that the same executions are always the same file.
  [[nodiscard]] std::string text() const;

  /// Returns the execution of this code, or null.
  [[nodiscard]] const Execution* find(const std::string& kernel, coverage::ComputeCapability device,
                                      const coverage::KernelCode& code) const;

  /// Returns the newest execution of any code of the kernel on the device, or null.
  [[nodiscard]] const Execution* find_any(const std::string& kernel,
                                          coverage::ComputeCapability device) const;

  /// Returns the run of a program with this code in which all tests passed, or null.
  [[nodiscard]] const PassedProgram* find_passed(const std::string& program,
                                                 const std::string& code_hash,
                                                 coverage::ComputeCapability device) const;

  /// Returns the devices of all executions, ascending.
  [[nodiscard]] std::vector<coverage::ComputeCapability> devices() const;

  [[nodiscard]] std::size_t size() const { return executions_.size(); }

 private:
  using ExecutionKey = std::tuple<std::string, coverage::ComputeCapability, coverage::KernelCode>;
  /// Program, device, hash.
  using ProgramKey = std::tuple<std::string, coverage::ComputeCapability, std::string>;

  std::map<ExecutionKey, Execution> executions_;
  std::map<ProgramKey, PassedProgram> programs_;
};

}  // namespace archgrid::evidence

#endif
