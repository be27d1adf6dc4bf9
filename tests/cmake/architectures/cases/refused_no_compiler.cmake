# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

include("${ARCHGRID_MODULES}/archgrid/architectures.cmake")
set(ENV{CUDACXX} /no/such/nvcc)
archgrid_architectures(archs DEVICES H100)
