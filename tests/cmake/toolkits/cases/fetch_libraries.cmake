# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

# Checks that libraries get their own folder beside the toolkit, which is fetched once and never
# changed.
include("${CASE_SOURCE}/../support/stage.cmake")
stage_toolkit("${CASE_BINARY}/index")
stage_library(cublas cublas_v2.h cublas cublasLt)
stage_library(cuda-culibos culibos.h)
# A package that also contains a file of the toolkit changes neither.
file(WRITE "${CASE_BINARY}/libraries/cublas/include/cuda_fp16.h" "#error another toolkit's\n")
stage_pip()

# Without a toolkit, both are fetched.
ask(first fetch 13.5 LIBRARIES cublas)
expect(first 0 "fetching from PyPI" "fetching cublas, about [0-9]+ MB" "FETCHED=TRUE"
  "ROOT=${stage_toolkits}/cuda-13.5-cublas ")
expect_trees(cuda-13.5 cuda-13.5-cublas)
expect_runs(2)
file(READ_SYMLINK "${stage_toolkits}/cuda-13.5-cublas/lib/libcublas.so" link)
if(NOT link STREQUAL "libcublas.so.13")
  message(FATAL_ERROR "libcublas.so is a link to ${link}")
endif()
file(GLOB_RECURSE base RELATIVE "${stage_toolkits}/cuda-13.5" "${stage_toolkits}/cuda-13.5/*")
if("include/cublas_v2.h" IN_LIST base OR NOT "bin/nvcc" IN_LIST base)
  message(FATAL_ERROR "the toolkit itself was changed")
endif()

# The second time both are found.
ask(again fetch 13.5 LIBRARIES cublas)
expect(again 0 "FETCHED=FALSE" "ROOT=${stage_toolkits}/cuda-13.5-cublas ")
ask(plain fetch 13.5)
expect(plain 0 "FETCHED=FALSE" "ROOT=${stage_toolkits}/cuda-13.5 ")
expect_runs(2)

ask(unknown fetch 13.5 LIBRARIES cubla)
expect(unknown 1 "unknown library \"cubla\"; known are: cublas cufft")
ask(too_new fetch 11.8 LIBRARIES nvjitlink)
expect(too_new 1 "CUDA 11.8 has no nvjitlink, which came with CUDA 12.0")
