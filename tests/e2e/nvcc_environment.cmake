# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

# Checks flags that nvcc and CMake read from the environment: a cell neither contains the code that
# they would add, nor fails because of them.
e2e_matrix(matrix CUDA 13.5 ARCHS 80-real 90-real DEVICES 8.0 9.0 CELLS fat ACCEPT native)

# A unit that lacks 90 without the flags.
set(ENV{NVCC_APPEND_FLAGS} "-gencode arch=compute_90,code=sm_90")
e2e_tree(planted MATRIX "${matrix}" SOURCE "${E2E}/tiny" DEFINITIONS TINY_SECOND_ARCHS=80-real)
e2e_expect(pass MATCH "NVCC_APPEND_FLAGS=-gencode arch=compute_90,code=sm_90 of the environment is ignored in cells")
e2e_build(matrix)
e2e_expect(pass MATCH "1 cell: 1 built")
e2e_ctest(--preset default)
e2e_expect(fail MATCH "missing: second_kernel\\(float\\*\\) on 9\\.0")

# The same with the flags that CMake reads.
unset(ENV{NVCC_APPEND_FLAGS})
set(ENV{CUDAFLAGS} -gencode=arch=compute_90,code=sm_90)
set(ENV{CUDAARCHS} 90)
e2e_tree(planted_cmake MATRIX "${matrix}" SOURCE "${E2E}/tiny" DEFINITIONS TINY_SECOND_ARCHS=80-real)
e2e_expect(pass MATCH "CUDAFLAGS=-gencode=arch=compute_90,code=sm_90 of the environment is ignored in cells"
  "CUDAARCHS=90 of the environment is ignored in cells\\. Architectures of cells stand in the matrix file")
e2e_build(matrix)
e2e_expect(pass MATCH "1 cell: 1 built")
e2e_ctest(--preset default)
e2e_expect(fail MATCH "missing: second_kernel\\(float\\*\\) on 9\\.0")

# Flags that nvcc rejects, also while CMake detects the compilers.
set(ENV{CUDAFLAGS} --planted)
set(ENV{NVCC_APPEND_FLAGS} --planted)
set(ENV{NVCC_PREPEND_FLAGS} --planted)
set(ENV{ARCHGRID_COMPILERS} OFF)
e2e_tree(refused MATRIX "${matrix}" SOURCE "${E2E}/tiny")
e2e_expect(pass MATCH "NVCC_APPEND_FLAGS=--planted" "NVCC_PREPEND_FLAGS=--planted")
e2e_build(matrix)
e2e_expect(pass MATCH "detecting the compilers" "1 cell: 1 built")
e2e_ctest(--preset default)
e2e_expect(pass MATCH "promise holds: 2 kernels")

# No message if none of the variables is set.
unset(ENV{NVCC_APPEND_FLAGS})
unset(ENV{NVCC_PREPEND_FLAGS})
unset(ENV{CUDAFLAGS})
unset(ENV{CUDAARCHS})
e2e_tree(green MATRIX "${matrix}" SOURCE "${E2E}/tiny")
e2e_expect(pass WITHOUT "NVCC_(APPEND|PREPEND)_FLAGS" "CUDA(FLAGS|ARCHS)")
