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
#include <vector>

namespace archgrid::evidence {

/// An invalid file. The message names the file, the line and the fix.
struct EvidenceError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// The launch of a kernel by a test that passed on a GPU: a line of an evidence file.
struct Execution {
  std::string kernel;  ///< mangled, by fatbin::without_build()
  coverage::ComputeCapability device;
  coverage::KernelCode code;
  std::string gpu;     ///< "NVIDIA H100 PCIe"
  std::string driver;  ///< "580.65.06"; empty if unknown
  std::string test;    ///< "cu130-fat/gemm: Shapes.Big"
  std::string commit;  ///< empty if unknown
  std::string date;    ///< "2026-11-29", UTC
};

/// The executions of a project, each code of a kernel once per device, with its newest date.
class Evidence {
 public:
  /// Reads a file; a missing one is empty. Takes lines in any order, repeated ones too, as a merge
  /// in git leaves them. Throws EvidenceError.
  static Evidence read(const std::filesystem::path& path);

  enum class Added { fresh, again };
  Added add(Execution execution);

  /// Returns the lines of the file, sorted, so that the same executions are always the same file.
  [[nodiscard]] std::string text() const;

  /// Returns the execution of this code, or null.
  [[nodiscard]] const Execution* find(const std::string& kernel, coverage::ComputeCapability device,
                                      const std::string& identity) const;

  /// Returns the newest execution of any code of the kernel on the device, or null.
  [[nodiscard]] const Execution* find_any(const std::string& kernel,
                                          coverage::ComputeCapability device) const;

  /// Returns the devices of all executions, ascending.
  [[nodiscard]] std::vector<coverage::ComputeCapability> devices() const;

  [[nodiscard]] std::size_t size() const { return executions_.size(); }

 private:
  /// Kernel, device, identity.
  using Key = std::tuple<std::string, coverage::ComputeCapability, std::string>;

  std::map<Key, Execution> executions_;
};

}  // namespace archgrid::evidence

#endif
