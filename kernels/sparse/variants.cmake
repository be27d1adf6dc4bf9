# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0
include("${CMAKE_CURRENT_LIST_DIR}/../variants.cmake")

# archgrid_add_host_sparse(<target> [ARCH <number>] [CHECKS] [GEMM <target>])
#
# Adds the kernels for the CPU: archgrid_add_emulated_kernels() of the sources that devices of
# <number> support. GEMM names the target of archgrid_add_host_gemm() that the program also links:
# they share a source.
function(archgrid_add_host_sparse target)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "GEMM" "")
  if("GEMM" IN_LIST arg_KEYWORDS_MISSING_VALUES)
    message(FATAL_ERROR
      "archgrid_add_host_sparse(${target}): GEMM names no target. Name one of archgrid_add_host_gemm(), or leave GEMM out.")
  endif()
  set(shared ../gemm/problem.cpp)
  if(arg_GEMM)
    if(NOT TARGET ${arg_GEMM})
      message(FATAL_ERROR
        "archgrid_add_host_sparse(${target}): GEMM ${arg_GEMM} is no target. Make it before, by archgrid_add_host_gemm(${arg_GEMM}).")
    endif()
    set(shared "")
  endif()
  archgrid_add_host_variants(${target} "${CMAKE_CURRENT_FUNCTION_LIST_DIR}" ARCHGRID_SPARSE ${arg_UNPARSED_ARGUMENTS}
    SOURCES bsrmm.cpp bucketize.cpp bucketize.cu check.cu embedding.cu features_check.cu formats.cpp
      generate.cpp matrix_market.cpp scale.cu scan.cu sddmm.cpp spmm.cpp spmv.cpp spmv_rows.cu
      structured.cpp structured_data.cu validate.cpp variant.cpp ${shared})
  if(arg_GEMM)
    target_link_libraries(${target} PUBLIC ${arg_GEMM})
  endif()
endfunction()
