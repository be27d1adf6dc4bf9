// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#error \
    "archgrid::cpu_emulator does not model wmma: " \
    "use mma.sync through archgrid/cpu_emulator/tensor_core.hpp"
