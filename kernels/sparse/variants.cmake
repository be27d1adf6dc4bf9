# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0
include("${CMAKE_CURRENT_LIST_DIR}/../variants.cmake")

# archgrid_add_host_products(<target> [ARCH <number>] [CHECKS])
#
# The sparse products for the CPU, as far as devices of that number have them: archgrid_add_host_kernels() of their
# sources.
function(archgrid_add_host_products target)
  archgrid_add_host_variants(${target} "${CMAKE_CURRENT_FUNCTION_LIST_DIR}" ARCHGRID_SPARSE ${ARGN}
    SOURCES spmv.cpp spmv_rows.cu spmm.cpp sddmm.cpp bsrmm.cpp structured.cpp structured_data.cu variant.cpp ../gemm/problem.cpp)
endfunction()
