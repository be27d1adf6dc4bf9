# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

# Checks the presets in a project with presets of its own, including `default`. The workflow of a
# device configures, builds its target and runs the tests with its label, with ARCHGRID_DEVICE set.
# The one for a device that the tree does not serve fails. `gpu` runs the tests with the label
# fat-gpu, without a device.
cmake_minimum_required(VERSION 3.25)
file(COPY "${ARCHGRID_MODULES}/presets" DESTINATION "${CASE_BINARY}/cmake-modules")
file(WRITE "${CASE_BINARY}/CMakePresets.json"
     "{\"version\": 6, \"include\": [\"cmake-modules/presets/devices.json\"],\n \"configurePresets\": [{\"name\": \"default\", \"generator\": \"Ninja\", \"binaryDir\": \"mine\"}]}")
file(WRITE "${CASE_BINARY}/CMakeLists.txt" [[
cmake_minimum_required(VERSION 3.25)
project(case LANGUAGES NONE)
enable_testing()
foreach(target IN ITEMS sm90 sm100)
  add_custom_target(${target} COMMAND "${CMAKE_COMMAND}" -E touch built-${target})
endforeach()
foreach(label IN ITEMS sm90 gpu fat-gpu sm900)
  add_test(NAME test-${label} COMMAND "${CMAKE_COMMAND}" -E echo "device=<$ENV{ARCHGRID_DEVICE}>")
  set_tests_properties(test-${label} PROPERTIES LABELS ${label} PASS_REGULAR_EXPRESSION ".")
endforeach()
add_test(NAME device COMMAND sh -c "echo device=$ARCHGRID_DEVICE; test \"$ARCHGRID_DEVICE\" = 9.0")
set_tests_properties(device PROPERTIES LABELS sm90)
add_test(NAME no-device COMMAND sh -c "test -z \"$ARCHGRID_DEVICE\"")
set_tests_properties(no-device PROPERTIES LABELS fat-gpu)
]])
unset(ENV{ARCHGRID_DEVICE})

function(run result out)
  execute_process(COMMAND ${ARGN} WORKING_DIRECTORY "${CASE_BINARY}" RESULT_VARIABLE code
    OUTPUT_VARIABLE text ERROR_VARIABLE text)
  set(${result} ${code} PARENT_SCOPE)
  set(${out} "${text}" PARENT_SCOPE)
endfunction()

run(result text "${CMAKE_COMMAND}" --workflow --preset sm90)
if(NOT result EQUAL 0 OR NOT text MATCHES "2/2 Test" OR NOT text MATCHES " device "
    OR NOT EXISTS "${CASE_BINARY}/build/matrix/built-sm90"
   OR EXISTS "${CASE_BINARY}/build/matrix/built-sm100" OR NOT EXISTS "${CASE_BINARY}/build/matrix/junit.xml")
  message(SEND_ERROR "workflow sm90: ${result} ${text}")
endif()
run(result text "${CMAKE_COMMAND}" --workflow --preset sm100)
if(result EQUAL 0 OR NOT text MATCHES "No tests were found")
  message(SEND_ERROR "workflow sm100, which has no test: ${result} ${text}")
endif()
run(result text "${CMAKE_COMMAND}" --workflow --preset sm86)
if(result EQUAL 0)
  message(SEND_ERROR "workflow sm86, which has no target: ${result} ${text}")
endif()
run(result text "${CMAKE_CTEST_COMMAND}" --preset gpu)
if(NOT result EQUAL 0 OR NOT text MATCHES "2/2 Test" OR text MATCHES "test-gpu")
  message(SEND_ERROR "gpu: ${result} ${text}")
endif()
run(result text "${CMAKE_CTEST_COMMAND}" --preset matrix)
if(result EQUAL 0 OR NOT text MATCHES "device \\(Failed\\)")
  message(SEND_ERROR "matrix, without a device: ${result} ${text}")
endif()
