# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

#[=======================================================================[.rst:
ArchGridConfig
--------------

Package configuration of an installed archgrid, as ``lib/cmake/ArchGrid/ArchGridConfig.cmake``::

  find_package(ArchGrid REQUIRED)                    # the functions, and the command beside them
  archgrid_promise(DEVICES 8.0 9.0)
  archgrid_audit(mylib)

  find_package(ArchGrid REQUIRED COMPONENTS gtest)   # and archgrid::gtest, for GPU tests
  target_link_libraries(my_test PRIVATE mylib archgrid::gtest)
  archgrid_add_gpu_test(my_test)

Provides every function of ArchGrid.cmake. They run ARCHGRID_COMMAND if that is set, else the
``archgrid`` of the same installation. Nothing is compiled.

The components ``gtest`` and ``perf`` provide archgrid::gtest, archgrid::perf and, in a project that
has enabled CUDA, archgrid::perf_arithmetic. The first build compiles their host libraries in
``archgrid-command`` of the build tree, or in the folder ARCHGRID_HOST_LIBRARIES, which all cells of
a matrix share.

Sets ``archgrid_SOURCE_DIR`` to the folder of the installed sources, ``harness/fake_cudart`` among
them. Errors: an unknown component; a package that the host libraries need is missing.
#]=======================================================================]
include("${CMAKE_CURRENT_LIST_DIR}/archgrid/detail/old_cmake.cmake")
if(_archgrid_old_cmake)
  set(ArchGrid_FOUND FALSE)
  set(ArchGrid_NOT_FOUND_MESSAGE "${_archgrid_old_cmake}")
  return()
endif()
list(PREPEND CMAKE_MODULE_PATH "${CMAKE_CURRENT_LIST_DIR}")
list(REMOVE_DUPLICATES CMAKE_MODULE_PATH)
include("${CMAKE_CURRENT_LIST_DIR}/ArchGrid.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/archgrid/detail/command.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/archgrid/detail/host_libraries.cmake")
include(FindPackageMessage)
get_property(archgrid_SOURCE_DIR GLOBAL PROPERTY ARCHGRID_SOURCE_ROOT)

_archgrid_existing_command(_archgrid_command)
if(NOT _archgrid_command)
  set(_archgrid_command "no archgrid command")
endif()
find_package_message(ArchGrid "Found ArchGrid: ${_archgrid_command} (version \"${ArchGrid_VERSION}\")"
  "[${_archgrid_command}][${ArchGrid_VERSION}][${CMAKE_CURRENT_LIST_DIR}]")
unset(_archgrid_command)

foreach(_archgrid_component IN LISTS ArchGrid_FIND_COMPONENTS)
  if(_archgrid_component MATCHES "^(gtest|perf)$")
    set(_archgrid_wanted ON)
  elseif(ArchGrid_FIND_REQUIRED_${_archgrid_component})
    set(ArchGrid_FOUND FALSE)
    set(ArchGrid_NOT_FOUND_MESSAGE "there is no component ${_archgrid_component}. Known: gtest, perf.")
  endif()
endforeach()
unset(_archgrid_component)
if(_archgrid_wanted AND NOT TARGET archgrid::gtest AND NOT ArchGrid_FOUND STREQUAL "FALSE")
  set(_archgrid_build "${ARCHGRID_HOST_LIBRARIES}")
  if(NOT _archgrid_build)
    _archgrid_host_build_folder(_archgrid_build)
  endif()
  _archgrid_configure_host_libraries("${archgrid_SOURCE_DIR}" "${_archgrid_build}" _archgrid_reason)
  if(_archgrid_reason)
    set(ArchGrid_FOUND FALSE)
    set(ArchGrid_NOT_FOUND_MESSAGE "${_archgrid_reason}")
  else()
    include("${_archgrid_build}/ArchGridConfig.cmake")
    if(TARGET archgrid::gtest)
      _archgrid_build_host_libraries("${archgrid_SOURCE_DIR}" "${_archgrid_build}")
    endif()
  endif()
  unset(_archgrid_build)
  unset(_archgrid_reason)
endif()
unset(_archgrid_wanted)
if(TARGET archgrid::gtest)
  set(ArchGrid_gtest_FOUND TRUE)
  set(ArchGrid_perf_FOUND TRUE)
endif()
