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

# Sets OUT to the path of a command that is built already: ARCHGRID_COMMAND, the one installed with
# the modules, or one on PATH. Sets it to nothing if there is none.
function(_archgrid_existing_command out)
  get_property(prefix GLOBAL PROPERTY ARCHGRID_INSTALLED_PREFIX)
  set(installed "${prefix}/bin/archgrid")
  if(NOT ARCHGRID_COMMAND AND NOT "$ENV{ARCHGRID_COMMAND}" STREQUAL "")
    set(ARCHGRID_COMMAND "$ENV{ARCHGRID_COMMAND}" CACHE FILEPATH "The archgrid command" FORCE)
  endif()
  if(prefix AND NOT ARCHGRID_COMMAND AND EXISTS "${installed}")
    # Not cached, so that another installation brings its own command.
    set(${out} "${installed}" PARENT_SCOPE)
    return()
  endif()
  find_program(ARCHGRID_COMMAND archgrid DOC "The archgrid command; built from source where it is not found")
  if(ARCHGRID_COMMAND AND (NOT EXISTS "${ARCHGRID_COMMAND}" OR IS_DIRECTORY "${ARCHGRID_COMMAND}"))
    message(FATAL_ERROR
      "archgrid: ARCHGRID_COMMAND is ${ARCHGRID_COMMAND}, and there is no such program\n  Fix: set it to the archgrid command, or unset it (-UARCHGRID_COMMAND): then it is looked for on PATH")
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

# Adds the target archgrid-command, which installs the command of the sources in ROOT into PREFIX.
# Fails if it cannot be built here.
function(_archgrid_add_command_target root prefix)
  _archgrid_configure_command("${root}" "${prefix}" reason)
  if(reason)
    message(FATAL_ERROR "${reason}\n  Or set ARCHGRID_COMMAND to an archgrid command, or install one by pip")
  endif()
  message(STATUS
    "archgrid: the first build compiles the archgrid command, once for all your projects, which takes two minutes on two idle cores; -DARCHGRID_COMMAND=FILE names one that is built")
  set(stamp "${CMAKE_BINARY_DIR}/archgrid-command.stamp")
  file(REMOVE "${stamp}") # of a command that was removed since
  add_custom_command(OUTPUT "${stamp}"
    COMMAND "${CMAKE_COMMAND}" "-DROOT=${root}" "-DPREFIX=${prefix}"
      -P "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/shared_command.cmake"
    COMMAND "${CMAKE_COMMAND}" -E touch "${stamp}"
    COMMENT "Building the archgrid command from source (what it needs: ${root}/setup)" VERBATIM USES_TERMINAL)
  add_custom_target(archgrid-command ALL DEPENDS "${stamp}")
endfunction()

# Sets the same results as _archgrid_find_command(), for the command that is built from source.
function(_archgrid_command_from_source root out)
  _archgrid_command_prefix("${root}" prefix)
  set(program "${prefix}/bin/archgrid")
  set(${out}_target "" PARENT_SCOPE)
  if(NOT EXISTS "${program}" AND NOT TARGET archgrid-command)
    _archgrid_add_command_target("${root}" "${prefix}")
  endif()
  if(TARGET archgrid-command)
    set(${out}_target archgrid-command PARENT_SCOPE)
  else()
    _archgrid_show_command("${program}")
  endif()
  set(${out} "${program}" PARENT_SCOPE)
  set(${out}_package "${prefix}/lib/cmake/ArchGrid" PARENT_SCOPE)
  _archgrid_host_build_folder(build)
  set(${out}_libraries "${build}" PARENT_SCOPE)
endfunction()

# Sets OUT to the command's path (possibly a generator expression) and OUT_target to the target that
# builds it, empty if it exists already. If this tree builds archgrid, OUT_package is the folder of
# its ArchGridConfig.cmake and OUT_package_target the target that builds what that file names. If
# the modules are installed, or installed with a command built from source, OUT_package is their
# folder, and OUT_libraries the folder in which all cells build archgrid's host libraries. Else
# these are empty.
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
  foreach(result IN ITEMS "" _target _package _libraries)
    set(${out}${result} "${from_source${result}}" PARENT_SCOPE)
  endforeach()
endfunction()
