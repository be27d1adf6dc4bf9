# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

include("${ARCHGRID_MODULES}/archgrid/architectures.cmake")
set(ENV{CUDAARCHS} "")
set(ENV{TORCH_CUDA_ARCH_LIST} "8.0;12.0")
archgrid_architectures(archs DEVICES H100 TOOLKIT 12.4)
