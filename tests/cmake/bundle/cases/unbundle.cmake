# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

# Checks that archgrid_unbundle writes only into a new folder: it rejects other archives before
# unpacking.
set(script "${ARCHGRID_MODULES}/archgrid/unbundle.cmake")

# Packs MEMBERS of ${CASE_BINARY}/in with GNU tar and OPTIONS. Expects RESULT from unpacking, and
# output that matches TEXT.
function(expect name result text)
  cmake_parse_arguments(PARSE_ARGV 3 arg "" "" "MEMBERS;OPTIONS")
  execute_process(COMMAND tar -c -f "${CASE_BINARY}/${name}.tar" ${arg_OPTIONS} ${arg_MEMBERS}
    WORKING_DIRECTORY "${CASE_BINARY}/in" ERROR_QUIET COMMAND_ERROR_IS_FATAL ANY)
  unpack(${name} code output)
  if(NOT code EQUAL result OR NOT output MATCHES "${text}")
    message(FATAL_ERROR "${name}: expected ${result} and \"${text}\", got ${code}: ${output}")
  endif()
  if(result EQUAL 1 AND EXISTS "${CASE_BINARY}/out/${name}")
    message(FATAL_ERROR "${name}: refused, and ${CASE_BINARY}/out/${name} is there")
  endif()
  file(GLOB left "${CASE_BINARY}/out/*.partial*" "${CASE_BINARY}/out/escaped" "${CASE_BINARY}/escaped")
  if(left)
    message(FATAL_ERROR "${name}: left ${left}")
  endif()
endfunction()

function(unpack name code output)
  execute_process(COMMAND "${CMAKE_COMMAND}" "-DARCHIVE=${CASE_BINARY}/${name}.tar"
    "-DOUTPUT=${CASE_BINARY}/out/${name}" -P "${script}"
    RESULT_VARIABLE result OUTPUT_VARIABLE text ERROR_VARIABLE text)
  string(REGEX REPLACE "[ \n]+" " " text "${text}")
  set(${code} "${result}" PARENT_SCOPE)
  set(${output} "${text}" PARENT_SCOPE)
endfunction()

file(MAKE_DIRECTORY "${CASE_BINARY}/out")
file(WRITE "${CASE_BINARY}/in/escaped" "text")
file(WRITE "${CASE_BINARY}/in/folder/libx.so.1..2" "text")
file(WRITE "${CASE_BINARY}/in/folder/..name" "text")
file(CREATE_LINK libx.so.1..2 "${CASE_BINARY}/in/folder/libx.so" SYMBOLIC)
file(CREATE_LINK ..name "${CASE_BINARY}/in/folder/dots" SYMBOLIC)
expect(good 0 "^$" MEMBERS . )
if(NOT EXISTS "${CASE_BINARY}/out/good/folder/libx.so" OR NOT EXISTS "${CASE_BINARY}/out/good/folder/dots")
  message(FATAL_ERROR "not all of the good archive was unpacked")
endif()
unpack(good code output)
if(NOT code EQUAL 1 OR NOT output MATCHES "exists. Remove it")
  message(FATAL_ERROR "unpacked over a folder: ${code}, ${output}")
endif()

expect(upwards 1 "the member [.][.]/escaped would be written outside" MEMBERS escaped OPTIONS -P "--transform=s,^,../,")
expect(middle 1 "the member a/[.][.]/[.][.]/escaped would" MEMBERS escaped OPTIONS -P "--transform=s,^,a/../../,")
expect(absolute 1 "the member /.*escaped would" MEMBERS "${CASE_BINARY}/in/escaped" OPTIONS -P)
string(ASCII 10 line_break)
expect(line_break 1 "would be written outside|not a file" MEMBERS escaped OPTIONS -P "--transform=s,^,a\\n../,")
file(CREATE_LINK "${CASE_BINARY}" "${CASE_BINARY}/in/absolute" SYMBOLIC)
expect(absolute_link 1 "a link leads to /" MEMBERS absolute)
file(CREATE_LINK ../.. "${CASE_BINARY}/in/up" SYMBOLIC)
expect(upward_link 1 "a link leads to [.][.]/[.][.]" MEMBERS up)
file(CREATE_LINK folder/../.. "${CASE_BINARY}/in/through" SYMBOLIC)
expect(inner_link 1 "a link leads to folder/[.][.]/[.][.]" MEMBERS through)
file(CREATE_LINK .. "${CASE_BINARY}/in/parent -> folder" SYMBOLIC)
expect(arrow_link 1 "a link leads to" MEMBERS "parent -> folder")
execute_process(COMMAND ln escaped hard WORKING_DIRECTORY "${CASE_BINARY}/in" COMMAND_ERROR_IS_FATAL ANY)
expect(hard_link 1 "not a file, a folder or a symbolic link" MEMBERS escaped hard)
execute_process(COMMAND mkfifo "${CASE_BINARY}/in/pipe" COMMAND_ERROR_IS_FATAL ANY)
expect(pipe 1 "not a file, a folder or a symbolic link" MEMBERS pipe)
file(WRITE "${CASE_BINARY}/broken.tar" "no archive at all")
unpack(broken code output)
if(NOT code EQUAL 1)
  message(FATAL_ERROR "no archive was taken for one: ${output}")
endif()
