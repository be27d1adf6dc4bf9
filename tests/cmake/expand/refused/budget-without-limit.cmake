# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

set(replace [==[{"stack_bytes": 1024, "shared_bytes": 49152}]==])
set(with [==[{"kernels": "*"}]==])
