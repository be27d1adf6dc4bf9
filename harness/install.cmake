# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0
#
# Installs everything but the command, which cli/CMakeLists.txt installs: the CMake modules with a
# relocatable package configuration, matrix files and schemas, and the sources of what programs of
# other projects link.
include(CMakePackageConfigHelpers)
set(modules "${archgrid_prefix}lib/cmake/ArchGrid")
set(share "${archgrid_prefix}share")
write_basic_package_version_file("${PROJECT_BINARY_DIR}/installed/ArchGridConfigVersion.cmake"
  VERSION "${PROJECT_VERSION}" COMPATIBILITY SameMinorVersion ARCH_INDEPENDENT)
install(FILES "${PROJECT_BINARY_DIR}/installed/ArchGridConfigVersion.cmake" DESTINATION "${modules}")
install(FILES "${archgrid_modules}/ArchGridInstalledConfig.cmake" DESTINATION "${modules}" RENAME ArchGridConfig.cmake)
install(FILES "${archgrid_modules}/ArchGrid.cmake" "${archgrid_modules}/ArchGridConfig.cmake.in"
  DESTINATION "${modules}")
install(FILES "${archgrid_modules}/presets/devices.json" "${archgrid_modules}/presets/tree.json"
  DESTINATION "${modules}/presets")
install(DIRECTORY "${archgrid_modules}/archgrid" DESTINATION "${modules}" USE_SOURCE_PERMISSIONS
  FILES_MATCHING PATTERN "*.cmake" PATTERN "*.json" PATTERN "*.txt" PATTERN "*.in" PATTERN "*.cu" PATTERN "*.sh")

install(DIRECTORY "${PROJECT_SOURCE_DIR}/matrices" DESTINATION "${share}/archgrid"
  FILES_MATCHING PATTERN "*.json" PATTERN "test.json" EXCLUDE) # which is of archgrid's own tests
install(FILES "${PROJECT_SOURCE_DIR}/LICENSE" DESTINATION "${share}/doc/archgrid")
configure_file("${CMAKE_CURRENT_LIST_DIR}/installed.cmake.in" "${PROJECT_BINARY_DIR}/installed/CMakeLists.txt" @ONLY)
install(FILES "${PROJECT_BINARY_DIR}/installed/CMakeLists.txt" DESTINATION "${share}/archgrid")
install(FILES "${CMAKE_CURRENT_LIST_DIR}/CMakeLists.txt" "${CMAKE_CURRENT_LIST_DIR}/needs.cmake"
  DESTINATION "${share}/archgrid/harness")
foreach(part IN ITEMS coverage cpu_emulator cuda device fake_cudart fatbin gtest perf perf_records system words)
  install(DIRECTORY "${CMAKE_CURRENT_LIST_DIR}/${part}" DESTINATION "${share}/archgrid/harness")
endforeach()
# Notices of the libraries that are linked into the command of a wheel.
if(ARCHGRID_NOTICES)
  install(DIRECTORY "${ARCHGRID_NOTICES}/" DESTINATION "${share}/doc/archgrid")
endif()
