# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

# CUDAARCHS comes before TORCH_CUDA_ARCH_LIST, and both before the promise.
include("${ARCHGRID_MODULES}/archgrid/architectures.cmake")
set(ENV{TORCH_CUDA_ARCH_LIST} "8.0 9.0+PTX")
set(ENV{CUDAARCHS} "")
archgrid_architectures(archs DEVICES A100 H100 TOOLKIT 12.4)
message(STATUS "torch ${archs}")
set(ENV{CUDAARCHS} "80-real;90-virtual")
archgrid_architectures(archs DEVICES A100 TOOLKIT 12.4)
message(STATUS "cudaarchs ${archs}")
archgrid_architectures(archs DEVICES A100 H100 L4 TOOLKIT 12.4)
