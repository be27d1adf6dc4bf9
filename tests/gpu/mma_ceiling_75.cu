// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

#include "mma_ceiling.cuh"

namespace archgrid::gemm {

const Measured<F16_mma> f16("f16");
const Measured<S8_mma> s8("s8");

}  // namespace archgrid::gemm
