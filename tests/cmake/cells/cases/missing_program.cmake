# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

# Checks that an error names the program of a build command that does not exist.
include("${CASE_SOURCE}/../command_config.cmake")
set(project "${CASE_BINARY}/project")
set(build "${CASE_BINARY}/build")
file(WRITE "${project}/build.sh" "#!/bin/sh\nexit 0\n")
file(CHMOD "${project}/build.sh" PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE)

# build(<line>): runs the command; sets result and output.
function(build line)
  file(REMOVE_RECURSE "${build}")
  write_command_config("${project}" "${build}" "${line}")
  execute_process(COMMAND "${CMAKE_COMMAND}" "-DCONFIG=${CASE_BINARY}/config.cmake" "-DBUILD=${build}"
    -P "${ARCHGRID_MODULES}/archgrid/detail/command_cell/run.cmake"
    RESULT_VARIABLE code OUTPUT_VARIABLE text ERROR_VARIABLE text)
  set(result "${code}" PARENT_SCOPE)
  set(output "${text}" PARENT_SCOPE)
endfunction()

# expect_error(<line> <pattern>): expects this error of the command.
function(expect_error line pattern)
  build("${line}")
  if(result EQUAL 0 OR NOT output MATCHES "error: ${pattern}")
    message(SEND_ERROR "${line}: ${result}: ${output}")
  endif()
endfunction()

expect_error("no-such-program all" "no-such-program of COMMAND was not found on PATH: install it")
expect_error("./no-such.sh" "\\./no-such\\.sh of COMMAND does not exist, neither in the project's folder")
foreach(line IN ITEMS ./build.sh true "[[${CMAKE_COMMAND}]] -E true")
  build("${line}")
  if(NOT result EQUAL 0)
    message(SEND_ERROR "${line}: ${result}: ${output}")
  endif()
endforeach()
