# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

# Checks that a new variant of the matrix products is one file and one row: with the diff in
# docs/gemm.md applied to a copy of the kernels, the unmodified tests select it, compute with it,
# and prove it in the machine code.
file(COPY "${ROOT}/kernels" DESTINATION "${WORK}/tree")
file(COPY "${ROOT}/tests/cell" "${ROOT}/tests/gpu" DESTINATION "${WORK}/tree/tests")
file(READ "${ROOT}/docs/gemm.md" page)
if(NOT page MATCHES "\n```diff\n([^`]*)```\n")
  message(FATAL_ERROR "docs/gemm.md shows no diff")
endif()
file(WRITE "${WORK}/new.diff" "${CMAKE_MATCH_1}")
# Otherwise git resolves the paths in an enclosing repository.
e2e_run(git init -q tree)
e2e_expect(pass)
e2e_run(git -C tree apply --verbose ../new.diff)
e2e_expect(pass MATCH "simt_f32_wide.cu cleanly" "variants.inc cleanly")

# With nvcc, for an architecture that supports only these two of the sources.
include("${ROOT}/cmake-modules/archgrid/find_toolkit.cmake")
include("${ROOT}/cmake-modules/archgrid/find_host_compiler.cmake")
archgrid_find_toolkit(11.8 RESULT toolkit)
e2e_cache_compilations("${toolkit_ROOT}")
archgrid_find_host_compiler(11.8 RESULT compiler)
cmake_path(GET COMMAND PARENT_PATH package)
while(NOT EXISTS "${package}/ArchGridConfig.cmake" AND NOT package STREQUAL "/")
  cmake_path(GET package PARENT_PATH package)
endwhile()
e2e_run("${CMAKE_COMMAND}" -G Ninja -S "${WORK}/tree/tests/cell" -B "${WORK}/nvcc" -DCMAKE_CUDA_ARCHITECTURES=70-real
  "-DCMAKE_CXX_COMPILER=${compiler_CXX}" "-DCMAKE_CUDA_HOST_COMPILER=${compiler_CXX}"
  "-DCMAKE_CUDA_COMPILER=${toolkit_NVCC}" "-DCUDAToolkit_ROOT=${toolkit_ROOT}" "-DArchGrid_DIR=${package}")
e2e_expect(pass MATCH "mma_f16 is left out: it needs an architecture from 75 on" WITHOUT "simt_f32_wide is left out")
e2e_run("${NINJA}" -C "${WORK}/nvcc" gemm_static_test sparse_static_test)
e2e_expect(pass)
e2e_run("${WORK}/nvcc/tests/sparse_static_test")
e2e_expect(pass)
e2e_run("${WORK}/nvcc/tests/gemm_static_test")
e2e_expect(pass MATCH "KeepsToItsRegistersAndSpillsNone/simt_f32_wide_128x64"
  "DoesWorkWithTheInstructionThatItIsFor/simt_f32_wide_128x64")

# A selection of units builds the tests that need no others. Fails for a missing unit, and for one
# whose sources are for different devices.
set(again "${CMAKE_COMMAND}" -S "${WORK}/tree/tests/cell" -B "${WORK}/nvcc")
e2e_run(${again} -DARCHGRID_KERNEL_UNITS=simt)
e2e_expect(pass MATCH "simt_f32_wide is left out: ARCHGRID_KERNEL_UNITS does not name simt_f32_wide"
  "spmm_merge is left out: ARCHGRID_KERNEL_UNITS does not name spmm" WITHOUT "simt_f32 is left out")
e2e_run("${NINJA}" -C "${WORK}/nvcc" -n gemm_test)
e2e_expect(pass)
e2e_run("${NINJA}" -C "${WORK}/nvcc" -n spmm_test)
e2e_expect(fail MATCH "unknown target 'spmm_test'")
e2e_run(${again} -DARCHGRID_KERNEL_UNITS=mma_70)
e2e_expect(fail MATCH "unknown unit mma_70" "Known: simt mma_75 mma_80")
file(APPEND "${WORK}/tree/kernels/gemm/units/mma_75.cu" "#include \"gemm/simt_f32_wide.cu\"\n")
e2e_run(${again} -DARCHGRID_KERNEL_UNITS=)
e2e_expect(fail MATCH "units/mma_75.cu differ in the devices or toolkits"
  "Include only sources with the same first device")

# On the CPU: every case of the variants for the new row.
file(WRITE "${WORK}/host/CMakeLists.txt" "cmake_minimum_required(VERSION 3.25)
project(host CXX)
find_package(GTest REQUIRED)
add_subdirectory([==[${ROOT}]==] archgrid)
include(ArchGrid)
include([==[${WORK}/tree/kernels/variants.cmake]==])
archgrid_read_variants(sources [==[${WORK}/tree/kernels/gemm]==])
archgrid_add_emulated_kernels(variants SOURCES [==[${WORK}/tree/kernels/gemm/gemm.cpp]==] [==[${WORK}/tree/kernels/gemm/problem.cpp]==] [==[${WORK}/tree/kernels/gemm/combine.cu]==]
  [==[${WORK}/tree/kernels/gemm/simt_f32_wide.cu]==])
foreach(source IN LISTS sources)
  string(COMPARE EQUAL \${source} simt_f32_wide has)
  target_compile_definitions(variants PRIVATE ARCHGRID_GEMM_HAS_\${source}=\$<BOOL:\${has}>)
endforeach()
target_include_directories(variants PUBLIC [==[${WORK}/tree/kernels]==])
add_executable(variants_test [==[${ROOT}/tests/unit/kernels/gemm_test.cpp]==] [==[${WORK}/tree/kernels/gemm/reference.cpp]==])
target_compile_options(variants_test PRIVATE -O1)
target_compile_features(variants_test PRIVATE cxx_std_20)
target_link_libraries(variants_test PRIVATE variants GTest::gtest GTest::gtest_main)
")
# At the depth of the trees of emulated_kernels, so that a compiler cache reuses their objects of
# archgrid_cpu_emulator.
e2e_run("${CMAKE_COMMAND}" -G Ninja -S "${WORK}/host" -B "${WORK}/host_build" -DCMAKE_BUILD_TYPE=Release)
e2e_expect(pass)
e2e_run("${NINJA}" -C "${WORK}/host_build" variants_test)
e2e_expect(pass)
e2e_run("${WORK}/host_build/variants_test")
e2e_expect(pass MATCH "IsComputed/simt_f32_wide_128x64_on_90" "PASSED" WITHOUT "simt_f32_64x64" "SKIPPED")
