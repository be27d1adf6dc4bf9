# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

# cmake -DQUESTION=find|fetch|host -DVERSION=X.Y [-DLIBRARIES=...] -P ask.cmake
#
# Prints the modules' answer, one line per variable.
cmake_minimum_required(VERSION 3.25)
include("${ARCHGRID_MODULES}/archgrid/fetch_toolkit.cmake")
include("${ARCHGRID_MODULES}/archgrid/find_host_compiler.cmake")

# Hides toolkits of the machine from the case.
function(_archgrid_toolkit_roots version out)
  set(${out} "" PARENT_SCOPE)
endfunction()

if(QUESTION STREQUAL "find")
  archgrid_find_toolkit("${VERSION}" LIBRARIES ${LIBRARIES} RESULT answer)
elseif(QUESTION STREQUAL "fetch")
  archgrid_fetch_toolkit("${VERSION}" LIBRARIES ${LIBRARIES} RESULT answer)
elseif(REQUESTED)
  archgrid_find_host_compiler("${VERSION}" REQUESTED "${REQUESTED}" RESULT answer)
else()
  archgrid_find_host_compiler("${VERSION}" RESULT answer)
endif()
foreach(field IN ITEMS FOUND FETCHED ROOT NVCC CXX C REASON)
  if(DEFINED answer_${field})
    message(STATUS "${field}=${answer_${field}}")
  endif()
endforeach()
