# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

# Sets _archgrid_old_cmake to why this CMake is too old, or to nothing. Needs no policy, which an
# old CMake may not know.
set(_archgrid_old_cmake "")
if(CMAKE_VERSION VERSION_LESS 3.25)
  set(_archgrid_old_cmake
    "archgrid needs CMake 3.25 or newer, and this is ${CMAKE_VERSION}. pip install cmake brings one.")
endif()
