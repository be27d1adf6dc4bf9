# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

# Provides the host libraries that archgrid::gtest links, for find_package(ArchGrid): a separate
# build compiles them, as a project's compiler and standard may differ.
include_guard(GLOBAL)
include("${CMAKE_CURRENT_LIST_DIR}/build_host.cmake")

# Configures the sources in ROOT into BUILD, which gets ArchGridConfig.cmake. Sets OUT to nothing,
# or to why that failed. Concurrent calls for one folder wait for each other.
function(_archgrid_configure_host_libraries root build out)
  if(NOT EXISTS "${build}/ArchGridTargets.cmake")
    message(STATUS "archgrid: configuring its host libraries in ${build}")
  endif()
  file(MAKE_DIRECTORY "${build}")
  file(LOCK "${build}/.archgrid-lock" GUARD FUNCTION)
  _archgrid_host_configure_command("${root}" "${build}" configure)
  execute_process(COMMAND ${configure} OUTPUT_VARIABLE text ERROR_VARIABLE text RESULT_VARIABLE result)
  set(${out} "" PARENT_SCOPE)
  if(NOT result EQUAL 0)
    _archgrid_host_problem("${root}" "${text}" problem)
    set(${out} "archgrid: its host libraries cannot be configured: ${problem}" PARENT_SCOPE)
  endif()
endfunction()

# Adds the target archgrid-host-libraries, which builds in BUILD what its ArchGridTargets.cmake
# names, for archgrid_gtest.
function(_archgrid_build_host_libraries root build)
  if(NOT TARGET archgrid-host-libraries)
    set(libraries "")
    foreach(name IN ITEMS coverage device fatbin gtest_core perf_core perf_records system words)
      get_target_property(library archgrid::${name} IMPORTED_LOCATION_RELEASE)
      list(APPEND libraries "${library}")
    endforeach()
    add_custom_target(archgrid-host-libraries
      COMMAND "${CMAKE_COMMAND}" "-DROOT=${root}" "-DBUILD=${build}" -DTARGETS=archgrid_package
        -P "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/build_host.cmake"
      BYPRODUCTS ${libraries}
      COMMENT "Building archgrid's host libraries" VERBATIM USES_TERMINAL)
  endif()
  add_dependencies(archgrid_gtest archgrid-host-libraries)
endfunction()
