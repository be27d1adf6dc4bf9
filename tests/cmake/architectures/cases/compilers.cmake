# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

# The toolkit is that of the CUDA compiler: of nvcc, and for clang, whose own version is none, of
# the nvcc beside it. Scripts replace both.
include("${ARCHGRID_MODULES}/archgrid/architectures.cmake")

# write_program(<file> <line of --version>)
function(write_program file line)
  file(WRITE "${file}" "#!/bin/sh\necho '${line}'\n")
  file(CHMOD "${file}" PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE)
endfunction()

# expect(<archs>): checks the list for three GPUs.
function(expect archs)
  archgrid_architectures(found DEVICES 7.5 9.0 10.3 PTX none)
  if(NOT found STREQUAL archs)
    message(SEND_ERROR "${found}, not ${archs}")
  endif()
endfunction()

unset(ENV{CUDAARCHS})
unset(ENV{TORCH_CUDA_ARCH_LIST})
set(bin "${CASE_BINARY}/toolkit/bin")
write_program("${bin}/nvcc" "Cuda compilation tools, release 12.9, V12.9.41")
write_program("${CASE_BINARY}/clang++" "Debian clang version 14.0.6")
set(new "75-real;90-real;103-real")
# Variables of the project that no search may read.
set(program nonsense)
set(nvcc nonsense)
set(compiler nonsense)
set(ENV{CUDACXX} "${bin}/nvcc -O2")
expect("${new}")
set(ENV{CUDACXX} "${CASE_BINARY}/clang++")
set(CUDAToolkit_ROOT "${CASE_BINARY}/toolkit")
expect("${new}")
unset(CUDAToolkit_ROOT)
set(ENV{PATH} "${bin}:$ENV{PATH}")
expect("${new}")
set(ENV{CUDACXX} nvcc)
expect("${new}")

# With the CUDA language enabled.
set(CMAKE_CUDA_COMPILER_ID NVIDIA)
set(CMAKE_CUDA_COMPILER_VERSION 13.0.48)
expect("${new}")
set(CMAKE_CUDA_COMPILER_ID Clang)
set(CMAKE_CUDA_COMPILER_VERSION 14.0.6)
set(CMAKE_CUDA_COMPILER_TOOLKIT_VERSION 12.9.41)
_archgrid_enabled_toolkit(toolkit)
if(NOT toolkit STREQUAL "12.9")
  message(SEND_ERROR "clang with CUDA 12.9 is ${toolkit}")
endif()
expect("${new}")
