# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

# Finds the `archgrid` command: this build's own target, else -DARCHGRID_COMMAND=, else the one that
# was installed with the modules, else the machine's (PATH), else a separate build of the sources
# beside the modules.
include_guard(GLOBAL)
include("${CMAKE_CURRENT_LIST_DIR}/build_host.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/places.cmake")

# Sets OUT to the folder in which the host code is built for a project that includes its sources.
function(_archgrid_host_build_folder out)
  set(${out} "${CMAKE_BINARY_DIR}/archgrid-command" PARENT_SCOPE)
endfunction()

# Sets OUT to the path of a command that is built already: ARCHGRID_COMMAND, the one installed with
# the modules, or one on PATH. Sets it to nothing if there is none.
function(_archgrid_existing_command out)
  get_property(prefix GLOBAL PROPERTY ARCHGRID_INSTALLED_PREFIX)
  set(installed "${prefix}/bin/archgrid")
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

# Adds the target archgrid-command, which builds PROGRAM in the folder BUILD from archgrid's sources
# in ROOT.
function(_archgrid_add_command_target root build program)
  if(NOT EXISTS "${program}")
    message(STATUS
      "archgrid: the first build compiles the archgrid command, which takes about two minutes on two cores; -DARCHGRID_COMMAND=FILE names one that is built")
  endif()
  add_custom_command(OUTPUT "${program}"
    COMMAND "${CMAKE_COMMAND}" "-DROOT=${root}" "-DBUILD=${build}" "-DTARGETS=archgrid\;archgrid_package"
      -P "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/build_host.cmake"
    COMMENT "Building the archgrid command from source (what it needs: ${root}/setup)" VERBATIM USES_TERMINAL)
  add_custom_target(archgrid-command ALL DEPENDS "${program}")
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
  _archgrid_host_build_folder(build)
  set(program "${build}/harness/cli/archgrid")
  if(NOT TARGET archgrid-command)
    _archgrid_add_command_target("${root}" "${build}" "${program}")
  endif()
  set(${out} "${program}" PARENT_SCOPE)
  set(${out}_target archgrid-command PARENT_SCOPE)
  set(${out}_package "${build}" PARENT_SCOPE)
  set(${out}_package_target archgrid-command PARENT_SCOPE)
endfunction()
