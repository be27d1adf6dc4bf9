# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

# cmake [-DDRY_RUN=yes] -P fetch.cmake
#
# Fetches the oldest CMake that archgrid supports and the newest one from PyPI, unless present: the
# versions and hashes of oldest.txt and newest.txt. Each appears by one rename. Only tests need
# them. A failure is reported here and fails the test e2e.cmake_releases, not the setup. After a new
# release of CMake:
#   cmake -DLOCK=tests/cmake_releases/newest.txt "-DPACKAGES=cmake;ninja" \
#     -P cmake-modules/archgrid/detail/lock_pypi.cmake
cmake_minimum_required(VERSION 3.25)
include("${CMAKE_CURRENT_LIST_DIR}/find.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/../../cmake-modules/archgrid/detail/fetch_pypi.cmake")

foreach(release IN ITEMS oldest newest)
  archgrid_find_cmake_release(${release} found)
  archgrid_cmake_release_folder(${release} folder)
  if(found)
    message(STATUS "archgrid: CMake ${found_VERSION} found     ${folder}")
  elseif(DRY_RUN STREQUAL "yes")
    message(STATUS "archgrid: CMake ${found_VERSION} missing   would be fetched (pypi) into ${folder}")
  else()
    _archgrid_fetch_pip_tree("${CMAKE_CURRENT_LIST_DIR}/${release}.txt" "${folder}" cmake/data/bin/cmake reason)
    if(reason STREQUAL "")
      message(STATUS "archgrid: CMake ${found_VERSION} fetched   ${folder}")
    else()
      message(STATUS "archgrid: CMake ${found_VERSION} missing   the test e2e.cmake_releases will fail: ${reason}")
    endif()
  endif()
endforeach()
