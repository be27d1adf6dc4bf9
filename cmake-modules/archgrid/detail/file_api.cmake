# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

# What a configured tree says of its targets through CMake's file API (cmake-file-api(7), codemodel 2).
include_guard(GLOBAL)

# The programs and shared libraries that the tree's targets make, relative to BUILD: what is shipped and
# audited. Static libraries where there are none of them: else their code is in those. What a glob would find
# is more: compiler detection leaves fat binaries behind, too. COMMANDS are those of `all`: a target that is
# excluded from it makes nothing. OUTSIDE: those that are not below BUILD.
function(_archgrid_read_artifacts build commands out outside)
  set(reply "${build}/.cmake/api/v1/reply")
  file(GLOB codemodels "${reply}/codemodel-v2-*.json")
  list(LENGTH codemodels count)
  if(NOT count EQUAL 1)
    message(FATAL_ERROR "${reply}: expected one codemodel, found ${count}. Delete ${build} and build again.")
  endif()
  file(GLOB targets "${reply}/target-*.json")
  set(linked "")
  set(archived "")
  foreach(target IN LISTS targets)
    file(READ "${target}" json)
    # Cheaper than parsing every target of a large project: many are objects and utilities.
    if(json MATCHES "\"type\" : \"(EXECUTABLE|SHARED_LIBRARY|MODULE_LIBRARY)\"")
      set(made linked)
      set(option "-o")
    elseif(json MATCHES "\"type\" : \"STATIC_LIBRARY\"")
      set(made archived)
      set(option "qc")
    else()
      continue()
    endif()
    string(JSON path GET "${json}" artifacts 0 path)
    string(FIND "${commands}" " ${option} ${path} " found)
    if(NOT found EQUAL -1)
      list(APPEND ${made} "${path}")
    endif()
  endforeach()
  set(artifacts "${linked}")
  if(linked STREQUAL "")
    set(artifacts "${archived}")
  endif()
  set(elsewhere "${artifacts}")
  list(FILTER elsewhere INCLUDE REGEX "^(/|\\.\\./)")
  list(FILTER artifacts EXCLUDE REGEX "^(/|\\.\\./)")
  set(${outside} "${elsewhere}" PARENT_SCOPE)
  list(SORT artifacts)
  set(${out} "${artifacts}" PARENT_SCOPE)
endfunction()
