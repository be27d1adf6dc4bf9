// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// What the current device's arithmetic units reach, for perf::report(). Link
// archgrid::perf_arithmetic: its kernels, `archgrid::perf::multiply_adds`, are compiled for the
// CMAKE_CUDA_ARCHITECTURES of the folder that finds ArchGrid, and judged like every other kernel of
// the program.
//
// Tensor cores have none here: what bounds them depends on the instruction that a kernel uses.
// flops_ceiling() measures a kernel of yours that does nothing else.
#ifndef ARCHGRID_PERF_ARITHMETIC_HPP
#define ARCHGRID_PERF_ARITHMETIC_HPP

#include <archgrid/perf/record.hpp>

namespace archgrid::perf {

/// Fused multiply-adds of a full device, two operations each, in FLOP/s. Measured once a device;
/// the launches are not counted as the test's. Throws archgrid::CudaError. `per_second` is 0 where
/// the GPU was throttled, or its clock stood still.
Ceiling fp32_ceiling();
Ceiling fp64_ceiling();

}  // namespace archgrid::perf

#endif
