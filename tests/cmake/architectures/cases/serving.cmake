# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

# Code of an arch on GPUs, by what a promise accepts.
include("${ARCHGRID_MODULES}/archgrid/architectures.cmake")

function(expect expected arch device)
  _archgrid_arch_serves("${arch}" "${device}" "${ARGN}" served)
  if(expected AND NOT served OR served AND NOT expected)
    message(SEND_ERROR "${arch} on ${device} (${ARGN}) is ${served}, expected ${expected}")
  endif()
endfunction()

expect(TRUE 90 9.0 native)
expect(FALSE 90 9.0 compatible)
expect(TRUE 80 8.6 native compatible)
expect(FALSE 80 8.6 native)
expect(FALSE 86 8.0 native compatible jit)
expect(FALSE 86 8.7 native compatible)
expect(TRUE 86 8.7 native compatible jit)
expect(TRUE 100a 10.0 native)
expect(FALSE 100a 10.3 native compatible jit)
expect(TRUE 100f 10.3 native compatible)
expect(FALSE 100f 12.0 native compatible jit)
expect(TRUE 80 9.0 jit)
expect(FALSE 80-real 9.0 native compatible jit)
expect(FALSE 90a 12.0 native compatible jit)
expect(FALSE 90-virtual 9.0 native compatible)
expect(TRUE 90-virtual 9.0 jit)
