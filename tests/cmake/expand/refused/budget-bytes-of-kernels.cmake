# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

set(replace [==["bytes_per_arch": 20000000]==])
set(with [==["bytes_per_arch": 20000000, "kernels": "*"]==])
