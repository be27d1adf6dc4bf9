# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

# Says which GoogleTest the tests take for the newest one, or why there is none.
cmake_minimum_required(VERSION 3.25)
include("${CMAKE_CURRENT_LIST_DIR}/find.cmake")
archgrid_find_newest_googletest(googletest)
if(googletest)
  message(STATUS "GoogleTest ${googletest_VERSION}")
else()
  message(STATUS "archgrid: skipped: no-googletest: only the machine's own is here; ./setup --dev gets the newest one")
endif()
