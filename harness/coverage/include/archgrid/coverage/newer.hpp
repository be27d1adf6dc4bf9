// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Reports on GPUs newer than all machine code of a file, which only PTX can serve.
#ifndef ARCHGRID_COVERAGE_NEWER_HPP
#define ARCHGRID_COVERAGE_NEWER_HPP

#include <archgrid/coverage/image_selector.hpp>
#include <archgrid/coverage/reason.hpp>
#include <cstddef>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace archgrid::coverage {

/// Service of GPUs newer than the newest GPU that runs machine code of a file.
struct NewerGpus {
  ComputeCapability newest;                   ///< runs machine code of the file
  std::optional<Reason> doubt;                ///< why `newest` is not certain
  std::optional<ComputeCapability> doubtful;  ///< device of the doubt; unset for all newer devices
  std::size_t kernels = 0;                    ///< served by PTX, on the device with the most
  std::size_t idle = 0;                     ///< of the others: their bodies in that PTX do no work
  std::size_t of_kernels = 0;               ///< in the file
  std::set<std::string> ptx;                ///< archs of that PTX: "compute_90"
  std::set<std::string> suffixed_ptx;       ///< "compute_90a", which no newer GPU loads
  bool serves_future = false;               ///< including GPUs that the table does not list
  std::vector<ComputeCapability> served;    ///< newer devices of the table
  std::vector<ComputeCapability> unserved;  ///< newer devices of the table
};

/// Returns nothing if no kernel has machine code. Assumes that drivers of newer GPUs are as new as
/// the GPUs.
std::optional<NewerGpus> newer_gpus(const fatbin::File& file, const ImageSelector& selector);

}  // namespace archgrid::coverage

#endif
