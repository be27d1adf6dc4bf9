# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

# Checks that a program that links the shared CUDA runtime loads that of its own cell, whatever the
# loader finds elsewhere.
set(sources "${WORK}/sources")
file(WRITE "${sources}/CMakeLists.txt" "cmake_minimum_required(VERSION 3.24...3.25)
project(shared_runtime LANGUAGES CUDA)
set(CMAKE_CUDA_RUNTIME_LIBRARY Shared)
add_executable(app app.cu)
target_link_libraries(app PRIVATE \${CMAKE_DL_LIBS})
enable_testing()
add_test(NAME runs COMMAND app)
")
file(WRITE "${sources}/app.cu" "#include <dlfcn.h>
#include <cstdio>
__global__ void writes(int* p) { *p = 1; }
int main() {
  cudaGetLastError();
  Dl_info info = {};
  if (dladdr(dlsym(RTLD_DEFAULT, \"cudaGetLastError\"), &info) == 0) return 1;
  std::printf(\"runtime %s\\n\", info.dli_fname);
}
")
unset(ENV{LD_LIBRARY_PATH})
include("${ROOT}/cmake-modules/ArchGrid.cmake")
foreach(cuda IN ITEMS 11.8 13.5)
  archgrid_find_toolkit(${cuda} RESULT toolkit)
  e2e_matrix(matrix CUDA ${cuda} ARCHS 80 DEVICES 8.0 CELLS fat ACCEPT native)
  e2e_tree(cuda_${cuda} MATRIX "${matrix}" SOURCE "${sources}")
  e2e_build(matrix)
  e2e_expect(pass MATCH "1 cell: 1 built")
  e2e_run("${CTEST}" --test-dir "${TREE}" -V)
  e2e_expect(pass MATCH "runtime ${toolkit_ROOT}/" "100% tests passed")
endforeach()
