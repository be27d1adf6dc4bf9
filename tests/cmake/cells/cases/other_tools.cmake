# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

# Checks the copy of the sources of a build command with the tools of busybox: find without -printf
# suffices, and an error asks for GNU tar before anything is copied.
include("${CASE_SOURCE}/../command_config.cmake")
set(project "${CASE_BINARY}/project [1]")
set(build "${CASE_BINARY}/build")
file(WRITE "${project}/src/a.h" "// a\n")
file(CREATE_LINK "src/a.h" "${project}/link.h" SYMBOLIC)

# replace(<tool> <lines of a shell script>): puts this tool on PATH.
function(replace tool script)
  file(WRITE "${CASE_BINARY}/bin/${tool}" "#!/bin/sh\n${script}\n")
  file(CHMOD "${CASE_BINARY}/bin/${tool}" PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE)
endfunction()

# build(<result> <output>): runs the command.
function(build result output)
  write_command_config("${project}" "${build}" true)
  execute_process(COMMAND "${CMAKE_COMMAND}" -E env "PATH=${CASE_BINARY}/bin:$ENV{PATH}" "${CMAKE_COMMAND}"
    "-DCONFIG=${CASE_BINARY}/config.cmake" "-DBUILD=${build}"
    -P "${ARCHGRID_MODULES}/archgrid/detail/command_cell/run.cmake"
    RESULT_VARIABLE code OUTPUT_VARIABLE text ERROR_VARIABLE text)
  set(${result} "${code}" PARENT_SCOPE)
  set(${output} "${text}" PARENT_SCOPE)
endfunction()

find_program(find find REQUIRED)
replace(find "case \" $* \" in *' -printf '*) echo 'find: unrecognized: -printf' >&2; exit 1;; esac
exec '${find}' \"$@\"")
build(result output)
if(NOT result EQUAL 0 OR NOT EXISTS "${build}/source/src/a.h" OR NOT IS_SYMLINK "${build}/source/link.h")
  message(SEND_ERROR "without -printf: ${result}: ${output}")
endif()

# Old ones of busybox accept an empty archive.
replace(tar "case $1 in --version) echo 'tar (busybox) 1.36.1';; *x*) exit 0;;
*) echo 'tar: unrecognized option: format=posix' >&2; exit 1;; esac")
file(REMOVE_RECURSE "${build}")
build(result output)
if(result EQUAL 0 OR NOT output MATCHES "error: copying the sources needs GNU tar: install the package .tar."
    OR NOT output MATCHES "no GNU tar: 0 tar \\(busybox\\) 1\\.36\\.1" OR EXISTS "${build}/source")
  message(SEND_ERROR "busybox's tar: ${result}: ${output}")
endif()
