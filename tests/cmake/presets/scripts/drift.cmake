# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

# Checks that the committed presets match the data table, and that an edit on either side is
# detected.
cmake_minimum_required(VERSION 3.25)
set(committed "${ARCHGRID_MODULES}/presets/devices.json")
execute_process(COMMAND "${CMAKE_COMMAND}" "-DOUTPUT=${CASE_BINARY}/devices.json"
                        -P "${ARCHGRID_MODULES}/archgrid/detail/generate_presets.cmake" COMMAND_ERROR_IS_FATAL ANY)
file(READ "${committed}" present)
file(READ "${CASE_BINARY}/devices.json" wanted)
if(NOT present STREQUAL wanted)
  message(FATAL_ERROR "${committed} is not what the data table gives. Write it again:"
                      " cmake -P cmake-modules/archgrid/detail/generate_presets.cmake")
endif()

# A new architecture in a copy of the table changes the file.
file(COPY "${ARCHGRID_MODULES}/archgrid" DESTINATION "${CASE_BINARY}/modules")
file(READ "${CASE_BINARY}/modules/archgrid/data/architectures.json" json)
string(REPLACE "\"12.1\"" "\"12.2\"" json "${json}")
file(WRITE "${CASE_BINARY}/modules/archgrid/data/architectures.json" "${json}")
execute_process(COMMAND "${CMAKE_COMMAND}" "-DOUTPUT=${CASE_BINARY}/other.json"
                        -P "${CASE_BINARY}/modules/archgrid/detail/generate_presets.cmake" COMMAND_ERROR_IS_FATAL ANY)
file(READ "${CASE_BINARY}/other.json" other)
if(other STREQUAL wanted OR NOT other MATCHES "\"sm122\"")
  message(FATAL_ERROR "a device added to the table has no preset")
endif()
