// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// The operations of tensor cores, as all 32 lanes of a warp call them: ldmatrix and
// mma.sync.aligned with the fragments of PTX ("Matrix Fragments for mma.m16n8k16" and the like),
// for wrappers of inline PTX. Each lane passes its own registers.
//
// Floating-point results are those of the device of archgrid::cpu_emulator::set_device(), according
// to published measurements (docs/cpu-emulator.md lists the sources): products are exact; the
// products of a block of K, and C, are truncated below the largest exponent among them, added
// exactly, and rounded once. A zero among them has the exponent -132, from 9.0 on -133; a sum of
// zero is +0. An operation that the device does not have stops the kernel.
#ifndef ARCHGRID_CPU_EMULATOR_TENSOR_CORE_HPP
#define ARCHGRID_CPU_EMULATOR_TENSOR_CORE_HPP

#include <archgrid/cpu_emulator/device_code.hpp>
#include <cstdint>

namespace archgrid::cpu_emulator {

/// The number format of a fragment's register.
enum class Number { f16, bf16, tf32, e4m3, e5m2 };

/// Performs ldmatrix.sync.aligned.m8n8.xN.shared.b16, where N is 1, 2 or 4: lanes 8i to 8i + 7 pass
/// the rows of matrix i, 16 bytes each; `row` of other lanes is ignored.
void ldmatrix(std::uint32_t* registers, int matrices, const void* row, bool transposed, Site site);

/// Computes D = A * B + C with A of 16 rows and `k` columns, B of 8 columns, both of `type`:
///   f16   k = 16 (devices from 8.0) or 8 (from 7.5)
///   bf16  k = 16 or 8 (from 8.0)
///   tf32  k = 8 or 4 (from 8.0); the low 13 bits of a register are ignored
///   e4m3, e5m2  k = 32 (from 8.9)
/// `a` has k * bits / 64 registers, `b` half of them.
void mma(Number type, int k, float (&d)[4], const std::uint32_t* a, const std::uint32_t* b,
         const float (&c)[4], Site site);

/// Performs mma.m16n8k32.s32.s8.s8.s32 (from 8.0); sums wrap around.
void mma_s8(std::int32_t (&d)[4], const std::uint32_t (&a)[4], const std::uint32_t (&b)[2],
            const std::int32_t (&c)[4], Site site);

/// Performs mma.m8n8k16.s32.s8.s8.s32 (from 7.5).
void mma_s8(std::int32_t (&d)[2], std::uint32_t a, std::uint32_t b, const std::int32_t (&c)[2],
            Site site);

/// Performs mma.sp::ordered_metadata.m16n8k32.f32 for f16 or bf16 (from 8.0), with selector 0. A
/// has 16 rows of 32 columns, of which `a` holds two of every four; B has 32 rows in four
/// registers. A lane with lane % 4 < 2 has in `metadata` the indices for rows lane / 4, in the low
/// half, and lane / 4 + 8. They are four bits for every four columns from 16 * (lane % 2) on: the
/// index of the first element, then of the second, which must be larger. Other lanes' metadata is
/// ignored.
///
/// No measurements of the devices' summation are published: the model adds the stored elements like
/// those of a product of 16 columns.
void mma_sp(Number type, float (&d)[4], const std::uint32_t (&a)[4], const std::uint32_t (&b)[4],
            const float (&c)[4], std::uint32_t metadata, Site site);

/// Performs mma.sp::ordered_metadata.m16n8k64.s32.s8.s8.s32 (from 8.0); sums wrap around. A lane
/// has the indices for row lane / 4 + 8 * (lane % 2) and the 32 columns from 32 * (lane % 4 / 2)
/// on.
void mma_sp_s8(std::int32_t (&d)[4], const std::uint32_t (&a)[4], const std::uint32_t (&b)[4],
               const std::int32_t (&c)[4], std::uint32_t metadata, Site site);

/// Performs mma.m8n8k4.f64.f64.f64.f64 (from 8.0), a chain of fused multiply-adds.
void mma_f64(double (&d)[2], double a, double b, const double (&c)[2], Site site);

}  // namespace archgrid::cpu_emulator

#endif
