# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

# Lists the toolkits, libraries and host compilers that a matrix file needs on the machine.
include_guard(GLOBAL)
cmake_policy(VERSION 3.25...4.0)

include("${CMAKE_CURRENT_LIST_DIR}/../expand.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/plan.cmake")

# Sets <prefix>_TOOLKITS to the CUDA releases that the matrix file FILE names, each once,
# <prefix>_LIBRARIES_<release> to the libraries of that release that any of its cells needs,
# <prefix>_PLAIN_<release> to whether a cell needs none, and <prefix>_HOST_COMPILERS to
# `<release>=<compiler>` for every compiler that it requests. Fatal if archgrid_expand() rejects the
# file.
function(_archgrid_matrix_toolkits file prefix)
  archgrid_expand(MATRIX "${file}" RESULT plan)
  _archgrid_plan_get("${plan}" CELLS cells)
  set(toolkits "")
  set(compilers "")
  foreach(cell IN LISTS cells)
    _archgrid_plan_get("${cell}" CUDA cuda LIBRARIES libraries HOST_COMPILER compiler)
    if(NOT cuda IN_LIST toolkits)
      list(APPEND toolkits ${cuda})
      set(libraries_${cuda} "")
      set(plain_${cuda} FALSE)
    endif()
    list(APPEND libraries_${cuda} ${libraries})
    if(NOT libraries)
      set(plain_${cuda} TRUE)
    endif()
    if(compiler)
      list(APPEND compilers "${cuda}=${compiler}")
    endif()
  endforeach()
  list(REMOVE_DUPLICATES compilers)
  foreach(cuda IN LISTS toolkits)
    list(SORT libraries_${cuda})
    list(REMOVE_DUPLICATES libraries_${cuda})
    set(${prefix}_LIBRARIES_${cuda} "${libraries_${cuda}}" PARENT_SCOPE)
    set(${prefix}_PLAIN_${cuda} ${plain_${cuda}} PARENT_SCOPE)
  endforeach()
  set(${prefix}_TOOLKITS "${toolkits}" PARENT_SCOPE)
  set(${prefix}_HOST_COMPILERS "${compilers}" PARENT_SCOPE)
endfunction()
