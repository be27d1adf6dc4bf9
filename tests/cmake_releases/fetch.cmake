# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

# cmake [-DDRY_RUN=yes] -P fetch.cmake
#
# Fetches the oldest CMake that archgrid supports and the newest one from PyPI, where they were not fetched yet: at the
# versions and with the hashes of oldest.txt and newest.txt. Each appears by one rename. Only tests need them. A
# failure is reported here and fails the test e2e.cmake_releases, not the setup. After a new release of CMake:
#   cmake -DLOCK=tests/cmake_releases/newest.txt "-DPACKAGES=cmake;ninja" -P cmake-modules/archgrid/detail/lock_pypi.cmake
cmake_minimum_required(VERSION 3.25)
include("${CMAKE_CURRENT_LIST_DIR}/find.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/../../cmake-modules/archgrid/detail/fetch_pypi.cmake")

# Fetches RELEASE into FOLDER. Sets OUT to what went wrong, empty where nothing did.
function(fetch_release release folder out)
  string(RANDOM LENGTH 8 name)
  cmake_path(GET folder PARENT_PATH cache)
  set(work "${cache}/.partial-cmake-${name}")
  file(MAKE_DIRECTORY "${work}")
  _archgrid_pip_install_locked("${CMAKE_CURRENT_FUNCTION_LIST_DIR}/${release}.txt" "${work}/tree" "${work}" reason)
  if(reason STREQUAL "")
    file(RENAME "${work}/tree" "${folder}" RESULT result)
    if(NOT result STREQUAL "0")
      set(reason "${folder} cannot be written: ${result}")
    endif()
  endif()
  file(REMOVE_RECURSE "${work}")
  set(${out} "${reason}" PARENT_SCOPE)
endfunction()

foreach(release IN ITEMS oldest newest)
  archgrid_find_cmake_release(${release} found)
  archgrid_cmake_release_folder(${release} folder)
  if(found)
    message(STATUS "archgrid: CMake ${found_VERSION} found     ${folder}")
  elseif(DRY_RUN STREQUAL "yes")
    message(STATUS "archgrid: CMake ${found_VERSION} missing   would be fetched (pypi) into ${folder}")
  else()
    fetch_release(${release} "${folder}" reason)
    if(reason STREQUAL "")
      message(STATUS "archgrid: CMake ${found_VERSION} fetched   ${folder}")
    else()
      message(STATUS "archgrid: CMake ${found_VERSION} missing   the test e2e.cmake_releases will fail: ${reason}")
    endif()
  endif()
endforeach()
