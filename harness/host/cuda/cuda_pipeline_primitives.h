// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#error \
    "archgrid::host does not model CUDA's pipelines: use cp.async through archgrid/host/device_code.hpp"
