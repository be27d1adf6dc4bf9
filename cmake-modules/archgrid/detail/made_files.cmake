# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

# Asks Ninja which files of a tree are outputs of commands of its build.
include_guard(GLOBAL)
include("${CMAKE_CURRENT_LIST_DIR}/device_code.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/list_syntax.cmake")

# Sets the record OUTPUTS to the files that commands of the current build make in the tree BUILD:
# <outputs>_<path> for each, masked by _archgrid_mask_list_syntax(). Reads the whole graph once:
# asking Ninja about one file takes as long.
function(_archgrid_read_outputs build ninja outputs)
  execute_process(COMMAND "${ninja}" -t targets all WORKING_DIRECTORY "${build}"
    OUTPUT_VARIABLE targets COMMAND_ERROR_IS_FATAL ANY)
  _archgrid_split_lines("${targets}" targets)
  list(TRANSFORM targets REPLACE ": [^:]*$" "") # drops the rule
  foreach(path IN LISTS targets)
    set("${outputs}_${path}" TRUE PARENT_SCOPE)
  endforeach()
endfunction()

# Reports whether a command makes the file PATH, according to the record OUTPUTS of
# _archgrid_read_outputs().
function(_archgrid_is_made path outputs out)
  _archgrid_mask_list_syntax("${path}" path)
  set(${out} FALSE PARENT_SCOPE)
  if(DEFINED "${outputs}_${path}")
    set(${out} TRUE PARENT_SCOPE)
  endif()
endfunction()

# Reports whether the command that makes PATH consists only of copying and related file operations.
function(_archgrid_is_copied build ninja path out)
  set(${out} TRUE PARENT_SCOPE)
  execute_process(COMMAND "${ninja}" -t commands "${path}" WORKING_DIRECTORY "${build}"
    OUTPUT_VARIABLE commands COMMAND_ERROR_IS_FATAL ANY)
  _archgrid_split_lines("${commands}" commands)
  # The other commands make its inputs.
  list(POP_BACK commands command)
  string(REPLACE " && " ";" steps "${command}")
  set(tools
    "(cd|cp|ln|mv|install|mkdir|chmod|touch|true|:|cmake -E (copy|create_|rename|make_directory|touch|rm|remove|echo|true)[a-z_]*)")
  foreach(step IN LISTS steps)
    if(NOT step MATCHES "^([^ ]*/)?${tools}( |$)")
      set(${out} FALSE PARENT_SCOPE)
    endif()
  endforeach()
endfunction()
