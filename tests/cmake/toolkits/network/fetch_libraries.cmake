# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

# Fetches cuBLAS of the newest toolkit from its real origin, and checks that a project links and
# loads exactly this one.
include("${CASE_SOURCE}/../support/stage.cmake")
stage_toolkit("${stage_toolkits}/cuda-13.5")
ask(answer fetch 13.5 LIBRARIES cublas nvtx)
set(root "${stage_toolkits}/cuda-13.5-cublas-nvtx")
expect(answer 0 "FETCHED=TRUE" "ROOT=${root} ")
expect_trees(cuda-13.5 cuda-13.5-cublas-nvtx)
set(build "${CASE_BINARY}/build")
execute_process(COMMAND "${CMAKE_COMMAND}" -G Ninja -S "${ARCHGRID_SOURCE}/tests/e2e/blas" -B "${build}"
  "-DCMAKE_CUDA_COMPILER=${root}/bin/nvcc" "-DCUDAToolkit_ROOT=${root}" -DCMAKE_CUDA_ARCHITECTURES=90
  "-DCMAKE_BUILD_RPATH=${root}/lib" # as cells are configured
  OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND "${CMAKE_COMMAND}" --build "${build}" OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND ldd "${build}/blas" OUTPUT_VARIABLE loaded COMMAND_ERROR_IS_FATAL ANY)
foreach(library IN ITEMS cublas cublasLt)
  if(NOT loaded MATCHES "lib${library}\\.so\\.13 => ([^\n]*) \\(")
    message(FATAL_ERROR "lib${library} is not loaded: ${loaded}")
  endif()
  file(REAL_PATH "${CMAKE_MATCH_1}" file)
  if(NOT file STREQUAL "${root}/lib/lib${library}.so.13")
    message(FATAL_ERROR "${file} is loaded, which is not in ${root}")
  endif()
endforeach()
execute_process(COMMAND "${build}/blas" OUTPUT_VARIABLE said COMMAND_ERROR_IS_FATAL ANY)
if(NOT said MATCHES "cuBLAS 13")
  message(FATAL_ERROR "the program says: ${said}")
endif()
