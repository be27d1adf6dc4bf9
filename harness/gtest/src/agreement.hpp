// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Whether what archgrid read in a fat binary is what the CUDA runtime made of it.
#ifndef ARCHGRID_GTEST_AGREEMENT_HPP
#define ARCHGRID_GTEST_AGREEMENT_HPP

#include <archgrid/coverage.hpp>
#include <string>
#include <vector>

namespace archgrid::gtest {

/// What cudaFuncGetAttributes said of a kernel.
struct RuntimeAnswer {
  std::string kernel;  ///< mangled
  int error = 0;       ///< a cudaError_t
  std::string error_name;
  int binary_version = 0;  ///< 90 for 9.0: the machine code that is used
  int ptx_version = 0;     ///< of the PTX that it was compiled from
};

struct Agreement {
  std::size_t compared = 0;
  /// A sentence for each kernel of which the two say different things: one of them is wrong, and
  /// what runs is not what was proved.
  std::vector<std::string> disagreements;
};

/// Compares verdicts on a device with the runtime's answers, by kernel name. Left out are kernels
/// without an answer and verdicts that are unknown. Of a kernel of several modules, whose verdict
/// is that of the worst, only an error disagrees. `jit_disabled`: the driver compiles no PTX, so
/// that `jit` does not load.
Agreement compare(const std::vector<coverage::Served>& verdicts,
                  const std::vector<RuntimeAnswer>& answers, coverage::Device device,
                  bool jit_disabled);

/// A sentence for each kernel that the program registers and none of the verdicts is about. Nothing
/// where a verdict is about kernels without a name.
std::vector<std::string> unseen(const std::vector<coverage::Served>& verdicts,
                                const std::vector<RuntimeAnswer>& answers);

}  // namespace archgrid::gtest

#endif
