# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

#[=======================================================================[.rst:
FindArchGrid
------------

Implements ``find_package(ArchGrid)`` for a project that includes archgrid's sources, by
FetchContent or as a submodule, and has its modules in CMAKE_MODULE_PATH::

  FetchContent_MakeAvailable(archgrid)
  find_package(ArchGrid REQUIRED)
  target_link_libraries(my_test PRIVATE my_kernels archgrid::gtest)
  archgrid_add_gpu_test(my_test)

Uses the built tree of archgrid in ``ArchGrid_DIR``, if set, as in the cells of a matrix. Else
configures the host libraries that archgrid::gtest needs, in ``archgrid-command`` of the build tree,
and a separate build compiles them together with the project.

Targets: archgrid::gtest, archgrid::perf, and archgrid::perf_arithmetic if the project has enabled
CUDA. Function: archgrid_add_gpu_test. Errors: a dependency of archgrid's sources is missing; the
message shows CMake's output.
#]=======================================================================]
include("${CMAKE_CURRENT_LIST_DIR}/archgrid/detail/command.cmake")

# An earlier call has cached ArchGrid_DIR with this folder.
_archgrid_host_build_folder(_archgrid_build)
if(ArchGrid_DIR AND NOT ArchGrid_DIR STREQUAL _archgrid_build)
  set(_archgrid_build "")
else()
  get_property(_archgrid_root GLOBAL PROPERTY ARCHGRID_SOURCE_ROOT)
  _archgrid_host_configure_command("${_archgrid_root}" "${_archgrid_build}" _archgrid_configure)
  if(NOT EXISTS "${_archgrid_build}/ArchGridTargets.cmake")
    message(STATUS "archgrid: configuring its host libraries in ${_archgrid_build}")
  endif()
  execute_process(COMMAND ${_archgrid_configure}
    OUTPUT_VARIABLE _archgrid_text ERROR_VARIABLE _archgrid_text RESULT_VARIABLE _archgrid_result)
  if(NOT _archgrid_result EQUAL 0)
    message(FATAL_ERROR "archgrid: its host libraries cannot be configured. ${_archgrid_root}/setup installs what they need. CMake said:\n${_archgrid_text}")
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
if(_archgrid_build AND ArchGrid_FOUND AND NOT TARGET archgrid-host-libraries)
  set(_archgrid_libraries "")
  foreach(_archgrid_target IN ITEMS coverage device fatbin gtest_core perf_core perf_records words)
    get_target_property(_archgrid_library archgrid::${_archgrid_target} IMPORTED_LOCATION_RELEASE)
    list(APPEND _archgrid_libraries "${_archgrid_library}")
  endforeach()
  add_custom_target(archgrid-host-libraries
    COMMAND "${CMAKE_COMMAND}" "-DROOT=${_archgrid_root}" "-DBUILD=${_archgrid_build}" -DTARGETS=archgrid_package
      -P "${CMAKE_CURRENT_LIST_DIR}/archgrid/detail/build_host.cmake"
    BYPRODUCTS ${_archgrid_libraries}
    COMMENT "Building archgrid's host libraries" VERBATIM USES_TERMINAL)
endif()
if(TARGET archgrid-host-libraries)
  add_dependencies(archgrid_gtest archgrid-host-libraries)
endif()
foreach(_archgrid_name IN ITEMS build root configure text result quiet libraries library target)
  unset(_archgrid_${_archgrid_name})
endforeach()
