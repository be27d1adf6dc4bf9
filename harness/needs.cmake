# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0
#
# Looks for all libraries that the host code needs, so that one message names all that are missing.
# Each is PACKAGE=DEBIAN, a CMake package and the Debian package that has it.
set(needs fmt=libfmt-dev nlohmann_json=nlohmann-json3-dev zstd=libzstd-dev LZ4=liblz4-dev Libiberty=libiberty-dev
  xxHash=libxxhash-dev)
if(NOT archgrid_installed)
  list(APPEND needs CLI11=libcli11-dev LibArchive=libarchive-dev LibLZMA=liblzma-dev ZLIB=zlib1g-dev
    SQLite3=libsqlite3-dev tomlplusplus=libtomlplusplus-dev zydis=libzydis-dev
    pugixml=libpugixml-dev)
endif()
set(missing "")
foreach(need IN LISTS needs)
  string(REGEX REPLACE "=.*" "" package "${need}")
  string(REGEX REPLACE ".*=" "" debian "${need}")
  find_package(${package} QUIET)
  if(NOT ${package}_FOUND)
    list(APPEND missing "${debian}")
  endif()
endforeach()
if(missing)
  list(JOIN missing " " missing)
  message(FATAL_ERROR
    "archgrid: its host code needs libraries that are missing. Fix, on Debian or Ubuntu:\n  sudo apt-get install ${missing}\nElsewhere, install what these packages contain.")
endif()
