# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0
include("${CMAKE_CURRENT_LIST_DIR}/../variants.cmake")

# archgrid_add_host_gemm(<target> [ARCH <number>] [CHECKS])
#
# The family for the CPU, as far as devices of that number have it: archgrid_add_host_kernels() of its sources.
function(archgrid_add_host_gemm target)
  archgrid_add_host_variants(${target} "${CMAKE_CURRENT_FUNCTION_LIST_DIR}" ARCHGRID_GEMM ${ARGN} SOURCES gemm.cpp problem.cpp combine.cu)
endfunction()
