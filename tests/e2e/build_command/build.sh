#!/bin/sh
# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

# Builds like a plain Makefile: the archs come from NVCC_GENCODE, and what exists is not built again.
set -eu
mkdir -p out
[ -e "out/libscale.so" ] || ${BY_HAND_LAUNCHER:-} nvcc ${FIXED_ARCHS:-$NVCC_GENCODE} -shared -Xcompiler -fPIC -o "out/libscale.so" "src/scale kernel.cu"
[ -e "out/fill" ] || ${BY_HAND_LAUNCHER:-} nvcc $NVCC_GENCODE -o out/fill src/fill.cu
echo "built for CUDAARCHS=$CUDAARCHS TORCH_CUDA_ARCH_LIST=${TORCH_CUDA_ARCH_LIST:-unset} by $CXX: ${NOTE:-} $*"
