# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

# Prints the GoogleTest that tests use as the newest one, or why it is missing.
cmake_minimum_required(VERSION 3.25)
include("${CMAKE_CURRENT_LIST_DIR}/find.cmake")
archgrid_find_newest_googletest(googletest)
if(googletest)
  message(STATUS "GoogleTest ${googletest_VERSION}")
else()
  message(STATUS "archgrid: skipped: no-googletest: only the machine's own is here; ./setup --dev gets the newest one")
endif()
