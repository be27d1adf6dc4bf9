# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

# Finds the `archgrid` command: this build's own target, else ARCHGRID_COMMAND (a CMake or an
# environment variable), else the one that was installed with the modules, else the machine's
# (PATH), else a separate build of the sources beside the modules.
include_guard(GLOBAL)
include("${CMAKE_CURRENT_LIST_DIR}/places.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/shared_command.cmake")

# Sets OUT to the folder in which the host code is built for a project that includes its sources.
function(_archgrid_host_build_folder out)
  set(${out} "${CMAKE_BINARY_DIR}/archgrid-command" PARENT_SCOPE)
endfunction()

# Fails if FILE, which VARIABLE names, is no program. UNSET is how to unset that variable.
function(_archgrid_expect_program file variable unset)
  if(NOT EXISTS "${file}" OR IS_DIRECTORY "${file}")
    message(FATAL_ERROR
      "archgrid: ${variable} is ${file}, and there is no such program\n  Fix: set it to the archgrid command, or ${unset}: then it is looked for on PATH")
  endif()
endfunction()

# Sets OUT to the path of a command that is built already: ARCHGRID_COMMAND, the one installed with
# the modules, or one on PATH. Sets it to nothing if there is none.
function(_archgrid_existing_command out)
  get_property(prefix GLOBAL PROPERTY ARCHGRID_INSTALLED_PREFIX)
  set(installed "${prefix}/bin/archgrid")
  if(NOT ARCHGRID_COMMAND AND NOT "$ENV{ARCHGRID_COMMAND}" STREQUAL "")
    _archgrid_expect_program("$ENV{ARCHGRID_COMMAND}" "the environment's ARCHGRID_COMMAND" "unset it")
    set(${out} "$ENV{ARCHGRID_COMMAND}" PARENT_SCOPE) # not cached: another value counts at once
    return()
  endif()
  if(prefix AND NOT ARCHGRID_COMMAND AND EXISTS "${installed}")
    # Not cached, so that another installation brings its own command.
    set(${out} "${installed}" PARENT_SCOPE)
    return()
  endif()
  find_program(ARCHGRID_COMMAND archgrid DOC "The archgrid command; built from source where it is not found"
    NO_CMAKE_FIND_ROOT_PATH)
  if(ARCHGRID_COMMAND)
    _archgrid_expect_program("${ARCHGRID_COMMAND}" ARCHGRID_COMMAND "unset it (-UARCHGRID_COMMAND)")
  endif()
  set(${out} "" PARENT_SCOPE)
  if(ARCHGRID_COMMAND)
    set(${out} "${ARCHGRID_COMMAND}" PARENT_SCOPE)
  endif()
endfunction()

# Prints which command the functions run, once a configuration.
function(_archgrid_show_command command)
  get_property(shown GLOBAL PROPERTY _ARCHGRID_SHOWN_COMMAND)
  if(NOT shown STREQUAL command)
    message(STATUS "archgrid: the command is ${command}")
    set_property(GLOBAL PROPERTY _ARCHGRID_SHOWN_COMMAND "${command}")
  endif()
endfunction()

# Adds the target archgrid-command, which builds the command of the sources in ROOT in FOLDER. Fails
# if it cannot be built here.
function(_archgrid_add_command_target root folder)
  _archgrid_prepare_command("${root}" "${folder}" reason)
  if(reason)
    message(FATAL_ERROR "${reason}\n  Or set ARCHGRID_COMMAND to an archgrid command, or install one by pip")
  endif()
  message(STATUS
    "archgrid: the first build compiles the archgrid command, once for all your projects, which takes two minutes on two idle cores; -DARCHGRID_COMMAND=FILE names one that is built")
  set(stamp "${CMAKE_BINARY_DIR}/archgrid-command.stamp")
  file(REMOVE "${stamp}") # of a command that was removed since
  add_custom_command(OUTPUT "${stamp}"
    COMMAND "${CMAKE_COMMAND}" "-DROOT=${root}" "-DFOLDER=${folder}"
      -P "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/shared_command.cmake"
    COMMAND "${CMAKE_COMMAND}" -E touch "${stamp}"
    COMMENT "Building the archgrid command from source" VERBATIM USES_TERMINAL)
  add_custom_target(archgrid-command ALL DEPENDS "${stamp}")
endfunction()

# Sets the results of _archgrid_find_command() for the command that is built from the sources in
# ROOT.
function(_archgrid_command_from_source root out)
  _archgrid_command_folder("${root}" folder)
  set(program "${folder}/build/command/harness/cli/archgrid")
  _archgrid_command_is_whole("${folder}" whole)
  if(NOT whole AND NOT TARGET archgrid-command)
    _archgrid_add_command_target("${root}" "${folder}")
  endif()
  set(target "")
  if(TARGET archgrid-command)
    set(target archgrid-command)
  else()
    _archgrid_show_command("${program}")
  endif()
  set(${out} "${program}" PARENT_SCOPE)
  set(${out}_target "${target}" PARENT_SCOPE)
  set(${out}_package "${folder}/build/command" PARENT_SCOPE)
  set(${out}_package_target "${target}" PARENT_SCOPE)
endfunction()

# Sets OUT to the command's path (possibly a generator expression) and OUT_target to the target that
# builds it, empty if it exists already. If the command is built from source, OUT_package is the
# folder of its ArchGridConfig.cmake and OUT_package_target the target that builds what that file
# names. If the modules are installed, OUT_package is their folder, and OUT_libraries the folder in
# which all cells build archgrid's host libraries. Else these are empty.
function(_archgrid_find_command out)
  set(${out}_target "" PARENT_SCOPE)
  set(${out}_package "" PARENT_SCOPE)
  set(${out}_package_target "" PARENT_SCOPE)
  set(${out}_libraries "" PARENT_SCOPE)
  if(TARGET archgrid)
    set(${out} "$<TARGET_FILE:archgrid>" PARENT_SCOPE)
    set(${out}_target archgrid PARENT_SCOPE)
    set(${out}_package "${CMAKE_BINARY_DIR}" PARENT_SCOPE)
    set(${out}_package_target archgrid_package PARENT_SCOPE)
    return()
  endif()
  get_property(prefix GLOBAL PROPERTY ARCHGRID_INSTALLED_PREFIX)
  if(prefix)
    cmake_path(SET modules NORMALIZE "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/../..")
    set(${out}_package "${modules}" PARENT_SCOPE)
    _archgrid_host_build_folder(build)
    set(${out}_libraries "${build}" PARENT_SCOPE)
  endif()
  _archgrid_existing_command(command)
  if(command)
    _archgrid_show_command("${command}")
    set(${out} "${command}" PARENT_SCOPE)
    return()
  endif()
  if(prefix)
    message(FATAL_ERROR
      "archgrid: the archgrid command was not found: ${prefix}/bin/archgrid is missing, and none is on PATH. Install archgrid again, or set ARCHGRID_COMMAND.")
  endif()
  get_property(root GLOBAL PROPERTY ARCHGRID_SOURCE_ROOT)
  if(NOT EXISTS "${root}/harness/cli")
    message(FATAL_ERROR
      "archgrid: the archgrid command was not found. Put it on PATH or set ARCHGRID_COMMAND to it; with archgrid's whole repository beside its modules it is built from source.")
  endif()
  _archgrid_command_from_source("${root}" from_source)
  foreach(result IN ITEMS "" _target _package _package_target)
    set(${out}${result} "${from_source${result}}" PARENT_SCOPE)
  endforeach()
endfunction()
