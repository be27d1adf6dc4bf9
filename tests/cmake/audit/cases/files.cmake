# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

# Checks the arguments that archgrid_audit(NAME ... FILES ...) gives the command, in folders whose
# names have characters of patterns, lists and generator expressions. A script that records its
# arguments replaces the command.
set(project "${CASE_BINARY}/pr [v1]*, a>b")
file(WRITE "${CASE_BINARY}/command" "#!/bin/sh\nprintf '[%s]' \"$@\" >'${CASE_BINARY}/arguments'\n")
file(CHMOD "${CASE_BINARY}/command" PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE)

# expect(<paths as written> <configuration> <argument>...): checks what follows the word `audit`.
function(expect paths configuration)
  file(WRITE "${project}/CMakeLists.txt" "cmake_minimum_required(VERSION 3.25)
project(files LANGUAGES CXX)
include([==[${ARCHGRID_MODULES}/ArchGrid.cmake]==])
file(WRITE \"\${CMAKE_BINARY_DIR}/lib.cpp\" \"\")
add_library(lib SHARED \"\${CMAKE_BINARY_DIR}/lib.cpp\")
archgrid_promise(DEVICES 9.0)
archgrid_audit(NAME files FILES ${paths})
")
  file(REMOVE "${CASE_BINARY}/arguments")
  execute_process(COMMAND "${CMAKE_COMMAND}" -G Ninja "-DARCHGRID_COMMAND=${CASE_BINARY}/command"
    -DCMAKE_BUILD_TYPE=${configuration} -S "${project}" -B "${CASE_BINARY}/build"
    RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(NOT result EQUAL 0)
    message(SEND_ERROR "${paths}: ${output}")
    return()
  endif()
  execute_process(COMMAND "${CMAKE_CTEST_COMMAND}" --test-dir "${CASE_BINARY}/build" OUTPUT_QUIET ERROR_QUIET)
  file(READ "${CASE_BINARY}/arguments" found)
  set(expected "[audit]")
  foreach(argument IN LISTS ARGN)
    string(APPEND expected "[${argument}]")
  endforeach()
  string(APPEND expected "[--devices][9.0][--accept][native,compatible][--audited-target][NAME files FILES ...]")
  if(NOT found STREQUAL expected)
    message(SEND_ERROR "${paths}: ${found}, expected ${expected}")
  endif()
endfunction()

# The command takes folders that exist as they are, so a pattern names its folder as it is.
expect("dist/a.so" Debug "${project}/dist/a.so")
expect("dist/*.so" Debug "--match=${project}/dist/*.so")
expect("\"\${CMAKE_CURRENT_SOURCE_DIR}/[a-c]?.so\" b.so" Debug "--match=${project}/[a-c]?.so" "${project}/b.so")
expect("dist/$<CONFIG>/*.so" Debug "--match=${project}/dist/Debug/*.so")

# Expressions are relative to the folder, too, unless they are absolute.
expect("$<CONFIG>/a.so" Debug "${project}/Debug/a.so")
expect("$<CONFIG>/a,b/*.so" Debug "--match=${project}/Debug/a,b/*.so")
expect("$<TARGET_FILE:lib>" Debug "${CASE_BINARY}/build/liblib.so")
expect("$<TARGET_FILE_DIR:lib>/*.so" Debug "--match=${CASE_BINARY}/build/*.so")

# An expression that is empty names nothing, and leaves the next word alone.
expect("$<$<CONFIG:Release>:lib/*.so>" Release "--match=${project}/lib/*.so")
expect("$<$<CONFIG:Release>:lib/*.so>" Debug)
expect("$<$<CONFIG:Release>:a.so>" Debug)
expect("$<$<CONFIG:Release>:lib/*.so> $<$<CONFIG:Debug>:0> c.so" Debug "${project}/0" "${project}/c.so")
