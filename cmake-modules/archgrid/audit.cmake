# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

include_guard(GLOBAL)
include("${CMAKE_CURRENT_LIST_DIR}/promise.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/detail/command.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/detail/enable_testing.cmake")

#[=======================================================================[.rst:
archgrid_audit
--------------

Proves, kernel by kernel, that the files of targets keep the promise of
:command:`archgrid_promise`::

  archgrid_audit(<target>... [IGNORE <[code:]pattern[@GPU,...]=reason>...] [ON_BUILD])

Adds the test ``audit.<target>`` (label ``fatbin``) for each target, an executable or a shared,
module or static library, by its name or an alias. The test fails if a kernel has no accepted
verdict for a promised GPU, if a file cannot be read, or if it contains no kernel. No GPU is needed.
With ``ON_BUILD`` a broken promise fails the build itself. ``IGNORE`` forgives errors, as ``--ignore``
of the command; one that forgives none fails the test. A failing test names the call that accepts its
first error: ``archgrid_audit(mylib IGNORE "missing:gemm*=not shipped")``.

The target ``audit.<target>``, a part of ``all``, builds the command where it has to be built. Only
with ``ON_BUILD`` does the audited target wait for it. A build of single targets needs both before
ctest: ``cmake --build . --target <target> audit.<target>``.

Enables tests in the calling folder and in those above it. Finds the command on PATH (or as
ARCHGRID_COMMAND), else builds it from the sources beside these modules. Errors: no target; a target
that does not exist, builds no such file, or is audited already; no promise.
#]=======================================================================]
function(archgrid_audit)
  cmake_parse_arguments(PARSE_ARGV 0 arg "ON_BUILD" "" "IGNORE")
  _archgrid_current_promise(promise)
  if(NOT promise)
    message(FATAL_ERROR "archgrid_audit: no promise here. Call archgrid_promise(DEVICES ...) first.")
  endif()
  if(NOT arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "archgrid_audit: no target. For example: archgrid_audit(mylib)")
  endif()
  _archgrid_find_command(command)
  _archgrid_enable_testing()
  foreach(target IN LISTS arg_UNPARSED_ARGUMENTS)
    _archgrid_find_audited(target "${target}")
    set(audit "${command}" audit "$<TARGET_FILE:${target}>" ${promise} --audited-target "${target}")
    _archgrid_find_cuda_targets(compilers "${target}")
    list(LENGTH compilers count)
    if(count EQUAL 1)
      list(APPEND audit --target "${compilers}")
    endif()
    foreach(ignore IN LISTS arg_IGNORE)
      list(APPEND audit --ignore "${ignore}")
    endforeach()
    add_test(NAME "audit.${target}" COMMAND ${audit})
    set_tests_properties("audit.${target}" PROPERTIES LABELS fatbin)
    # A target of this folder, as the folder that first asked for the command may be outside of `all`.
    if(NOT TARGET "audit.${target}")
      add_custom_target("audit.${target}" ALL)
    endif()
    if(command_target)
      add_dependencies("audit.${target}" ${command_target})
    endif()
    if(arg_ON_BUILD)
      if(command_target)
        add_dependencies("${target}" ${command_target})
      endif()
      add_custom_command(TARGET "${target}" POST_BUILD COMMAND ${audit} VERBATIM)
    endif()
  endforeach()
endfunction()

# Sets OUT to the target that NAME means. Fails for what archgrid_audit cannot audit.
function(_archgrid_find_audited out name)
  if(NOT TARGET "${name}")
    set(hint "")
    if(name MATCHES "^[A-Z_-]+$")
      set(hint " Its options are IGNORE and ON_BUILD.")
    endif()
    message(FATAL_ERROR "archgrid_audit: ${name} is no target here. Call archgrid_audit after the target is added.${hint}")
  endif()
  get_target_property(aliased "${name}" ALIASED_TARGET)
  if(aliased)
    set(name "${aliased}")
  endif()
  if(TEST "audit.${name}")
    message(FATAL_ERROR "archgrid_audit: ${name} has the test audit.${name} already. Name each target once.")
  endif()
  get_target_property(type "${name}" TYPE)
  if(NOT type MATCHES "^(EXECUTABLE|(SHARED|MODULE|STATIC)_LIBRARY)$")
    message(FATAL_ERROR "archgrid_audit: ${name} is a ${type}. Name what is shipped: an executable or a library.")
  endif()
  set(${out} "${name}" PARENT_SCOPE)
endfunction()

# Sets OUT to the targets whose CUDA sources become a part of TARGET: itself, the sources of its
# objects, and the static, object and interface libraries that it links, directly or not.
function(_archgrid_find_cuda_targets out target)
  set(compilers "")
  set(seen "")
  set(left "${target}")
  while(left)
    list(POP_FRONT left each)
    get_target_property(aliased "${each}" ALIASED_TARGET)
    if(aliased)
      set(each "${aliased}")
    endif()
    if(each IN_LIST seen)
      continue()
    endif()
    list(APPEND seen "${each}")
    get_target_property(type "${each}" TYPE)
    if(NOT each STREQUAL target AND NOT type MATCHES "^(STATIC|OBJECT|INTERFACE)_LIBRARY$")
      continue()
    endif()
    _archgrid_compiles_cuda(is_compiler "${each}")
    if(is_compiler)
      list(APPEND compilers "${each}")
    endif()
    foreach(property IN ITEMS LINK_LIBRARIES INTERFACE_LINK_LIBRARIES SOURCES INTERFACE_SOURCES)
      get_target_property(items "${each}" "${property}")
      # Names in generator expressions count, whatever their conditions.
      string(REGEX REPLACE "\\$<[A-Z_]+:|[<>,$]" ";" items "${items}")
      foreach(item IN LISTS items)
        string(REGEX REPLACE "^:" "" item "${item}")
        if(TARGET "${item}")
          list(APPEND left "${item}")
        endif()
      endforeach()
    endforeach()
  endwhile()
  set(${out} "${compilers}" PARENT_SCOPE)
endfunction()

# Sets OUT to whether TARGET has CUDA sources of its own.
function(_archgrid_compiles_cuda out target)
  set(${out} FALSE PARENT_SCOPE)
  get_target_property(sources "${target}" SOURCES)
  if(NOT sources)
    return()
  endif()
  get_target_property(folder "${target}" SOURCE_DIR)
  foreach(source IN LISTS sources)
    set(language "")
    if(NOT source MATCHES "\\$<")
      get_source_file_property(language "${source}" DIRECTORY "${folder}" LANGUAGE)
    endif()
    if(source MATCHES "\\.cu$" OR language STREQUAL "CUDA")
      set(${out} TRUE PARENT_SCOPE)
    endif()
  endforeach()
endfunction()
