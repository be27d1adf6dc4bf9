# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

# Checks that a toolkit that lacks a library is passed over, one with additional libraries is
# accepted, and one that lost a file is replaced. The toolkit itself is not downloaded again.
include("${CASE_SOURCE}/../support/stage.cmake")
stage_toolkit("${stage_toolkits}/cuda-13.5")
stage_library(cublas cublas_v2.h cublas cublasLt)
stage_library(cusparse cusparse.h cusparse)
stage_pip()

ask(lacking find 13.5 LIBRARIES cusparse)
expect(lacking 0 "FOUND=FALSE" "REASON=no CUDA 13.5 with cusparse on this machine"
  "cuda-13.5/bin/nvcc is CUDA 13.5, but not whole: it has no cusparse: include/cusparse.h is missing")
ask(both fetch 13.5 LIBRARIES cusparse cublas)
expect(both 0 "FETCHED=TRUE" "ROOT=${stage_toolkits}/cuda-13.5-cublas-cusparse ")
expect_runs(1)
expect_trees(cuda-13.5 cuda-13.5-cublas-cusparse)
ask(superset find 13.5 LIBRARIES cusparse)
expect(superset 0 "FOUND=TRUE" "ROOT=${stage_toolkits}/cuda-13.5-cublas-cusparse ")

# Without one of its files it is no longer whole, and is replaced.
file(REMOVE "${stage_toolkits}/cuda-13.5-cublas-cusparse/lib/libcusparse.so.13")
ask(lost find 13.5 LIBRARIES cusparse)
expect(lost 0 "FOUND=FALSE" "it has no cusparse: lib64/libcusparse.so is missing")
ask(replaced fetch 13.5 LIBRARIES cublas cusparse)
expect(replaced 0 "replacing ${stage_toolkits}/cuda-13.5-cublas-cusparse, which is not whole" "FETCHED=TRUE")
