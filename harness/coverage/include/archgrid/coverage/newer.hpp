// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// GPUs that are newer than those that a file has machine code for: only PTX serves them.
#ifndef ARCHGRID_COVERAGE_NEWER_HPP
#define ARCHGRID_COVERAGE_NEWER_HPP

#include <archgrid/coverage/reason.hpp>
#include <archgrid/coverage/verdict.hpp>
#include <cstddef>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace archgrid::coverage {

/// Service of GPUs that are newer than the newest with machine code in a file.
struct NewerGpus {
  Device newest;                       ///< with machine code
  std::optional<Reason> doubt;         ///< why that is not known
  std::optional<Device> doubtful;      ///< that the doubt is about; unset for all of them
  std::size_t kernels = 0;             ///< served by PTX, where that serves most
  std::size_t of_kernels = 0;          ///< in the file
  std::set<std::string> ptx;           ///< "compute_90": what serves them
  std::set<std::string> suffixed_ptx;  ///< "compute_90a", which no newer GPU takes
  bool serves_future = false;          ///< also GPUs that the table does not know
  std::vector<Device> served;          ///< newer ones of the table
  std::vector<Device> unserved;        ///< the same
};

/// Drivers of the newer GPUs are taken to be as new as they are. Nothing where no kernel has
/// machine code.
std::optional<NewerGpus> newer_gpus(const fatbin::File& file, const Coverage& coverage);

}  // namespace archgrid::coverage

#endif
