# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

# What a configured tree says of its targets through CMake's file API (cmake-file-api(7), codemodel 2).
include_guard(GLOBAL)

# The programs and shared libraries that the tree's targets make, relative to BUILD: what is shipped and
# audited. What a glob would find is more: compiler detection leaves fat binaries behind, too. COMMANDS are
# those of `all`: a target that is excluded from it makes nothing. OUTSIDE: those that are not below BUILD.
function(_archgrid_read_artifacts build commands out outside)
  set(reply "${build}/.cmake/api/v1/reply")
  file(GLOB codemodels "${reply}/codemodel-v2-*.json")
  list(LENGTH codemodels count)
  if(NOT count EQUAL 1)
    message(FATAL_ERROR "${reply}: expected one codemodel, found ${count}. Delete ${build} and build again.")
  endif()
  file(GLOB targets "${reply}/target-*.json")
  set(artifacts "")
  set(elsewhere "")
  foreach(target IN LISTS targets)
    file(READ "${target}" json)
    # Cheaper than parsing every target of a large project: most are static libraries and objects.
    if(NOT json MATCHES "\"type\" : \"(EXECUTABLE|SHARED_LIBRARY|MODULE_LIBRARY)\"")
      continue()
    endif()
    string(JSON path GET "${json}" artifacts 0 path)
    string(FIND "${commands}" " -o ${path} " made)
    if(made EQUAL -1)
      continue()
    endif()
    if(IS_ABSOLUTE "${path}" OR path MATCHES "^\\.\\./")
      list(APPEND elsewhere "${path}")
    else()
      list(APPEND artifacts "${path}")
    endif()
  endforeach()
  set(${outside} "${elsewhere}" PARENT_SCOPE)
  list(SORT artifacts)
  set(${out} "${artifacts}" PARENT_SCOPE)
endfunction()
