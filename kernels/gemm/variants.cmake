# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0
include("${CMAKE_CURRENT_LIST_DIR}/../variants.cmake")

# archgrid_add_host_gemm(<target> [ARCH <number>] [CHECKS])
#
# Adds the kernels for the CPU: archgrid_add_emulated_kernels() of the sources that devices of
# <number> support.
function(archgrid_add_host_gemm target)
  archgrid_add_host_variants(${target} "${CMAKE_CURRENT_FUNCTION_LIST_DIR}" ARCHGRID_GEMM ${ARGN}
    SOURCES gemm.cpp problem.cpp combine.cu)
endfunction()
