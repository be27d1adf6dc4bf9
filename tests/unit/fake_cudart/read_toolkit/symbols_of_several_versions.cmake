# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

# The C library has symbols of many versions, unlike libcudart.
include("${ARCHGRID_SOURCE}/harness/fake_cudart/read_toolkit.cmake")
find_program(CMAKE_NM nm REQUIRED)
execute_process(COMMAND c++ -print-file-name=libc.so.6
  OUTPUT_VARIABLE library OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
_archgrid_read_cudart("${library}" fake_cudart)
