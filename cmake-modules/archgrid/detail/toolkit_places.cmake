# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

# Where toolkits may be: on the machine, and in the cache that several checkouts share.
include_guard(GLOBAL)
cmake_policy(VERSION 3.25...4.0)
include("${CMAKE_CURRENT_LIST_DIR}/toolkit_libraries.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/user_cache.cmake")

# Sets OUT to the folder of fetched toolkits: ARCHGRID_TOOLKITS (variable or environment), else
# archgrid/toolkits in the user's cache folder.
function(_archgrid_toolkit_cache out)
  _archgrid_user_cache(toolkits ARCHGRID_TOOLKITS folder)
  if(NOT folder)
    message(FATAL_ERROR "archgrid: no folder for toolkits: HOME is not set; "
      "set ARCHGRID_TOOLKITS to a folder, for example /var/cache/archgrid")
  endif()
  set(${out} "${folder}" PARENT_SCOPE)
endfunction()

# Sets OUT to the folders of this machine in which CUDA VERSION may be, those of the cache left out, best first.
function(_archgrid_toolkit_roots version out)
  set(roots "${CUDAToolkit_ROOT}" "$ENV{CUDAToolkit_ROOT}" "$ENV{CUDA_HOME}" "$ENV{CUDA_PATH}")
  file(TO_CMAKE_PATH "$ENV{PATH}" path)
  foreach(folder IN LISTS path)
    if(folder MATCHES "(.*)/bin/?$")
      list(APPEND roots "${CMAKE_MATCH_1}")
    endif()
  endforeach()
  file(GLOB opt LIST_DIRECTORIES TRUE "/opt/cuda*")
  list(APPEND roots "/usr/local/cuda-${version}" "/usr/local/cuda" ${opt})
  set(${out} "${roots}" PARENT_SCOPE)
endfunction()

# Sets OUT to the nvcc files worth asking for CUDA VERSION with LIBRARIES, best first, each once.
function(_archgrid_toolkit_candidates version libraries out)
  _archgrid_toolkit_roots("${version}" roots)
  _archgrid_toolkit_cache(cache)
  _archgrid_cached_toolkits("${version}" "${libraries}" "${cache}" cached)
  set(found "")
  foreach(root IN LISTS roots cached)
    set(nvcc "${root}/bin/nvcc")
    if(NOT root STREQUAL "" AND EXISTS "${nvcc}" AND NOT IS_DIRECTORY "${nvcc}")
      file(REAL_PATH "${nvcc}" nvcc)
      cmake_path(GET nvcc FILENAME name)
      # A link of that name to a compiler cache has no toolkit around it.
      if(name MATCHES "nvcc")
        list(APPEND found "${nvcc}")
      endif()
    endif()
  endforeach()
  list(REMOVE_DUPLICATES found)
  set(${out} "${found}" PARENT_SCOPE)
endfunction()
