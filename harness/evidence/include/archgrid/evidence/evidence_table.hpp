// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Compares the code of files with what ran.
#ifndef ARCHGRID_EVIDENCE_EVIDENCE_TABLE_HPP
#define ARCHGRID_EVIDENCE_EVIDENCE_TABLE_HPP

#include <archgrid/coverage/promise.hpp>
#include <archgrid/evidence/evidence_file.hpp>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace archgrid::evidence {

/// The knowledge about a kernel on a device, from best to worst.
enum class RunState : std::uint8_t {
  executed,  ///< a passed test launched this code there
  changed,   ///< a passed test launched other code of the kernel there
  unknown,   ///< the code has no identity to compare
  never,     ///< the kernel has code there, and no passed test is known to have launched it
  no_code    ///< no launch runs there
};

/// Returns "executed", "changed", ...
const char* name_of(RunState state);

struct KernelEvidence {
  std::string path;
  std::string kernel;  ///< mangled
  std::string demangled;
  std::map<coverage::ComputeCapability, RunState> states;
  /// The newest execution of any of its code, by device.
  std::map<coverage::ComputeCapability, Execution> last;
};

struct EvidenceRequest {
  std::vector<coverage::ComputeCapability> devices;
  /// A kernel has states for the devices that are promised for it; without promises, for all.
  std::vector<coverage::Promise> promises;
  std::optional<coverage::Driver> driver;  ///< unset: any PTX ISA is read
};

/// Returns the kernels of files that were read with ReadOptions::wants_identities, in the order of
/// the files and names.
std::vector<KernelEvidence> evidence_for(const std::vector<fatbin::File>& files,
                                         const EvidenceRequest& request, const Evidence& evidence);

}  // namespace archgrid::evidence

#endif
