# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

# Checks that archgrid_architectures() makes a real build keep its promise, before and after CUDA is
# enabled, and that the user's own choice comes first.
include("${ROOT}/cmake-modules/ArchGrid.cmake")
archgrid_find_toolkit(13.5 RESULT toolkit)
e2e_cache_compilations("${toolkit_ROOT}")
foreach(name IN ITEMS CUDAARCHS TORCH_CUDA_ARCH_LIST)
  unset(ENV{${name}})
endforeach()
set(ENV{CUDACXX} "${toolkit_NVCC}")

# build(<name> <languages> [<option>...]): configures, builds and audits a library that is promised
# for A100 and H100.
function(build name languages)
  set(source "${WORK}/${name}")
  file(WRITE "${source}/CMakeLists.txt" "cmake_minimum_required(VERSION 3.25)
project(architectures LANGUAGES ${languages})
include([==[${ROOT}/cmake-modules/ArchGrid.cmake]==])
archgrid_promise(DEVICES A100 H100)
archgrid_architectures(CMAKE_CUDA_ARCHITECTURES)
message(STATUS \"architectures: \${CMAKE_CUDA_ARCHITECTURES}\")
enable_language(CUDA)
add_library(kernels SHARED [==[${E2E}/shapes/kernel.cu]==])
target_compile_definitions(kernels PRIVATE KERNEL=kernels)
archgrid_audit(kernels)
")
  e2e_run("${CMAKE_COMMAND}" -G Ninja -S "${source}" -B "${source}/build" "-DARCHGRID_COMMAND=${COMMAND}" ${ARGN})
  set(configured "${output}")
  e2e_run("${NINJA}" -C "${source}/build")
  e2e_expect(pass)
  e2e_run("${CTEST}" --test-dir "${source}/build" --output-on-failure)
  set(output "${configured}${output}" PARENT_SCOPE)
  set(result "${result}" PARENT_SCOPE)
endfunction()

build(before CXX)
e2e_expect(pass MATCH "architectures: 80-real;90\n" "audit\\.kernels .*Passed" WITHOUT "Warning")
build(after "CXX CUDA")
e2e_expect(pass MATCH "architectures: 80-real;90\n" "audit\\.kernels .*Passed" WITHOUT "Warning")

# The user's choice breaks the promise: a warning, and the audit fails.
build(chosen "CXX CUDA" -DCMAKE_CUDA_ARCHITECTURES=80)
e2e_expect(fail MATCH "architectures: 80\n"
  "CMAKE_CUDA_ARCHITECTURES [(]80[)] gives no accepted code for 9\\.0" "audit\\.kernels .*Failed")
set(ENV{TORCH_CUDA_ARCH_LIST} "9.0")
build(torch CXX)
e2e_expect(fail MATCH "architectures: 90-real\n"
  "TORCH_CUDA_ARCH_LIST [(]90-real[)] gives no accepted code for 8\\.0" "audit\\.kernels .*Failed")

# The tree remembers the choice, as CMake would run without the variable.
unset(ENV{TORCH_CUDA_ARCH_LIST})
e2e_run("${CMAKE_COMMAND}" "${WORK}/torch/build")
e2e_expect(pass MATCH "architectures: 90-real\n")
