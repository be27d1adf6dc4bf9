# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

# Prints a line "-- toolkit X.Y" for each whole toolkit on this machine, oldest first: a script that
# `archgrid init` runs.
cmake_policy(VERSION 3.25...4.0)
include("${CMAKE_CURRENT_LIST_DIR}/data.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/../find_toolkit.cmake")

_archgrid_data_toolkits(versions)
foreach(version IN LISTS versions)
  archgrid_find_toolkit("${version}" RESULT found)
  if(found_FOUND)
    message(STATUS "toolkit ${version}")
  endif()
endforeach()
