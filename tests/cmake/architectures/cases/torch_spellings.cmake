# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

# Every spelling of TORCH_CUDA_ARCH_LIST that PyTorch accepts.
include("${ARCHGRID_MODULES}/archgrid/architectures.cmake")

function(expect text expected)
  _archgrid_read_torch_list("${text}" archs error)
  if(NOT archs STREQUAL expected OR NOT error STREQUAL "")
    message(SEND_ERROR "\"${text}\" is \"${archs}\" (${error}), expected \"${expected}\"")
  endif()
endfunction()

expect("8.0" "80-real")
expect("8.0;8.6+PTX" "80-real;86")
expect("8.0 8.6+PTX" "80-real;86")
expect("8.0, 9.0a , 10.0f+PTX" "80-real;90a-real;100f")
expect("Ampere" "80-real;86")
expect("Ampere+Tegra" "87-real")
expect("Kepler+Tesla;Kepler" "37-real;35")
expect("Volta Turing" "70;75")
expect("Maxwell;9.0" "50-real;52;90-real")
expect("Hopper;Blackwell" "90;100-real;103-real;120-real;121")
expect("8.0;8.0" "80-real")
expect(" All " "all")
expect("Common" "all-major")
expect("Auto" "native")
expect("12.1" "121-real")

function(expect_error text regex)
  _archgrid_read_torch_list("${text}" archs error)
  if(NOT error MATCHES "${regex}" OR NOT archs STREQUAL "")
    message(SEND_ERROR "\"${text}\" is \"${archs}\" (${error}), expected an error that matches ${regex}")
  endif()
endfunction()

expect_error("8.0;sm_90" "^\"sm_90\" is no entry")
expect_error("Amper" "^\"Amper\" is no entry.*Ampere")
expect_error("8.0+ptx" "is no entry")
expect_error("80" "is no entry")
