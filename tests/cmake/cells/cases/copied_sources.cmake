# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

# Checks the copy of the sources in which the cell of a build command works: names, modes, times and
# symbolic links. The command is a script that writes through the links.
include("${CASE_SOURCE}/../command_config.cmake")
set(project "${CASE_BINARY}/my project")
set(outside "${CASE_BINARY}/outside")
set(build "${CASE_BINARY}/build")
set(copy "${build}/source")
file(WRITE "${outside}/shared.h" "// shared\n")
file(WRITE "${project}/src/plain.h" "// plain\n")
file(WRITE "${project}/src/[odd] $name#.h" "// odd\n")
file(WRITE "${project}/-option.h" "// option\n")
file(WRITE "${project}/build.sh"
  "#!/bin/sh\ncat links/file.h links/folder/shared.h links/again.h >out\necho '// changed' >>links/absolute.h\nln -sf src/plain.h own.h\n")
file(CHMOD "${project}/build.sh" PERMISSIONS OWNER_READ OWNER_EXECUTE)
file(WRITE "${project}/locked/read_only.h" "// read only\n")
file(WRITE "${project}/locked/another.h" "// another\n")
file(MAKE_DIRECTORY "${project}/links")
file(CREATE_LINK "../../outside/shared.h" "${project}/links/file.h" SYMBOLIC)
file(CREATE_LINK "../../outside" "${project}/links/folder" SYMBOLIC)
file(CREATE_LINK "../src/plain.h" "${project}/links/inside.h" SYMBOLIC)
file(CREATE_LINK "../../my project/src/plain.h" "${project}/links/again.h"
  SYMBOLIC) # leaves and returns
file(CREATE_LINK "${project}/src/plain.h" "${project}/links/absolute.h" SYMBOLIC)
file(CREATE_LINK "${project}" "${CASE_BINARY}/by_link" SYMBOLIC)
file(CREATE_LINK "nowhere" "${project}/links/dangling" SYMBOLIC)
execute_process(COMMAND touch -d "2020-01-02 03:04:05.678901234" "${project}/src/plain.h" COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND ln "${project}/src/plain.h" "${project}/src/hard.h" COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND chmod 555 "${project}/locked" COMMAND_ERROR_IS_FATAL ANY)

# build_in(<source> <incremental>): runs the command for the sources in this folder.
function(build_in source incremental)
  write_command_config("${source}" "${build}" ./build.sh ${incremental})
  execute_process(COMMAND "${CMAKE_COMMAND}" "-DCONFIG=${CASE_BINARY}/config.cmake" "-DBUILD=${build}"
    -P "${ARCHGRID_MODULES}/archgrid/detail/command_cell/run.cmake" COMMAND_ERROR_IS_FATAL ANY)
endfunction()

# expect_text(<file> <text>)
function(expect_text file text)
  set(found "no file")
  if(EXISTS "${file}")
    file(READ "${file}" found)
  endif()
  if(NOT found STREQUAL text)
    message(SEND_ERROR "${file} is \"${found}\", not \"${text}\"")
  endif()
endfunction()

foreach(source IN ITEMS "${project}" "${CASE_BINARY}/by_link")
  foreach(incremental IN ITEMS FALSE TRUE)
    build_in("${source}" ${incremental})
    expect_text("${copy}/out" "// shared\n// shared\n// plain\n")
    expect_text("${copy}/src/[odd] $name#.h" "// odd\n")
    expect_text("${copy}/-option.h" "// option\n")
    expect_text("${copy}/locked/another.h" "// another\n")
    expect_text("${copy}/links/inside.h" "// plain\n// changed\n") # written through absolute.h
    expect_text("${copy}/links/again.h" "// plain\n// changed\n")
    expect_text("${copy}/src/hard.h" "// plain\n") # no link to src/plain.h in the copy
    expect_text("${project}/src/plain.h" "// plain\n")
    file(READ_SYMLINK "${copy}/links/inside.h" inside)
    if(NOT inside STREQUAL "../src/plain.h" OR NOT IS_SYMLINK "${copy}/links/dangling"
        OR NOT IS_SYMLINK "${copy}/own.h")
      message(SEND_ERROR "links/inside.h of the copy leads to ${inside}")
    endif()
    file(READ "${build}/command.d" watched)
    foreach(path IN ITEMS "/src/plain.h" "/src/[odd]\\ $$name\\#.h" "/links/file.h" "/locked")
      string(REPLACE " " "\\ " name "${source}")
      string(FIND "${watched}" "  ${name}${path}" place)
      if(place EQUAL -1)
        message(SEND_ERROR "${source}${path} is not watched:\n${watched}")
      endif()
    endforeach()
    execute_process(COMMAND stat -c "%y" "${copy}/src/hard.h" OUTPUT_VARIABLE time)
    if(NOT time MATCHES "05\\.678901234")
      message(SEND_ERROR "src/hard.h of the copy has the time ${time}")
    endif()
  endforeach()
endforeach()

# A file becomes a link, and a link a file: an incremental build writes through neither.
file(RENAME "${project}/-option.h" "${project}/links/file.h")
file(CREATE_LINK "../outside/shared.h" "${project}/-option.h" SYMBOLIC)
build_in("${project}" TRUE)
expect_text("${copy}/links/file.h" "// option\n")
expect_text("${copy}/-option.h" "// shared\n")
expect_text("${outside}/shared.h" "// shared\n")
execute_process(COMMAND chmod 755 "${project}/locked")
