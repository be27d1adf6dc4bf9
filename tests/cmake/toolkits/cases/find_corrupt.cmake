# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

# Checks that a tree with a missing or truncated part is not whole, even if an earlier answer is
# cached.
include("${CASE_SOURCE}/../support/stage.cmake")
set(tree "${stage_toolkits}/cuda-13.5")

function(expect_not_whole why)
  ask(answer find 13.5)
  expect(answer 0 "FOUND=FALSE" "passed over ${tree}/bin/nvcc" "${why}")
  file(REMOVE_RECURSE "${tree}")
  stage_toolkit("${tree}")
  ask(again find 13.5)
  expect(again 0 "FOUND=TRUE")
endfunction()

stage_toolkit("${tree}")
ask(whole find 13.5)
expect(whole 0 "FOUND=TRUE")
file(REMOVE "${tree}/nvvm/bin/cicc")
expect_not_whole("nvvm/bin/cicc is missing")
truncate_file("${tree}/bin/nvcc")
expect_not_whole("does not say its release")
truncate_file("${tree}/nvvm/bin/cicc")
expect_not_whole("nvcc cannot compile and link a program")
truncate_file("${tree}/lib/libcudart_static.a")
expect_not_whole("nvcc cannot compile and link a program")
file(REMOVE "${tree}/lib/libcudart.so")
expect_not_whole("lib64/libcudart.so is missing")
file(REMOVE "${tree}/include/cuda_runtime.h")
expect_not_whole("cuda_runtime.h is missing")
