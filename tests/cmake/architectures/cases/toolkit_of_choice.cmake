# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

# A GPU that the toolkit cannot compile for is no advice; PyTorch's spelling stays PyTorch's.
include("${ARCHGRID_MODULES}/archgrid/architectures.cmake")
set(ENV{CUDAARCHS} " ")
set(ENV{TORCH_CUDA_ARCH_LIST} "8.0\t9.0+PTX")
archgrid_architectures(archs DEVICES V100 A100 H100 "RTX 5090" TOOLKIT 13.0)
