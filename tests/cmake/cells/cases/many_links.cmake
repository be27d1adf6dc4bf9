# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

# Checks that mending the links of a copy takes time for each link, not for each pair of a link and
# a source. Compares processor times, which other load hardly changes.
include("${CASE_SOURCE}/../command_config.cmake")
set(project "${CASE_BINARY}/project")

# measure(<out>): copies the project, and sets OUT to the processor time in hundredths of a second.
function(measure out)
  set(build "${CASE_BINARY}/${out}")
  write_command_config("${project}" "${build}" true)
  execute_process(COMMAND sh -c "\"$@\" && times" sh "${CMAKE_COMMAND}" "-DCONFIG=${CASE_BINARY}/config.cmake"
    "-DBUILD=${build}" -P "${ARCHGRID_MODULES}/archgrid/detail/command_cell/run.cmake"
    OUTPUT_VARIABLE text COMMAND_ERROR_IS_FATAL ANY)
  # The second line has the children's times, of the user first.
  if(NOT text MATCHES "\n([0-9]+)m([0-9]+)\\.([0-9][0-9])[0-9]*s [^\n]*\n$")
    message(FATAL_ERROR "no times: ${text}")
  endif()
  math(EXPR time "${CMAKE_MATCH_1} * 6000 + ${CMAKE_MATCH_2} * 100 + 1${CMAKE_MATCH_3} - 100")
  set(${out} ${time} PARENT_SCOPE)
endfunction()

file(MAKE_DIRECTORY "${project}/src" "${project}/links")
execute_process(COMMAND sh -c "seq 10000 | sed 's/$/.h/' | xargs touch"
  WORKING_DIRECTORY "${project}/src" COMMAND_ERROR_IS_FATAL ANY)
measure(without_links)
execute_process(COMMAND sh -c "ln -s ../src/[1-4]???.h ."
  WORKING_DIRECTORY "${project}/links" COMMAND_ERROR_IS_FATAL ANY)
measure(with_links)
file(GLOB links "${CASE_BINARY}/with_links/source/links/*.h")
list(LENGTH links count)
math(EXPR most "${without_links} * 3") # 4000 links for 10000 files; pairs took 10 times as long
if(NOT count EQUAL 4000)
  message(FATAL_ERROR "the copy has ${count} links")
elseif(with_links GREATER most)
  message(FATAL_ERROR "${with_links} instead of ${without_links} hundredths of a second for ${count} links")
endif()
