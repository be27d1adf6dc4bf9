// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

#include "mma_ceiling.cuh"

namespace archgrid::gemm {

const Measured<Bf16_mma> bf16("bf16");
const Measured<F64_mma> f64("f64");
const Measured<Tf32_mma> tf32("tf32");

}  // namespace archgrid::gemm
