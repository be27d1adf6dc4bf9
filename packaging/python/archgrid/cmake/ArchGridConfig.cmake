# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

# Forwards find_package(ArchGrid) from the Python package, a prefix that scikit-build-core searches,
# to the modules, which pip installs into lib/cmake/ArchGrid of the environment.
set(_archgrid_folder "${CMAKE_CURRENT_LIST_DIR}")
set(_archgrid_config "")
# <prefix>/local/lib/python3.11/dist-packages/archgrid/cmake is 6 below.
foreach(_archgrid_level RANGE 8)
  get_filename_component(_archgrid_folder "${_archgrid_folder}" DIRECTORY)
  if(EXISTS "${_archgrid_folder}/lib/cmake/ArchGrid/ArchGridConfig.cmake")
    set(_archgrid_config "${_archgrid_folder}/lib/cmake/ArchGrid/ArchGridConfig.cmake")
    break()
  endif()
endforeach()
unset(_archgrid_folder)
unset(_archgrid_level)
if(_archgrid_config)
  include("${_archgrid_config}")
else()
  set(ArchGrid_FOUND FALSE)
  set(ArchGrid_NOT_FOUND_MESSAGE
    "the Python package archgrid was installed without its CMake modules. Install it again.")
endif()
unset(_archgrid_config)
