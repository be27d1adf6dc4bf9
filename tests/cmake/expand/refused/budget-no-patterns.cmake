# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

set(replace [==["kernels": ["*gemm*"]]==])
set(with [==["kernels": []]==])
