# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

# Forwards to the version file of the modules, like ArchGridConfig.cmake.
set(_archgrid_folder "${CMAKE_CURRENT_LIST_DIR}")
foreach(_archgrid_level RANGE 8)
  get_filename_component(_archgrid_folder "${_archgrid_folder}" DIRECTORY)
  if(EXISTS "${_archgrid_folder}/lib/cmake/ArchGrid/ArchGridConfigVersion.cmake")
    include("${_archgrid_folder}/lib/cmake/ArchGrid/ArchGridConfigVersion.cmake")
    break()
  endif()
endforeach()
