// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Reads names of kernels and source files as evidence of the GPUs that they are for.
#ifndef ARCHGRID_COVERAGE_KERNEL_NAMES_HPP
#define ARCHGRID_COVERAGE_KERNEL_NAMES_HPP

#include <archgrid/coverage/table.hpp>
#include <archgrid/fatbin.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace archgrid::coverage {

/// Returns what the variants of a kernel have in common: its function's qualified name without
/// template arguments, architectures, sizes and 16-bit types, so that gemm_sm75_m16n8k8 and
/// gemm_sm80_m16n8k16 are variants. Includes the first template argument of CUTLASS's entry
/// functions (device_kernel, Kernel, Kernel2). `name` is mangled (Itanium) or plain.
std::string family_of(std::string_view name);

/// GPUs by number, both ends included.
struct GpuRange {
  int first = 0;
  int last = 0;
  [[nodiscard]] bool contains(int number) const { return first <= number && number <= last; }
};

/// Returns the GPUs that a kernel is for, as the kernel's name says, or else that of its source
/// file or its library: "sm80", "Sm90", "cutlass_80", "Hopper". Leaves out GPUs that are not of
/// `served`, on which the kernel runs: such matches are coincidence.
std::vector<GpuRange> gpus_named(std::string_view name, std::string_view unit,
                                 std::string_view library,
                                 const std::vector<ComputeCapability>& served);

/// Returns the arch that the name of a file says that the file is for, and that is for none of the
/// devices: 80 of "libx_sm80.so" and 7.0, 90 of "_C_90a.so" and 7.5; 0 for none.
int other_arch_named(std::string_view path, const std::vector<ComputeCapability>& devices);

/// Reports whether a kernel is for other GPUs: names say which it is for, and not for the device.
bool is_for_others(const std::vector<GpuRange>& named, ComputeCapability device);

/// Returns the name of a file, without folders and archives that contain it.
std::string_view library_of(std::string_view path);

/// Returns the number of the first GPU that has all types and instructions in the name; 0 if it
/// contains none. bfloat16 and m16n8k16 (a shape of mma.sync): 8.0; FP8: 8.9; FP4 and tcgen05:
/// 10.0; multimem, wgmma and TMA: 9.0; wmma: 7.0; half: 5.3 (CUDA C++ Programming Guide, "Compute
/// Capabilities"; PTX ISA, "Target ISA Notes").
int first_device_named(std::string_view name);

/// Reports whether the name contains such a type that projects check before they launch a kernel,
/// and the GPU lacks it: half, FP8 (which NCCL and others use from 9.0 on) and FP4, but not
/// bfloat16. tests/wheels/truth.json has the evidence.
bool needs_checked_type(std::string_view name, ComputeCapability device);

/// Returns the number of the first GPU that has all of these instructions; 0 if none of them is
/// specific. Tensor cores: HMMA from 7.0 on, IMMA from 7.2, LDSM (ldmatrix) from 7.5, DMMA from
/// 8.0, QMMA from 8.9; beside one of these LDGSTS (cp.async) from 8.0 (PTX ISA, "Target ISA Notes"
/// of wmma, mma, ldmatrix and cp.async). LDGSTS alone is not specific: __pipeline_memcpy_async()
/// compiles to it from 8.0 on, and to a plain copy before.
int first_device_with(const fatbin::Opcodes& opcodes);

/// Reports whether the kernel belongs to an NVIDIA library, even a statically linked one: these
/// have kernels for each generation and select by GPU.
bool is_of_nvidia(std::string_view name, std::string_view library);

/// Reports whether the file at this path is one of NVIDIA's libraries, by its name.
bool is_library_of_nvidia(std::string_view path);

/// Reports whether text that a kernel prints names GPUs: "sm80", "compute capability", "CUDA arch".
bool names_gpus(std::string_view text);

}  // namespace archgrid::coverage

#endif
