# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

# Finds the oldest CMake that archgrid supports and the newest one, which fetch.cmake stores beside
# the toolkits. oldest.txt and newest.txt state their versions.
include_guard(GLOBAL)
include("${CMAKE_CURRENT_LIST_DIR}/../../cmake-modules/archgrid/detail/toolkit_places.cmake")

# Sets OUT to the folder for RELEASE (oldest or newest), present or not, and OUT_VERSION to its
# version.
function(archgrid_cmake_release_folder release out)
  set(lock "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/${release}.txt")
  file(STRINGS "${lock}" line REGEX "^cmake==")
  string(REGEX REPLACE "^cmake==([0-9.]+).*" "\\1" version "${line}")
  file(SHA256 "${lock}" hash)
  string(SUBSTRING "${hash}" 0 8 hash)
  _archgrid_toolkit_cache(cache)
  set(${out} "${cache}/cmake-${version}-${hash}" PARENT_SCOPE)
  set(${out}_VERSION "${version}" PARENT_SCOPE)
endfunction()

# Sets OUT to the cmake program of RELEASE (oldest or newest), empty if it was not fetched,
# OUT_VERSION to its version and OUT_NINJA to the Ninja beside it, empty if RELEASE has none.
function(archgrid_find_cmake_release release out)
  archgrid_cmake_release_folder(${release} folder)
  set(${out} "" PARENT_SCOPE)
  set(${out}_NINJA "" PARENT_SCOPE)
  set(${out}_VERSION "${folder_VERSION}" PARENT_SCOPE)
  if(EXISTS "${folder}/cmake/data/bin/cmake")
    set(${out} "${folder}/cmake/data/bin/cmake" PARENT_SCOPE)
  endif()
  file(GLOB ninja "${folder}/bin/ninja" "${folder}/ninja/data/bin/ninja")
  if(ninja)
    list(GET ninja 0 ninja)
    set(${out}_NINJA "${ninja}" PARENT_SCOPE)
  endif()
endfunction()
