# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

# Checks PTX without machine code where native code is promised; the same file passes where JIT is
# accepted.
e2e_matrix(matrix CUDA 13.5 ARCHS 80-virtual DEVICES 9.0 CELLS fat ACCEPT native)
e2e_tree(planted MATRIX "${matrix}" SOURCE "${E2E}/tiny")
e2e_build(matrix)
e2e_ctest(--preset sm90)
e2e_expect(fail MATCH "first_kernel" "jit" "9\\.0")

e2e_matrix(matrix CUDA 13.5 ARCHS 80-virtual DEVICES 9.0 CELLS fat ACCEPT native jit)
e2e_tree(green MATRIX "${matrix}" SOURCE "${E2E}/tiny")
e2e_build(matrix)
e2e_ctest(--preset sm90)
e2e_expect(pass)

# PTX that no ptxas accepts: below compute_90, nvcc emits such instructions without checking the
# arch. The file whose guard restricts them to 9.0 passes.
foreach(project IN ITEMS refused guarded)
  file(WRITE "${WORK}/source-${project}/CMakeLists.txt" "cmake_minimum_required(VERSION 3.22)
project(${project} LANGUAGES CXX CUDA)
add_library(${project} SHARED kernel.cu)
")
endforeach()
file(WRITE "${WORK}/source-refused/kernel.cu"
  "__global__ void waits(float* p) { asm volatile(\"griddepcontrol.wait;\" ::: \"memory\"); p[threadIdx.x] *= 2.f; }\n")
file(WRITE "${WORK}/source-guarded/kernel.cu" "__global__ void waits(float* p) {
#if __CUDA_ARCH__ >= 900
  asm volatile(\"griddepcontrol.wait;\" ::: \"memory\");
#endif
  p[threadIdx.x] *= 2.f;
}
")
e2e_matrix(matrix CUDA 13.5 ARCHS 80-virtual 90-real DEVICES 8.0 9.0 CELLS fat ACCEPT native jit)
e2e_tree(refused MATRIX "${matrix}" SOURCE "${WORK}/source-refused")
e2e_build(matrix)
e2e_ctest(--preset sm80)
e2e_expect(fail MATCH "cu135-fat/BUILT[ .]+\\*\\*\\*Failed" "step: architectures"
  "no driver compiles the PTX for 80 of CMakeFiles/refused\\.dir/kernel\\.cu\\.o"
  "of waits\\(float\\*\\): [^\n]*requires \\.target sm_90 or higher")
e2e_tree(guarded MATRIX "${matrix}" SOURCE "${WORK}/source-guarded")
e2e_build(matrix)
e2e_ctest(--preset sm80)
e2e_expect(pass)
