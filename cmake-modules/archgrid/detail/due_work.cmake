# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

# Asks Ninja whether a built cell is up to date with its sources. Ninja gives only one reason to
# rebuild a file, so commands that always run, and everything that depends on them, would hide
# edits. So Ninja is asked about a copy of its graph, <cell>.ninja, in which nothing always runs.
include_guard(GLOBAL)
include("${CMAKE_CURRENT_LIST_DIR}/cell_status.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/list_syntax.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/write_file.cmake")

# Files of a cell's tree that are older than everything its commands make.
set(_archgrid_oldest_file .cmake/api/v1/query/client-archgrid/codemodel-v2)
set(_archgrid_old_file archgrid.signature)

# Sets OUT to the absolute paths in TEXT, outputs or inputs of a build statement in the graph of the
# tree BUILD. Paths masked by _archgrid_mask_list_syntax() stay masked.
function(_archgrid_split_paths build text out)
  string(ASCII 5 space)
  string(REPLACE "$ " "${space}" text "${text}")
  string(REGEX REPLACE "(^| )[|][|]? " "\\1" text "${text}")
  string(REPLACE "\${cmake_ninja_workdir}" "${build}/" text "${text}")
  string(REPLACE "$:" ":" text "${text}")
  string(REPLACE "$$" "$" text "${text}")
  string(REPLACE " " ";" items "${text}")
  string(REPLACE "${space}" " " items "${items}")
  set(paths "")
  foreach(path IN LISTS items)
    if(NOT IS_ABSOLUTE "${path}")
      string(PREPEND path "${build}/")
    endif()
    list(APPEND paths "${path}")
  endforeach()
  set(${out} "${paths}" PARENT_SCOPE)
endfunction()

# Splits the outputs of a build statement of the tree BUILD, in the spelling of Ninja's graph, into
# KEPT_OUT, existing files, and GONE_OUT, missing ones.
function(_archgrid_split_outputs build text kept_out gone_out)
  string(ASCII 5 space)
  _archgrid_split_paths("${build}" "${text}" paths)
  string(REPLACE "$ " "${space}" text "${text}")
  string(REPLACE " | " " " text "${text}")
  string(REPLACE " " ";" outputs "${text}")
  set(kept "")
  set(gone "")
  foreach(output path IN ZIP_LISTS outputs paths)
    _archgrid_unmask_list_syntax("${path}" path)
    string(REPLACE "${space}" "$ " output "${output}")
    if(EXISTS "${path}")
      string(APPEND kept " ${output}")
    else()
      string(APPEND gone " ${output}")
    endif()
  endforeach()
  set(${kept_out} "${kept}" PARENT_SCOPE)
  set(${gone_out} "${gone}" PARENT_SCOPE)
endfunction()

# Rewrites custom commands in GRAPH_VARIABLE, the graph of the tree BUILD masked by
# _archgrid_mask_list_syntax(). A command always runs if some of its outputs are missing after a
# build. Such a command now makes only the existing files, and the missing ones become phony outputs
# of these. If all outputs are missing, its inputs are watched for edits instead.
function(_archgrid_still_commands build graph_variable)
  set(graph "${${graph_variable}}")
  string(REGEX MATCHALL "\nbuild [^\n]*: CUSTOM_COMMAND[^\n]*" lines "${graph}")
  set(inputs "")
  set(others "")
  foreach(line IN LISTS lines)
    string(REGEX MATCH "^\nbuild (.*): CUSTOM_COMMAND(.*)$" line "${line}")
    set(rest "${CMAKE_MATCH_2}")
    _archgrid_split_outputs("${build}" "${CMAKE_MATCH_1}" kept gone)
    if(gone STREQUAL "")
      continue()
    elseif(kept STREQUAL "")
      string(REGEX REPLACE " [|][|]? " " " all "${rest}")
      string(REPLACE "${line}" "\nbuild${gone}: phony || ${_archgrid_oldest_file}${all}" graph "${graph}")
      string(REGEX REPLACE " [|][|] .*$" "" rest "${rest}")
      string(REPLACE " | " " " rest "${rest}")
      string(APPEND inputs "${rest}")
    else()
      string(REPLACE "${line}" "\nbuild${kept}: CUSTOM_COMMAND${rest}" graph "${graph}")
      string(APPEND others "build${gone}: phony ||${kept}\n")
    endif()
  endforeach()
  if(NOT inputs STREQUAL "")
    string(APPEND others
      "rule archgrid_always\n  command = true\n  generator = 1\nbuild ${_archgrid_old_file}: archgrid_always${inputs}\n")
  endif()
  set(${graph_variable} "${graph}\n${others}" PARENT_SCOPE)
endfunction()

# Writes <cell>.ninja for the tree BUILD, in which everything has been built.
function(_archgrid_write_still_graph ninja build goals)
  file(READ "${build}/build.ninja" graph)
  _archgrid_mask_list_syntax("${graph}" graph)
  # _archgrid_explain_due() checks the globs itself.
  string(REGEX REPLACE "(: VERIFY_GLOBS) [^\n]*" "\\1" graph "${graph}")
  set(plain "${graph}")
  execute_process(COMMAND "${ninja}" -C "${build}" -n -d explain -f build.ninja ${goals}
    OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(NOT output MATCHES "ninja: no work to do")
    _archgrid_still_commands("${build}" graph)
  endif()
  foreach(text IN ITEMS graph plain)
    _archgrid_unmask_list_syntax("${${text}}" content)
    _archgrid_write_if_changed("${build}.ninja" "${content}")
    execute_process(COMMAND "${ninja}" -C "${build}" -n -f "${build}.ninja" ${goals}
      RESULT_VARIABLE result OUTPUT_QUIET ERROR_QUIET)
    if(result EQUAL 0)
      break()
    endif()
  endforeach()
endfunction()

# Sets OUT to what Ninja reports as due for GOALS in the tree BUILD by <cell>.ninja: one reason per
# line, without times of outputs. Compares the globs of CONFIGURE_DEPENDS first, which marks changed
# ones for Ninja.
function(_archgrid_explain_due ninja build goals out)
  set(due "")
  if(EXISTS "${build}/CMakeFiles/VerifyGlobs.cmake")
    execute_process(COMMAND "${CMAKE_COMMAND}" -P "${build}/CMakeFiles/VerifyGlobs.cmake" WORKING_DIRECTORY "${build}"
      RESULT_VARIABLE result OUTPUT_QUIET ERROR_QUIET)
    if(NOT result EQUAL 0)
      string(APPEND due "globs cannot be compared\n")
    endif()
  endif()
  _archgrid_ask_ninja("${ninja}" "${build}" "${build}.ninja" "${goals}" lines)
  set(${out} "${due}${lines}" PARENT_SCOPE)
endfunction()

# Sets OUT to the reasons, one per line, that NINJA gives for what it would do in FOLDER by GRAPH to
# build GOALS.
function(_archgrid_ask_ninja ninja folder graph goals out)
  execute_process(COMMAND "${ninja}" -C "${folder}" -n -d explain -f "${graph}" ${goals}
    RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE output)
  _archgrid_mask_list_syntax("${output}" output)
  string(REGEX MATCHALL "ninja (explain|error): [^\n]*" lines "${output}")
  string(REGEX REPLACE " \\([0-9]+ vs ([0-9]+)\\)" " (\\1)" lines "${lines}")
  list(SORT lines)
  list(REMOVE_DUPLICATES lines)
  if(NOT result EQUAL 0)
    list(APPEND lines "ninja ended with ${result}")
  endif()
  list(JOIN lines "\n" lines)
  set(${out} "${lines}" PARENT_SCOPE)
endfunction()

# Sets OUT to the reasons for the trees of nested builds below BUILD, for example of an external
# project.
function(_archgrid_explain_nested ninja build out)
  file(GLOB_RECURSE graphs "${build}/build.ninja")
  list(REMOVE_ITEM graphs "${build}/build.ninja")
  list(SORT graphs)
  set(due "")
  foreach(graph IN LISTS graphs)
    get_filename_component(folder "${graph}" DIRECTORY)
    _archgrid_ask_ninja("${ninja}" "${folder}" build.ninja "" lines)
    string(APPEND due "${folder}\n${lines}\n")
  endforeach()
  set(${out} "${due}" PARENT_SCOPE)
endfunction()

# Reports whether CMake would have to configure the tree BUILD again since <cell>.ninja was written.
function(_archgrid_is_configuring_due ninja build out)
  set(${out} TRUE PARENT_SCOPE)
  if(EXISTS "${build}.ninja")
    _archgrid_explain_due("${ninja}" "${build}" build.ninja due)
    if(due STREQUAL "")
      set(${out} FALSE PARENT_SCOPE)
    endif()
  endif()
endfunction()

# Sets OUT to a hash of the graph of the tree BUILD and of what Ninja would do to build GOALS and to
# configure again, and EDITED_OUT to whether a file is older than a source. Files that are older
# than an output of the build do not count: they may be so after each build.
function(_archgrid_find_due_work ninja build goals out edited_out)
  list(APPEND goals build.ninja)
  file(STRINGS "${build}.ninja" always REGEX "^rule archgrid_always$")
  if(always)
    list(APPEND goals ${_archgrid_old_file})
  endif()
  _archgrid_explain_due("${ninja}" "${build}" "${goals}" due)
  _archgrid_explain_nested("${ninja}" "${build}" nested)
  set(edited FALSE)
  string(APPEND due "\n${nested}")
  _archgrid_mask_list_syntax("${build}" tree)
  string(REPLACE "output ${_archgrid_old_file} older" "" seen "${due}")
  string(REPLACE "most recent input ${tree}/" "" seen "${seen}")
  if(seen MATCHES "older than most recent input /|build[.]ninja older than")
    set(edited TRUE)
  endif()
  set(graph "")
  if(EXISTS "${build}/build.ninja")
    file(SHA256 "${build}/build.ninja" graph)
  endif()
  string(SHA256 due "${graph}\n${due}")
  set(${out} "${due}" PARENT_SCOPE)
  set(${edited_out} "${edited}" PARENT_SCOPE)
endfunction()

# Marks the cell ID of TREE as edited if Ninja would build it differently now than when DUE was
# recorded. Sets OUT to whether it did, or to NO_NINJA if that Ninja no longer exists.
function(_archgrid_mark_if_edited tree id due out)
  include("${tree}/cells/${id}.config.cmake") # cell_ninja, cell_targets
  if(NOT EXISTS "${cell_ninja}")
    set(${out} NO_NINJA PARENT_SCOPE)
    return()
  endif()
  set(goals all)
  if(cell_targets)
    set(goals ${cell_targets})
  endif()
  _archgrid_find_due_work("${cell_ninja}" "${tree}/cells/${id}" "${goals}" now edited)
  set(${out} FALSE PARENT_SCOPE)
  if(NOT now STREQUAL due)
    _archgrid_mark_edited("${tree}/cells/${id}.json")
    set(${out} TRUE PARENT_SCOPE)
  endif()
endfunction()
