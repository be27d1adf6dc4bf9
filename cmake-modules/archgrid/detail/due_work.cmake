# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

# Tells whether a built cell is what its sources would make today, by asking Ninja.
include_guard(GLOBAL)

# Sets OUT to a hash of what Ninja would do in BUILD to make GOALS and to configure again, empty where that is nothing, and
# EDITED_OUT to whether a file is older than one that it is made of. Where Ninja would configure first, as it always would for
# globs of CONFIGURE_DEPENDS, its dry run ends there: a link is the same graph as a file that no command makes.
function(_archgrid_find_due_work ninja build goals out edited_out)
  get_filename_component(name "${build}" NAME)
  if(NOT EXISTS "${build}.ninja")
    file(CREATE_LINK "${name}/build.ninja" "${build}.ninja" SYMBOLIC)
  endif()
  set(due "")
  foreach(dry_run IN ITEMS "build.ninja" "-f;../${name}.ninja;${goals}")
    execute_process(COMMAND "${ninja}" -C "${build}" -n -d explain ${dry_run} OUTPUT_VARIABLE output ERROR_VARIABLE output)
    if(NOT output MATCHES "ninja: no work to do")
      string(REGEX REPLACE " \\([0-9]+ vs [0-9]+\\)" "" output "${output}") # times of files
      string(APPEND due "${output}")
    endif()
  endforeach()
  set(edited FALSE)
  if(due MATCHES "older than most recent input")
    set(edited TRUE)
  endif()
  if(NOT due STREQUAL "")
    string(SHA256 due "${due}")
  endif()
  set(${out} "${due}" PARENT_SCOPE)
  set(${edited_out} "${edited}" PARENT_SCOPE)
endfunction()
