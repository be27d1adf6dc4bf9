# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

# cmake [-DDRY_RUN=yes] -P fetch.cmake
#
# Fetches the sources of the newest GoogleTest from Debian's unstable suite, unless sources were
# fetched before. No other index that a package manager can name has a new version sooner. The
# sources appear by one rename. Only tests need them, and report if they are missing: an error here
# is reported, but is not a failure.
cmake_minimum_required(VERSION 3.25)
include("${CMAKE_CURRENT_LIST_DIR}/find.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/../../cmake-modules/archgrid/detail/begin_fetch.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/../../cmake-modules/archgrid/detail/fetch_debian.cmake")

# Unpacks the package googletest into WORK. Sets OUT to the error message, empty on success, and
# VERSION.
function(fetch_into work out)
  _archgrid_write_apt_configuration("${work}" sid reason)
  set(apt "${CMAKE_COMMAND}" -E env "APT_CONFIG=${work}/apt.conf")
  if(reason STREQUAL "")
    _archgrid_run_step("apt-get update of Debian sid" reason COMMAND ${apt} apt-get update -q)
  endif()
  if(reason STREQUAL "")
    _archgrid_run_step("apt-get download of googletest" reason
      COMMAND ${apt} apt-get download -q googletest WORKING_DIRECTORY "${work}/deb")
  endif()
  if(reason STREQUAL "")
    file(GLOB package "${work}/deb/googletest_*.deb")
    _archgrid_run_step("unpacking googletest" reason
      COMMAND dpkg-deb --fsys-tarfile "${package}"
      COMMAND tar -x -C "${work}" --no-same-owner ./usr/src/googletest)
    string(REGEX REPLACE ".*/googletest_([0-9.]+).*" "\\1" version "${package}")
    set(VERSION "${version}" PARENT_SCOPE)
  endif()
  set(${out} "${reason}" PARENT_SCOPE)
endfunction()

# Fetches GoogleTest into CACHE. Sets OUT to the error message, empty on success, and VERSION.
function(fetch cache out)
  _archgrid_begin_fetch("${cache}" googletest reason)
  archgrid_find_newest_googletest(found)
  set(VERSION "${found_VERSION}") # another process that held the lock may have fetched it
  if(reason STREQUAL "" AND NOT found)
    string(RANDOM LENGTH 8 name)
    set(work "${cache}/.partial-googletest-${name}")
    file(MAKE_DIRECTORY "${work}")
    fetch_into("${work}" reason)
    if(reason STREQUAL "")
      file(RENAME "${work}/usr/src/googletest" "${cache}/googletest-${VERSION}" RESULT result)
      if(NOT result STREQUAL "0")
        set(reason "${cache}/googletest-${VERSION} cannot be written: ${result}")
      endif()
    endif()
    file(REMOVE_RECURSE "${work}")
  endif()
  set(${out} "${reason}" PARENT_SCOPE)
  set(VERSION "${VERSION}" PARENT_SCOPE)
endfunction()

archgrid_find_newest_googletest(found)
if(found)
  message(STATUS "archgrid: GoogleTest  found     ${found}")
  return()
endif()
_archgrid_toolkit_cache(cache)
if(DRY_RUN STREQUAL "yes")
  message(STATUS "archgrid: GoogleTest  missing   would be fetched (debian sid) into ${cache}")
  return()
endif()
fetch("${cache}" reason)
if(reason STREQUAL "")
  message(STATUS "archgrid: GoogleTest  fetched   ${cache}/googletest-${VERSION}")
else()
  message(STATUS "archgrid: GoogleTest  missing   tests against the newest one will be skipped: ${reason}")
endif()
