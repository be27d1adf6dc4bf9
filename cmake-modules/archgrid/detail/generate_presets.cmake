# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0
#
# Writes the presets sm50 ... sm121: one of each kind for each device of the data table from 5.0 on:
#
#   cmake [-DOUTPUT=devices.json] -P cmake-modules/archgrid/detail/generate_presets.cmake
#
# The file is committed, since a missing included file breaks every preset. A test compares it with
# the table.

cmake_minimum_required(VERSION 3.25...4.0)
include("${CMAKE_CURRENT_LIST_DIR}/data.cmake")

if(NOT DEFINED OUTPUT)
  set(OUTPUT "${CMAKE_CURRENT_LIST_DIR}/../../presets/devices.json")
endif()
set(build "")
set(test "")
set(workflow "")
_archgrid_data_devices(devices)
foreach(device IN LISTS devices)
  if(device VERSION_LESS 5.0)
    continue()
  endif()
  string(REPLACE "." "" name "sm${device}")
  string(APPEND build "    {\"name\": \"${name}\", \"configurePreset\": \"matrix\", \"targets\": [\"${name}\"]},\n")
  string(APPEND test
         "    {\"name\": \"${name}\", \"inherits\": \"test-base\", \"configurePreset\": \"matrix\",\n"
         "     \"environment\": {\"ARCHGRID_DEVICE\": \"${device}\", \"ARCHGRID_PRESET\": \"${name}\"},\n"
         "     \"filter\": {\"include\": {\"label\": \"^${name}$\"}}, \"execution\": {\"noTestsAction\": \"error\"}},\n")
  string(APPEND workflow
         "    {\"name\": \"${name}\", \"steps\": [{\"type\": \"configure\", \"name\": \"matrix\"},"
         " {\"type\": \"build\", \"name\": \"${name}\"}, {\"type\": \"test\", \"name\": \"${name}\"}]},\n")
endforeach()
string(CONCAT json
       "{\n  \"version\": 6,\n  \"include\": [\"tree.json\"],\n"
       "  \"buildPresets\": [\n${build}  ],\n"
       "  \"testPresets\": [\n${test}  ],\n"
       "  \"workflowPresets\": [\n${workflow}  ]\n}\n")
string(REPLACE ",\n  ]" "\n  ]" json "${json}")
file(WRITE "${OUTPUT}.new" "${json}")
file(RENAME "${OUTPUT}.new" "${OUTPUT}")
