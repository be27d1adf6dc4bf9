// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Names of kernels and source files as evidence of the GPUs that they are meant for.
#ifndef ARCHGRID_COVERAGE_KERNEL_NAMES_HPP
#define ARCHGRID_COVERAGE_KERNEL_NAMES_HPP

#include <archgrid/coverage/table.hpp>
#include <archgrid/fatbin.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace archgrid::coverage {

/// Returns what kernels of one function template share: the function's name with its namespaces,
/// without template arguments, architectures, sizes and 16-bit types, so that gemm_sm75_m16n8k8 and
/// gemm_sm80_m16n8k16 are one family. The first template argument of CUTLASS's entry functions
/// (device_kernel, Kernel, Kernel2) is a part of it. `name` is mangled (Itanium) or plain.
std::string family_of(std::string_view name);

/// Reports whether the name of a kernel, of its source file or of its library says that it is meant
/// for other GPUs: "sm80", "Sm90", "cutlass_80", "Hopper". A name counts only where it names some
/// GPU of `served`, those on which the kernel runs: others are words by chance.
bool is_named_for_others(std::string_view name, std::string_view unit, std::string_view library,
                         Device device, const std::vector<Device>& served);

/// Reports whether the name has a type or an instruction that the GPU lacks: bfloat16 and m16n8k16
/// (a shape of mma.sync) below 8.0, FP8 below 8.9, FP4 and tcgen05 below 10.0, multimem, wgmma and
/// TMA below 9.0, wmma below 7.0, half below 5.3 (CUDA C++ Programming Guide, "Compute
/// Capabilities"; PTX ISA, "Target ISA Notes").
bool needs_newer_gpu(std::string_view name, Device device);

/// The same without bfloat16, of types that projects check for before they launch a kernel: half,
/// FP8 (which NCCL and others take from 9.0 on) and FP4. docs/truth.md has what was found.
bool needs_checked_type(std::string_view name, Device device);

/// Returns the number of the first GPU that has all of these instructions; 0 where none of them
/// tells. Tensor cores: HMMA from 7.0 on, IMMA from 7.2, LDSM (ldmatrix) from 7.5, DMMA from 8.0,
/// QMMA from 8.9; beside one of these LDGSTS (cp.async) from 8.0 (PTX ISA, "Target ISA Notes" of
/// wmma, mma, ldmatrix and cp.async). Alone LDGSTS tells nothing: __pipeline_memcpy_async() is it
/// from 8.0 on, and a plain copy before.
int first_device_with(const fatbin::Opcodes& opcodes);

/// Reports whether the kernel is one of NVIDIA's libraries, linked statically or not: they have
/// kernels for each generation and pick by GPU.
bool is_of_nvidia(std::string_view name, std::string_view library);

/// Reports whether a text that a kernel prints names GPUs: "sm80", "SM_90", "compute capability".
bool names_gpus(std::string_view text);

}  // namespace archgrid::coverage

#endif
