# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

# The architectures of a promise for the toolkit, with PTX as asked.
include("${ARCHGRID_MODULES}/archgrid/architectures.cmake")
foreach(name IN ITEMS CUDAARCHS TORCH_CUDA_ARCH_LIST)
  unset(ENV{${name}})
endforeach()

function(expect expected)
  archgrid_architectures(archs ${ARGN})
  if(NOT archs STREQUAL expected)
    message(SEND_ERROR "(${ARGN}) is \"${archs}\", expected \"${expected}\"")
  endif()
endfunction()

expect("80-real;86-real;90" DEVICES 9.0 8.0 8.6 TOOLKIT 12.4)
expect("80-real;86-real;90-real" DEVICES 9.0 8.0 8.6 TOOLKIT 12.4 PTX none)
expect("80;90" DEVICES 9.0 8.0 TOOLKIT 12.4 PTX all)
expect("90" DEVICES H100 sm_90 TOOLKIT 12.4)
expect("80-real;90-real;120" DEVICES A100 H100 "RTX 5090" TOOLKIT 13.0)
expect("75-real;100" DEVICES 10.0 7.5 TOOLKIT 13.0)
