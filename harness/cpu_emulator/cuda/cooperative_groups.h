// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#error \
    "archgrid::cpu_emulator does not model cooperative groups: " \
    "use __syncthreads(), __syncwarp() and the warp functions"
