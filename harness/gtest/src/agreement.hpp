// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Compares what archgrid read in a fat binary with what the CUDA runtime made of it.
#ifndef ARCHGRID_GTEST_AGREEMENT_HPP
#define ARCHGRID_GTEST_AGREEMENT_HPP

#include <archgrid/coverage.hpp>
#include <string>
#include <vector>

namespace archgrid::gtest {

/// The answer of cudaFuncGetAttributes for a kernel.
struct RuntimeAnswer {
  std::string kernel;  ///< mangled
  int error = 0;       ///< a cudaError_t
  std::string error_name;
  int binary_version = 0;  ///< 90 for 9.0: version of the machine code that is used
  int ptx_version = 0;     ///< version of the PTX from which the kernel was compiled
};

struct Agreement {
  std::size_t compared = 0;
  /// One sentence per kernel on which the two disagree: one of them is wrong, and the kernel that
  /// runs is not the one that was checked.
  std::vector<std::string> disagreements;
};

/// Compares verdicts on a device with the runtime's answers, by kernel name. Leaves out kernels
/// without an answer and unknown verdicts. For a kernel of several modules, whose verdict is that
/// of the worst module, only an error is a disagreement. `jit_disabled`: the driver compiles no
/// PTX, so that `jit` does not load.
Agreement compare(const std::vector<coverage::Served>& verdicts,
                  const std::vector<RuntimeAnswer>& answers, coverage::ComputeCapability device,
                  bool jit_disabled);

/// Returns one sentence for each kernel that the program registers and that has no verdict. Returns
/// nothing if a verdict is about kernels without a name.
std::vector<std::string> unseen(const std::vector<coverage::Served>& verdicts,
                                const std::vector<RuntimeAnswer>& answers);

}  // namespace archgrid::gtest

#endif
