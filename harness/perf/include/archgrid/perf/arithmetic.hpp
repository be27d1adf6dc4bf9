// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Ceilings of the current device's arithmetic units, for perf::report(). Link
// archgrid::perf_arithmetic: its kernels, `archgrid::perf::multiply_adds`, are compiled for the
// CMAKE_CUDA_ARCHITECTURES of the folder that finds ArchGrid, and judged like every other kernel of
// the program.
//
// There is no ceiling for tensor cores: it depends on the instruction that a kernel uses.
// flops_ceiling() measures a kernel of yours that executes only that instruction.
#ifndef ARCHGRID_PERF_ARITHMETIC_HPP
#define ARCHGRID_PERF_ARITHMETIC_HPP

#include <archgrid/perf_records/record.hpp>

namespace archgrid::perf {

/// Returns the rate of fused multiply-adds of a full device, two operations each, in FLOP/s.
/// Measured once per device; the launches do not count as the test's. Throws archgrid::CudaError.
/// `per_second` is 0 if the GPU was throttled, or its clock stood still.
Ceiling fp32_ceiling();
Ceiling fp64_ceiling();

}  // namespace archgrid::perf

#endif
