# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

# Lists the toolkits, libraries and host compilers that a matrix file needs on the machine.
include_guard(GLOBAL)
cmake_policy(VERSION 3.25...4.0)

include("${CMAKE_CURRENT_LIST_DIR}/../expand.cmake")

# Sets <prefix>_TOOLKITS to the CUDA releases that the matrix file FILE names, each once,
# <prefix>_LIBRARIES_<release> to the libraries of that release that any of its cells needs,
# <prefix>_PLAIN_<release> to whether a cell needs none, and <prefix>_HOST_COMPILERS to
# `<release>=<compiler>` for every compiler that it requests. Fatal if archgrid_expand() rejects the
# file.
function(_archgrid_matrix_toolkits file prefix)
  archgrid_expand(MATRIX "${file}" RESULT plan)
  set(compilers "")
  foreach(cuda IN LISTS plan_TOOLKITS)
    set(libraries_${cuda} "")
    set(plain_${cuda} FALSE)
  endforeach()
  foreach(cell IN LISTS plan_CELLS)
    set(cuda "${plan_${cell}_CUDA}")
    list(APPEND libraries_${cuda} ${plan_${cell}_LIBRARIES})
    if(NOT plan_${cell}_LIBRARIES)
      set(plain_${cuda} TRUE)
    endif()
    if(plan_${cell}_HOST_COMPILER)
      list(APPEND compilers "${plan_${cell}_CUDA}=${plan_${cell}_HOST_COMPILER}")
    endif()
  endforeach()
  list(REMOVE_DUPLICATES compilers)
  foreach(cuda IN LISTS plan_TOOLKITS)
    list(SORT libraries_${cuda})
    list(REMOVE_DUPLICATES libraries_${cuda})
    set(${prefix}_LIBRARIES_${cuda} "${libraries_${cuda}}" PARENT_SCOPE)
    set(${prefix}_PLAIN_${cuda} ${plain_${cuda}} PARENT_SCOPE)
  endforeach()
  set(${prefix}_TOOLKITS "${plan_TOOLKITS}" PARENT_SCOPE)
  set(${prefix}_HOST_COMPILERS "${compilers}" PARENT_SCOPE)
endfunction()
