# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

include_guard(GLOBAL)
include("${CMAKE_CURRENT_LIST_DIR}/data.cmake")

# Sets OUT to the advice for the matrix file if ERROR, a line of a cell's log, mentions libraries of
# NVIDIA that the toolkit in ROOT lacks (CUDA::cublas, CUDA_cublas_LIBRARY, -lcublas, cublas_v2.h),
# or to nothing.
function(_archgrid_missing_libraries error root out)
  set(${out} "" PARENT_SCOPE)
  set(missing "")
  _archgrid_data_libraries(names)
  foreach(name IN LISTS names)
    _archgrid_data_library(row "${name}")
    list(JOIN row_FILES "|" files)
    string(REPLACE "." "\\." header "${row_HEADER}")
    set(speaks "(CUDA::|CUDA_|-l|lib)(${files})(_LIBRARY)?([^A-Za-z0-9_]|$)|(^|[^A-Za-z0-9_])${header}")
    list(POP_FRONT row_FILES file)
    file(GLOB library "${root}/lib*/lib${file}.so*" "${root}/targets/*/lib/lib${file}.so*")
    set(is_there FALSE)
    # Debian's toolkit has some headers alone.
    if(EXISTS "${root}/include/${row_HEADER}" AND (library OR NOT file))
      set(is_there TRUE)
    endif()
    if(error MATCHES "${speaks}" AND NOT is_there)
      list(APPEND missing "\"${name}\"")
    endif()
  endforeach()
  if(missing)
    list(JOIN missing ", " missing)
    set(${out} ": write \"libraries\": [${missing}] into the matrix file" PARENT_SCOPE)
  endif()
endfunction()
