# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

# Checks that a missing sccache is reported only where cells would share its results, with a fix
# that the user has: setup of a checkout, else a script of the installed modules.
file(COPY "${ARCHGRID_MODULES}/archgrid" DESTINATION "${CASE_BINARY}/cmake")
include("${CASE_BINARY}/cmake/archgrid/detail/cell_compilers.cmake")
set(ARCHGRID_TOOLKITS "${CASE_BINARY}/toolkits")
set(ENV{PATH} "${CASE_BINARY}")
set(CMAKE_FIND_USE_CMAKE_SYSTEM_PATH OFF)

set(fat "{\"kind\": \"fat\"}")
set(single "{\"kind\": \"single\"}")
_archgrid_report_missing_sccache("${fat};${single}") # not looked for
_archgrid_sccache_program(program)
if(program)
  message(SEND_ERROR "sccache was found: ${program}")
endif()
message(STATUS "fat cells:")
_archgrid_report_missing_sccache("${fat};${fat}")
message(STATUS "all cells, installed:")
_archgrid_report_missing_sccache("${fat};${single}")
file(TOUCH "${CASE_BINARY}/setup")
message(STATUS "all cells, in a checkout:")
_archgrid_report_missing_sccache("${fat};${single}")
