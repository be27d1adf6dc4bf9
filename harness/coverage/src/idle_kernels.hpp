// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Kernels that do no work in any of their bodies. No other body shows that they should work, so
// that may be intended.
#ifndef ARCHGRID_COVERAGE_IDLE_KERNELS_HPP
#define ARCHGRID_COVERAGE_IDLE_KERNELS_HPP

#include <archgrid/coverage/audit.hpp>
#include <cstddef>
#include <map>
#include <set>
#include <string_view>
#include <vector>

namespace archgrid::coverage {

using KernelNames = std::set<std::string_view>;

/// The idle kernels of a file. A kernel that checks its input is intended; one compiled only for
/// the wrong arch is not.
struct IdleKernels {
  KernelNames reporting;  ///< only print, assert or trap
  KernelNames others;     ///< some body is empty, or writes only shared memory
};

struct IdleByFile {
  std::vector<IdleKernels> files;
  std::map<std::string_view, const fatbin::File*> working;  ///< a file where such a kernel works
};

/// Finds the kernels that do no work in some file, and for each kernel a file where it works.
/// Refers to the files.
IdleByFile find_idle_kernels(const std::vector<FileAudit>& files);

/// Notes the idle kernels of file number `index` of `result`, but no kernels that ignores cover,
/// nor those that are findings because they work elsewhere.
void note_idle_kernels(std::size_t index, const IdleByFile& idle, const Request& request,
                       Audit& result);

}  // namespace archgrid::coverage

#endif
