// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

#include "mma_ceiling.cuh"

namespace archgrid::gemm {

const Measured<E4m3_mma> e4m3("e4m3");
const Measured<E5m2_mma> e5m2("e5m2");

}  // namespace archgrid::gemm
