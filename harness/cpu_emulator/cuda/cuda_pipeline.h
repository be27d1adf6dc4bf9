// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#error \
    "archgrid::cpu_emulator does not model CUDA's pipelines: " \
    "use cp.async through archgrid/cpu_emulator/device_code.hpp"
