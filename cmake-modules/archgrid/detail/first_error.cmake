# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

# Finds the first error in the log of a cell's build: one line for people, for the cell's status.
include_guard(GLOBAL)
include("${CMAKE_CURRENT_LIST_DIR}/list_syntax.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/utf8.cmake")

# Matches lines that report an error: those of compilers and linkers, then of nvcc's tools, then of
# the system.
set(_archgrid_error_line
  "(error|fatal)( #[0-9-]+-?[A-Z]*)? ?:|^(nvcc|ptxas|nvlink|fatbinary|cudafe\\+\\+|cicc|bin2c) +(fatal|error)|: error |undefined reference to|undefined symbol|multiple definition of|cannot find -l|No rule to make|No such file or directory|[Pp]ermission denied|No space left on device|command not found|[Kk]illed|[Ss]egmentation fault|Traceback")

# Sets OUT to the message of the first failed Ninja command in the text LOG, as "<what happened>:
# <line>". Paths below FOLDERS become relative.
function(_archgrid_first_build_error log folders out)
  string(FIND "${log}" "FAILED:" start)
  if(start EQUAL -1)
    string(REGEX MATCH "ninja: (error|fatal): [^\n]*" line "${log}")
    _archgrid_shorten("its build fails: ${line}" "${folders}" line)
    set(${out} "${line}" PARENT_SCOPE)
    return()
  endif()
  string(SUBSTRING "${log}" ${start} 200000 text)
  # The failed output, its command, and the output of that command.
  string(REGEX MATCH "^([^\n]*)\n[^\n]*\n?(.*)" text "${text}")
  set(failed "${CMAKE_MATCH_1}")
  set(text "${CMAKE_MATCH_2}")
  string(REGEX REPLACE "\nFAILED:.*" "" text "${text}") # drops later failures
  _archgrid_mask_list_syntax("${text}" text)
  string(REGEX MATCHALL "[^\n]+" lines "${text}")
  set(found "")
  set(first "")
  foreach(line IN LISTS lines)
    if(line MATCHES "${_archgrid_error_line}" AND NOT line MATCHES "^[0-9_/]+ (Building|Linking)")
      set(found "${line}")
      break()
    elseif(first STREQUAL "")
      set(first "${line}")
    endif()
  endforeach()
  if(found STREQUAL "")
    set(found "${first}")
  endif()
  _archgrid_unmask_list_syntax("${found}" found)
  # nvcc's own advice is to allow the version.
  if(found MATCHES "unsupported (GNU|clang) version")
    set(found
      "nvcc took a host compiler that it does not support. Where the project calls nvcc itself, pass -ccbin \${CMAKE_CUDA_HOST_COMPILER}")
  endif()
  set(what "its build fails")
  if(found MATCHES "undefined reference to|undefined symbol|multiple definition of|cannot find -l|nvlink")
    set(what "it does not link")
  elseif(failed MATCHES "\\.(o|obj|ptx|cubin|fatbin)( |$)")
    set(what "it does not compile")
  endif()
  _archgrid_shorten("${what}: ${found}" "${folders}" line)
  set(${out} "${line}" PARENT_SCOPE)
endfunction()

# Sets OUT to the first "CMake Error" in the text LOG, as "<file>:<line>: <message>", or to nothing.
function(_archgrid_first_configure_error log folders out)
  set(${out} "" PARENT_SCOPE)
  if("\n${log}" MATCHES "\nCMake Error( at ([^\n(]*))?( \\([^\n]*\\))?:([^\n]*(\n+  [^\n]*)?(\n  [^\n]+)*)")
    set(place "${CMAKE_MATCH_2}")
    string(REGEX REPLACE "[ \n]+" " " message "${CMAKE_MATCH_4}")
    string(STRIP "${message}" message)
    if(message MATCHES "set to NOTFOUND\\.$")
      string(REGEX MATCHALL "\n[A-Za-z0-9_.-]+( \\(ADVANCED\\))?\n    (linked by|used as)" names "${log}")
      list(TRANSFORM names REPLACE "^\n([A-Za-z0-9_.-]+).*" "\\1")
      list(REMOVE_DUPLICATES names)
      list(JOIN names ", " names)
      set(message "what it needs was not found: ${names}")
    # CMake lets Ninja read the files that it generated.
    elseif(message STREQUAL "Running" AND log MATCHES "ninja: error: [^\n]+")
      set(message "${CMAKE_MATCH_0}")
    endif()
    if(place)
      string(STRIP "${place}" place)
      set(message "${place}: ${message}")
    endif()
    _archgrid_shorten("${message}" "${folders}" line)
    set(${out} "${line}" PARENT_SCOPE)
  endif()
endfunction()

# Sets OUT to at most 300 bytes of TEXT, with paths below FOLDERS made relative.
function(_archgrid_shorten text folders out)
  foreach(folder IN LISTS folders)
    string(REPLACE "${folder}/" "" text "${text}")
  endforeach()
  string(STRIP "${text}" text)
  string(LENGTH "${text}" length)
  if(length GREATER 300)
    string(SUBSTRING "${text}" 0 297 text)
    _archgrid_drop_partial_utf8("${text}" text)
    string(APPEND text "...")
  endif()
  set(${out} "${text}" PARENT_SCOPE)
endfunction()
