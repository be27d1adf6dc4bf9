# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

# archgrid_gemm_sources(<result>)
#
# The sources that variants.inc names, each once. <result>_<source>_FIRST_DEVICE is the first device that its rows are
# for, as 80 for 8.0, and <result>_<source>_FIRST_TOOLKIT the first CUDA that compiles it.
function(archgrid_gemm_sources result)
  file(STRINGS "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/variants.inc" rows REGEX "^VARIANT\\(")
  set(sources "")
  foreach(row IN LISTS rows)
    if(NOT row MATCHES "^VARIANT\\(([a-z0-9_]+), .*, ([0-9]+), \"([0-9.]+)\", \"[A-Z]+\"\\)$")
      message(FATAL_ERROR "kernels/gemm/variants.inc: this row cannot be read: ${row}")
    endif()
    list(APPEND sources ${CMAKE_MATCH_1})
    set(${result}_${CMAKE_MATCH_1}_FIRST_DEVICE ${CMAKE_MATCH_2} PARENT_SCOPE)
    set(${result}_${CMAKE_MATCH_1}_FIRST_TOOLKIT ${CMAKE_MATCH_3} PARENT_SCOPE)
  endforeach()
  list(REMOVE_DUPLICATES sources)
  set(${result} "${sources}" PARENT_SCOPE)
endfunction()
