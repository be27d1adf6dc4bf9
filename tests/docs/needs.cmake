# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

# Checks that the guide names the packages with which the command is built: what
# harness/needs.cmake looks for, and tools.
cmake_minimum_required(VERSION 3.25)
file(READ "${ROOT}/harness/needs.cmake" needs)
string(REGEX MATCHALL "[A-Za-z0-9]+=[a-z0-9-]+" needs "${needs}")
list(TRANSFORM needs REPLACE ".*=" "")
list(LENGTH needs count)
if(count LESS 10)
  message(FATAL_ERROR "harness/needs.cmake: found ${count} packages")
endif()
list(PREPEND needs cmake g++ ninja-build)

file(READ "${ROOT}/docs/guide.md" guide)
string(REGEX MATCH "sudo apt-get install ([^`]*)" line "${guide}")
string(REGEX MATCHALL "[a-z][^ \\\n]*" named "${CMAKE_MATCH_1}")
if(NOT named STREQUAL needs)
  message(FATAL_ERROR "docs/guide.md: apt-get install ${named}: the packages are ${needs}")
endif()
