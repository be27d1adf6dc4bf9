# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

# What a matrix file needs on the machine before anything of it can be expanded or built.
include_guard(GLOBAL)
cmake_policy(VERSION 3.25...4.0)

include("${CMAKE_CURRENT_LIST_DIR}/../expand.cmake")

# Sets <prefix>_TOOLKITS to the CUDA releases that the matrix file FILE names, each once, and
# <prefix>_HOST_COMPILERS to `<release>=<compiler>` for every compiler that it asks for. Fatal where archgrid_expand()
# refuses the file.
function(_archgrid_matrix_toolkits file prefix)
  archgrid_expand(MATRIX "${file}" RESULT plan)
  set(compilers "")
  foreach(cell IN LISTS plan_CELLS)
    if(plan_${cell}_HOST_COMPILER)
      list(APPEND compilers "${plan_${cell}_CUDA}=${plan_${cell}_HOST_COMPILER}")
    endif()
  endforeach()
  list(REMOVE_DUPLICATES compilers)
  set(${prefix}_TOOLKITS "${plan_TOOLKITS}" PARENT_SCOPE)
  set(${prefix}_HOST_COMPILERS "${compilers}" PARENT_SCOPE)
endfunction()
