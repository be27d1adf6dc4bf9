# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

#[=======================================================================[.rst:
FindArchGrid
------------

Implements ``find_package(ArchGrid)`` for a project that includes archgrid's sources, by
FetchContent, CPM or as a submodule, and has its modules in CMAKE_MODULE_PATH (which CPM leaves to
you: ``list(APPEND CMAKE_MODULE_PATH ${archgrid_SOURCE_DIR}/cmake-modules)``)::

  find_package(ArchGrid REQUIRED)                    # the functions, as include(ArchGrid) does
  find_package(ArchGrid REQUIRED COMPONENTS gtest)   # and archgrid::gtest, for GPU tests
  target_link_libraries(my_test PRIVATE my_kernels archgrid::gtest)
  archgrid_add_gpu_test(my_test)

Uses the built tree of archgrid in ``ArchGrid_DIR``, if set, as in the cells of a matrix. Else, for
the components ``gtest`` and ``perf``, configures the host libraries that archgrid::gtest needs, in
``archgrid-command`` of the build tree, and a separate build compiles them together with the
project.

Targets: archgrid::gtest, archgrid::perf, and archgrid::perf_arithmetic if the project has enabled
CUDA. Functions: those of ArchGrid.cmake. Errors: a dependency of archgrid's sources is missing; the
message shows CMake's output.
#]=======================================================================]
include("${CMAKE_CURRENT_LIST_DIR}/archgrid/detail/old_cmake.cmake")
if(_archgrid_old_cmake)
  set(_archgrid_level STATUS)
  if(ArchGrid_FIND_REQUIRED)
    set(_archgrid_level FATAL_ERROR)
  endif()
  if(ArchGrid_FIND_REQUIRED OR NOT ArchGrid_FIND_QUIETLY)
    message(${_archgrid_level} "${_archgrid_old_cmake}")
  endif()
  set(ArchGrid_FOUND FALSE)
  return()
endif()
include("${CMAKE_CURRENT_LIST_DIR}/ArchGrid.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/archgrid/detail/command.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/archgrid/detail/host_libraries.cmake")

# An earlier call has cached ArchGrid_DIR with this folder.
_archgrid_host_build_folder(_archgrid_build)
if(NOT ArchGrid_FIND_COMPONENTS AND (NOT ArchGrid_DIR OR ArchGrid_DIR STREQUAL _archgrid_build))
  unset(_archgrid_build)
  set(ArchGrid_FOUND TRUE)
  return()
endif()
if(ArchGrid_DIR AND NOT ArchGrid_DIR STREQUAL _archgrid_build)
  set(_archgrid_build "")
else()
  get_property(_archgrid_root GLOBAL PROPERTY ARCHGRID_SOURCE_ROOT)
  _archgrid_configure_host_libraries("${_archgrid_root}" "${_archgrid_build}" _archgrid_reason)
  if(_archgrid_reason)
    message(FATAL_ERROR "${_archgrid_reason}")
  endif()
endif()
set(_archgrid_quiet "")
if(ArchGrid_FIND_QUIETLY)
  set(_archgrid_quiet QUIET)
endif()
if(_archgrid_build)
  find_package(ArchGrid CONFIG ${_archgrid_quiet} PATHS "${_archgrid_build}" NO_DEFAULT_PATH)
else()
  find_package(ArchGrid CONFIG ${_archgrid_quiet})
endif()

# That build produces the libraries that projects link.
if(_archgrid_build AND ArchGrid_FOUND)
  _archgrid_build_host_libraries("${_archgrid_root}" "${_archgrid_build}")
endif()
foreach(_archgrid_name IN ITEMS build root reason quiet)
  unset(_archgrid_${_archgrid_name})
endforeach()
