// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// What the names of kernels and source files tell of the GPUs that they are meant for.
#ifndef ARCHGRID_COVERAGE_KERNEL_NAMES_HPP
#define ARCHGRID_COVERAGE_KERNEL_NAMES_HPP

#include <archgrid/coverage/table.hpp>
#include <string>
#include <string_view>

namespace archgrid::coverage {

/// Returns what kernels of one function template share: the function's name without namespaces,
/// template arguments and digits, so that gemm_sm75_m16n8k8 and gemm_sm80_m16n8k16 are one family.
/// Of CUTLASS's entry functions (device_kernel, Kernel, Kernel2) the first template argument is a
/// part of it. `name` is mangled (Itanium) or plain.
std::string family_of(std::string_view name);

/// Reports whether the name of a kernel, or of its source file, says that it is meant for other
/// GPUs: "sm80", "Sm90", "cutlass_80", "Hopper", "m16n8k16" (a shape of mma.sync, which the PTX ISA
/// has from 8.0 on).
bool is_named_for_others(std::string_view name, std::string_view unit, Device device);

/// Reports whether the name has a type or an instruction that the GPU lacks: bfloat16 below 8.0,
/// FP8 below 8.9, FP4 and tcgen05 below 10.0, multimem, wgmma and TMA below 9.0, wmma below 7.0,
/// half below 5.3 (CUDA C++ Programming Guide, "Compute Capabilities"; PTX ISA, "Target ISA
/// Notes").
bool needs_newer_gpu(std::string_view name, Device device);

}  // namespace archgrid::coverage

#endif
