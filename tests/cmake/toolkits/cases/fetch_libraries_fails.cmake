# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

# Checks that a download without the library, or with one that no program links with, is rejected,
# and that the toolkit itself stays unchanged.
include("${CASE_SOURCE}/../support/stage.cmake")
stage_toolkit("${CASE_BINARY}/index")
stage_toolkit("${stage_toolkits}/cuda-13.5")
stage_library(cublas cublas_v2.h cublas)
stage_pip()
ask(incomplete fetch 13.5 LIBRARIES cublas)
expect(incomplete 1 "what was fetched is not a whole toolkit: it has no cublas: lib64/libcublasLt.so is missing")
expect_trees(cuda-13.5)

stage_library(cublas cublas_v2.h cublas cublasLt)
file(WRITE "${CASE_BINARY}/libraries/cublas/lib/libcublasLt.so.13" "half a download")
ask(corrupt fetch 13.5 LIBRARIES cublas)
expect(corrupt 1 "what was fetched is not a whole toolkit: nvcc cannot compile and link a program" "libcublasLt")
expect_trees(cuda-13.5)

stage_library(cublas cublas_v2.h cublas cublasLt)
stage_pip("echo 'No space left on device' >&2; exit 1")
ask(disk fetch 13.5 LIBRARIES cublas)
expect(disk 1 "pip install of cuda-13.5-libraries.txt failed" "Fix: the disk is full")
expect_trees(cuda-13.5)
stage_pip()
ask(plain find 13.5)
expect(plain 0 "FOUND=TRUE" "ROOT=${stage_toolkits}/cuda-13.5 ")

# Counterpart without an error.
ask(good fetch 13.5 LIBRARIES cublas)
expect(good 0 "FETCHED=TRUE" "ROOT=${stage_toolkits}/cuda-13.5-cublas ")
