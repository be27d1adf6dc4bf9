# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

# Checks a C++ project outside this tree that runs its CUDA kernels on the CPU, without a CUDA
# toolkit. CUDA features that are not modelled cause compile errors that say so.
e2e_cache_compilations()
file(WRITE "${WORK}/project/CMakeLists.txt" "cmake_minimum_required(VERSION 3.25)
project(kernels CXX)
add_subdirectory([==[${ROOT}]==] archgrid)
include(ArchGrid)
archgrid_add_emulated_kernels(reverse_on_the_cpu \${OPTIONS} SOURCES \${SOURCE})
target_include_directories(reverse_on_the_cpu PUBLIC [==[${ROOT}/tests/examples/emulated_kernel]==])
add_executable(reverse_test [==[${ROOT}/tests/examples/emulated_kernel/reverse_test.cpp]==])
target_link_libraries(reverse_test PRIVATE reverse_on_the_cpu)
")
set(example "${ROOT}/tests/examples/emulated_kernel/reverse.cu")

# configure(<build> <source> [<option>...])
macro(configure build source)
  string(JOIN "\\;" options ${ARGN})
  e2e_run("${CMAKE_COMMAND}" -G Ninja -S "${WORK}/project" -B "${WORK}/${build}"
    -DCMAKE_BUILD_TYPE=Release "-DSOURCE=${source}"
    "-DOPTIONS=${options}")
endmacro()

configure(checked "${example}" CHECKS)
e2e_expect(pass)
e2e_run("${NINJA}" -C "${WORK}/checked" reverse_test)
e2e_expect(pass)
e2e_run("${WORK}/checked/reverse_test")
e2e_expect(pass MATCH "^4 3 2 1 8 7 6 5 \n"
  "shared memory read before written: kernel reverse_parts\\(float\\*, bool\\), block \\(0,0,0\\), thread \\(0,0,0\\): reads 4 bytes at byte 12 of dynamic shared memory" "reverse\\.cu:[0-9]+")

# Without CHECKS, the same defect goes unnoticed.
configure(unchecked "${example}")
e2e_run("${NINJA}" -C "${WORK}/unchecked" reverse_test)
e2e_expect(pass)
e2e_run("${WORK}/unchecked/reverse_test")
e2e_expect(pass MATCH "^4 3 2 1 8 7 6 5 \n" WITHOUT "kernel")

# A plain build of a test that uses strings in ways that kernels never do: the results do not depend
# on which of two copies of a function is linked.
file(WRITE "${WORK}/strings/CMakeLists.txt" "cmake_minimum_required(VERSION 3.25)
project(strings CXX)
add_subdirectory([==[${ROOT}]==] archgrid)
include(ArchGrid)
archgrid_add_emulated_kernels(strings_on_the_cpu CHECKS SOURCES strings.cu)
add_executable(strings_test)
target_link_libraries(strings_test PRIVATE strings_on_the_cpu)
")
file(WRITE "${WORK}/strings/strings.cu" "#include <cuda_runtime.h>
#include <archgrid/cpu_emulator.hpp>
#include <functional>
#include <iostream>
#include <string>
__global__ void diverges(int* out) { if (threadIdx.x < 16) __syncthreads(); out[threadIdx.x] = 1; }
int main() {
  int* out = nullptr;
  cudaMalloc(&out, 128);
  const std::function<std::string()> defect = [&]() -> std::string {
    try { archgrid::cpu_emulator::launch(diverges, 1, 32, 0, out); } catch (const archgrid::cpu_emulator::Defect& found) { return std::string(found.what()) + \"\\n\"; }
    return \"nothing\\n\";
  };
  std::cout << defect();
}
")
foreach(type IN ITEMS Release Debug)
  e2e_run("${CMAKE_COMMAND}" -G Ninja -S "${WORK}/strings" -B "${WORK}/strings${type}" "-DCMAKE_BUILD_TYPE=${type}")
  e2e_expect(pass)
  e2e_run("${NINJA}" -C "${WORK}/strings${type}" strings_test)
  e2e_expect(pass)
  e2e_run("${WORK}/strings${type}/strings_test")
  e2e_expect(pass MATCH "divergent barrier: kernel diverges\\(int\\*\\), block \\(0,0,0\\)" "strings\\.cu:6")
endforeach()

configure(missing "${WORK}/no_such.cu")
e2e_expect(fail MATCH "no_such.cu does not exist")
file(WRITE "${WORK}/no_cxx/CMakeLists.txt" "cmake_minimum_required(VERSION 3.25)
project(kernels C)
add_subdirectory([==[${ROOT}]==] archgrid)
include(ArchGrid)
archgrid_add_emulated_kernels(reverse_on_the_cpu SOURCES [==[${example}]==])
")
e2e_run("${CMAKE_COMMAND}" -G Ninja -S "${WORK}/no_cxx" -B "${WORK}/no_cxx/build")
e2e_expect(fail MATCH "the project does not compile C\\+\\+")
file(WRITE "${WORK}/no_gemm/CMakeLists.txt" "cmake_minimum_required(VERSION 3.25)
project(kernels CXX)
add_subdirectory([==[${ROOT}]==] archgrid)
include(ArchGrid)
include([==[${ROOT}/kernels/sparse/variants.cmake]==])
archgrid_add_host_sparse(sparse_on_the_cpu GEMM)
")
e2e_run("${CMAKE_COMMAND}" -G Ninja -S "${WORK}/no_gemm" -B "${WORK}/no_gemm/build")
e2e_expect(fail MATCH "GEMM names no target")
configure(unknown "${example}" ARCH ninety)
e2e_expect(fail MATCH "ARCH ninety is no architecture")

# not_modelled(<name> <device code> <regex>): checks that the code does not compile, with a matching
# error.
function(not_modelled name code regex)
  file(WRITE "${WORK}/${name}.cu" "#include <cuda_runtime.h>\n${code}\n")
  execute_process(COMMAND "${CMAKE_COMMAND}" -E env c++ -std=c++17 -fsyntax-only -x c++
    "-I${ROOT}/harness/cpu_emulator/cuda"
      "-I${ROOT}/harness/cpu_emulator/include" "${WORK}/${name}.cu"
    OUTPUT_VARIABLE output ERROR_VARIABLE output RESULT_VARIABLE result)
  e2e_expect(fail MATCH "archgrid::cpu_emulator does not model ${regex}")
endfunction()
not_modelled(activemask "__global__ void k(unsigned* p) { *p = __activemask(); }" "__activemask: pass the mask")
not_modelled(fast_exp "__global__ void k(float* p) { *p = __expf(*p); }" "__expf: .*use expf")
not_modelled(inline_ptx "__global__ void k() { asm volatile(\"membar.gl;\"); }" "inline PTX")
not_modelled(launch_kernel
  "void f(const void* k) { cudaLaunchKernel(k, dim3(1), dim3(1), nullptr, 0, nullptr); }" "cudaLaunchKernel: launch by")
not_modelled(cooperative "#include <cooperative_groups.h>" "cooperative groups")
not_modelled(wmma "#include <mma.h>" "wmma")
