# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

include_guard(GLOBAL)
include("${CMAKE_CURRENT_LIST_DIR}/detail/arch_lists.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/detail/enable_testing.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/detail/matrix_promises.cmake")

#[=======================================================================[.rst:
archgrid_promise
----------------

Declares which GPUs this project promises to support; :command:`archgrid_audit` proves it::

  archgrid_promise(DEVICES <GPU>... [ACCEPT <verdict>...] [DRIVER <branch>] [IGNORE <ignore>...])
  archgrid_promise(MATRIX <matrix.json> [TOOLKIT <X.Y>] [IGNORE <ignore>...])

``DEVICES``
  GPUs by compute capability, ``8.0 8.6 9.0``, architecture, ``sm_80``, or name, ``A100``; also
  with commas between them.
``ACCEPT``
  Accepted verdicts: ``native compatible`` by default; add ``jit`` if PTX may serve.
``DRIVER``
  The oldest supported driver branch, ``580``: PTX that it cannot read does not count.
``MATRIX``
  Uses the promises of a matrix file instead. ``TOOLKIT`` selects those of one toolkit (default: the
  CUDA compiler's); audits fail if the file does not list it. The file also contains ignores:
  ``"ignore": [{"kernel": "*_debug*", "reason": "..."}]`` ignores findings of those kernels in each
  audited target.
``IGNORE``
  Ignores errors in each audited target, as ``--ignore`` of the command:
  ``"[code:]pattern[@GPU,...]=reason"``. With it, or with ``MATRIX``, an audit allows ignores that
  match no kernel of its target, as they may be for another one.

Applies to audits that this folder and those below it add afterwards, and replaces an earlier
promise. A warning names each promise that no audit proves: when it is replaced, or when CMake
finishes. A matrix file can contain several promises at a time. Enables tests like
:command:`archgrid_audit`, so that ctest forgets audits that the project no longer has. Errors:
neither or both of DEVICES and MATRIX; a device that does not exist; a verdict that does not exist
or with which a kernel does not run; a missing matrix file; an ``IGNORE`` that is empty, or without
a reason, or with an unknown code, or with a GPU after the @ that is not promised.
#]=======================================================================]
function(archgrid_promise)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "MATRIX;TOOLKIT;DRIVER" "DEVICES;ACCEPT;IGNORE")
  _archgrid_refuse_unknown_of_promise(arg)
  _archgrid_options_of_promise(arg options)
  _archgrid_check_ignores(archgrid_promise arg "${options}")
  if(arg_IGNORE AND NOT arg_MATRIX)
    list(APPEND options --allow-unused-ignores)
  endif()
  foreach(ignore IN LISTS arg_IGNORE)
    list(APPEND options --ignore "${ignore}")
  endforeach()
  _archgrid_enable_testing()
  get_property(before DIRECTORY PROPERTY ARCHGRID_PROMISE)
  if(before STREQUAL options)
    return()
  endif()
  get_property(is_audited DIRECTORY PROPERTY ARCHGRID_PROMISE_AUDITED)
  if(before AND NOT is_audited)
    list(JOIN before " " before)
    message(WARNING
      "archgrid_promise: nothing is audited for the promise before this one (${before}), which it replaces. Call archgrid_audit between the two, or write both into a matrix file: archgrid_promise(MATRIX matrix.json)")
  endif()
  set_property(DIRECTORY PROPERTY ARCHGRID_PROMISE "${options}")
  set_property(DIRECTORY PROPERTY ARCHGRID_PROMISE_AUDITED FALSE)
  get_property(folders GLOBAL PROPERTY ARCHGRID_PROMISE_FOLDERS)
  if(NOT folders)
    cmake_language(DEFER DIRECTORY "${CMAKE_SOURCE_DIR}" CALL _archgrid_check_promises TRUE)
  endif()
  if(NOT CMAKE_CURRENT_SOURCE_DIR IN_LIST folders)
    set_property(GLOBAL APPEND PROPERTY ARCHGRID_PROMISE_FOLDERS "${CMAKE_CURRENT_SOURCE_DIR}")
  endif()
endfunction()

# Fails for arguments in the record ARG that are unknown, with the likely meaning of a list of GPUs.
function(_archgrid_refuse_unknown_of_promise arg)
  set(gpus_keyword "^(GPU|DEVICE|ARCHITECTURE|ARCH)S?$")
  foreach(word IN LISTS ${arg}_DEVICES)
    if(word MATCHES "${gpus_keyword}")
      message(FATAL_ERROR "archgrid_promise: unknown argument ${word}. List all GPUs after DEVICES.")
    endif()
  endforeach()
  if(${arg}_UNPARSED_ARGUMENTS)
    list(TRANSFORM ${arg}_UNPARSED_ARGUMENTS REPLACE "^(.* .*)$" "\"\\1\"" OUTPUT_VARIABLE quoted)
    list(JOIN quoted " " unknown)
    list(FILTER ${arg}_UNPARSED_ARGUMENTS EXCLUDE REGEX "${gpus_keyword}")
    _archgrid_are_devices("${${arg}_UNPARSED_ARGUMENTS}" are_devices)
    set(meant "")
    if(${arg}_UNPARSED_ARGUMENTS AND are_devices)
      list(TRANSFORM ${arg}_UNPARSED_ARGUMENTS REPLACE "^(.* .*)$" "\"\\1\"")
      list(JOIN ${arg}_UNPARSED_ARGUMENTS " " devices)
      set(meant " Did you mean DEVICES ${devices}?")
    endif()
    message(FATAL_ERROR
      "archgrid_promise: unknown arguments: ${unknown}.${meant} Known: DEVICES ACCEPT DRIVER IGNORE, or MATRIX TOOLKIT IGNORE.")
  endif()
endfunction()

# Sets OUT to the options of `archgrid audit` for the parsed arguments in the record ARG. Fails for
# arguments that make no promise.
function(_archgrid_options_of_promise arg out)
  if(${arg}_MATRIX AND ${arg}_DEVICES OR NOT ${arg}_MATRIX AND NOT ${arg}_DEVICES)
    message(FATAL_ERROR
      "archgrid_promise: say either DEVICES or MATRIX. For example: archgrid_promise(DEVICES 8.0 9.0)")
  endif()
  if(${arg}_DEVICES)
    _archgrid_read_devices("archgrid_promise: DEVICES" "${${arg}_DEVICES}" devices)
    if(NOT devices)
      message(FATAL_ERROR "archgrid_promise: DEVICES: no GPU is named. Write, for example, DEVICES 8.0 9.0")
    endif()
    # Without --accept, `archgrid audit` treats --devices as a question, not as a promise.
    set(accept native compatible)
    if(${arg}_ACCEPT)
      string(REPLACE "," ";" accept "${${arg}_ACCEPT}")
    endif()
    foreach(verdict IN LISTS accept)
      _archgrid_matrix_check_accepted("archgrid_promise: ACCEPT" "${verdict}")
    endforeach()
    list(JOIN devices "," devices)
    list(JOIN accept "," accept)
    set(options --devices "${devices}" --accept "${accept}")
    if(${arg}_DRIVER)
      list(APPEND options --driver "${${arg}_DRIVER}")
    endif()
    set(${out} "${options}" PARENT_SCOPE)
    return()
  endif()
  if(${arg}_ACCEPT OR ${arg}_DRIVER)
    message(FATAL_ERROR "archgrid_promise: ACCEPT and DRIVER of a MATRIX stand in the matrix file.")
  endif()
  cmake_path(ABSOLUTE_PATH ${arg}_MATRIX BASE_DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}" NORMALIZE OUTPUT_VARIABLE matrix)
  if(NOT EXISTS "${matrix}")
    message(FATAL_ERROR "archgrid_promise: there is no matrix file ${matrix}.")
  endif()
  set(toolkit "${${arg}_TOOLKIT}")
  if(NOT toolkit)
    _archgrid_enabled_toolkit(toolkit)
  endif()
  if(NOT toolkit)
    message(FATAL_ERROR
      "archgrid_promise: the CUDA compiler here, if any, does not name its toolkit. Write TOOLKIT <X.Y>.")
  endif()
  set(${out} --matrix "${matrix}" --toolkit "${toolkit}" --allow-unused-ignores PARENT_SCOPE)
endfunction()

# Fails if the arguments of the function CALLER, in the record ARG, have an empty IGNORE, or one
# that `archgrid audit` refuses, or that names a GPU which the promise with these OPTIONS does not.
function(_archgrid_check_ignores caller arg options)
  if("IGNORE" IN_LIST ${arg}_KEYWORDS_MISSING_VALUES
      OR DEFINED ${arg}_IGNORE AND "${${arg}_IGNORE}" MATCHES "^$|^;|;;|;$")
    message(FATAL_ERROR "${caller}: IGNORE is empty. Is a variable in it empty? Else leave IGNORE out.")
  endif()
  foreach(ignore IN LISTS ${arg}_IGNORE)
    set(path "${caller}: IGNORE \"${ignore}\"")
    if(NOT ignore MATCHES "^([^=]+)=(.*[^ \t\r\n].*)$")
      message(FATAL_ERROR "${path} lacks a pattern or a reason. Write \"missing:gemm*=not shipped\".")
    endif()
    set(pattern "${CMAKE_MATCH_1}")
    _archgrid_matrix_check_reason("${path}" "${CMAKE_MATCH_2}")
    _archgrid_matrix_check_code("${path}" "${pattern}")
    _archgrid_matrix_split_ignore("${pattern}" text gpus has_gpus)
    _archgrid_check_ignored_gpus("${path}" "${gpus}" "${options}")
  endforeach()
endfunction()

# Fails if one of GPUS, which an ignore at PATH names after its @, does not exist or is not promised
# by OPTIONS.
function(_archgrid_check_ignored_gpus path gpus options)
  if(gpus STREQUAL "")
    return()
  endif()
  _archgrid_promised_devices(promised "${options}")
  foreach(gpu IN LISTS gpus)
    _archgrid_read_devices("${path}" "${gpu}" device)
    if(device AND promised AND NOT device IN_LIST promised)
      list(JOIN promised ", " names)
      _archgrid_matrix_fail("${path}" "ignores nothing: the promise is not about ${device}, after the @"
                            "write some of ${names}, or promise ${device}")
    endif()
  endforeach()
endfunction()

# Sets OUT to the devices that OPTIONS of `archgrid audit` promise: those of a matrix file for any
# toolkit. Sets it to nothing if the file is no JSON, or invalid.
function(_archgrid_promised_devices out options)
  set(devices "")
  list(GET options 1 value)
  if(options MATCHES "^--devices;")
    string(REPLACE "," ";" devices "${value}")
  else()
    file(READ "${value}" json)
    string(JSON count ERROR_VARIABLE error LENGTH "${json}" promises)
    set(place 0)
    while(place LESS count)
      string(JSON named ERROR_VARIABLE error GET "${json}" promises ${place} devices)
      string(REGEX MATCHALL "[0-9]+\\.[0-9]+" named "${named}")
      list(APPEND devices ${named})
      math(EXPR place "${place} + 1")
    endwhile()
    list(REMOVE_DUPLICATES devices)
  endif()
  set(${out} "${devices}" PARENT_SCOPE)
endfunction()

# Sets OUT to the toolkit <X.Y> with which this folder compiles CUDA, or to nothing. clang has a
# version of its own.
function(_archgrid_enabled_toolkit out)
  set(version "${CMAKE_CUDA_COMPILER_VERSION}")
  if(CMAKE_CUDA_COMPILER_ID AND NOT CMAKE_CUDA_COMPILER_ID STREQUAL "NVIDIA")
    set(version "${CMAKE_CUDA_COMPILER_TOOLKIT_VERSION}")
  endif()
  string(REGEX MATCH "^[0-9]+\\.[0-9]+" version "${version}")
  set(${out} "${version}" PARENT_SCOPE)
endfunction()

# Warns of each folder whose promise no audit proves. AGAIN defers the check once more, after
# deferred calls of the project, which may add audits.
function(_archgrid_check_promises again)
  if(again)
    cmake_language(DEFER CALL _archgrid_check_promises FALSE)
    return()
  endif()
  get_property(folders GLOBAL PROPERTY ARCHGRID_PROMISE_FOLDERS)
  foreach(folder IN LISTS folders)
    get_property(is_audited DIRECTORY "${folder}" PROPERTY ARCHGRID_PROMISE_AUDITED)
    if(NOT is_audited)
      get_property(options DIRECTORY "${folder}" PROPERTY ARCHGRID_PROMISE)
      list(JOIN options " " options)
      message(WARNING
        "archgrid_promise: nothing is audited for the promise of ${folder} (${options}). Call archgrid_audit(<target>) after it")
    endif()
  endforeach()
endfunction()

# Sets OUT to the promise that applies to this folder, as options of `archgrid audit`, and
# FOLDER_OUT to the folder that made it; both to nothing if there is none.
function(_archgrid_find_promise out folder_out)
  set(folder "${CMAKE_CURRENT_SOURCE_DIR}")
  set(options "")
  while(folder)
    get_property(options DIRECTORY "${folder}" PROPERTY ARCHGRID_PROMISE)
    if(options)
      break()
    endif()
    get_property(folder DIRECTORY "${folder}" PROPERTY PARENT_DIRECTORY)
  endwhile()
  set(${out} "${options}" PARENT_SCOPE)
  set(${folder_out} "${folder}" PARENT_SCOPE)
endfunction()

# Sets OUT to the promise that applies to this folder, as options of `archgrid audit`; empty if
# there is none. Marks the promise as audited.
function(_archgrid_current_promise out)
  _archgrid_find_promise(options folder)
  if(options)
    set_property(DIRECTORY "${folder}" PROPERTY ARCHGRID_PROMISE_AUDITED TRUE)
  endif()
  set(${out} "${options}" PARENT_SCOPE)
endfunction()
