# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

# Finds candidates for toolkits on the machine, and in the cache that several checkouts share.
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

# Sets OUT to the folders of this machine that may contain CUDA VERSION, without those of the cache,
# best first.
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

# Sets OUT to the nvcc files to try for CUDA VERSION with LIBRARIES, best first, each once.
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

# Sets OUT to the reason why it is not safe to run programs from PATH, in the folder of toolkits, or
# to nothing. Safe means that its owner is root or the current user, and that it is not
# world-writable. The owner's group may be able to write it. With STICKY, others may put files of
# their own beside it, as in /tmp.
function(_archgrid_refuse_writable path sticky out)
  set(${out} "" PARENT_SCOPE)
  execute_process(COMMAND stat -L -c "%u %a" "${path}" OUTPUT_VARIABLE facts ERROR_QUIET)
  execute_process(COMMAND stat -c "%u" "${path}" OUTPUT_VARIABLE link_owner ERROR_QUIET
    OUTPUT_STRIP_TRAILING_WHITESPACE)
  execute_process(COMMAND id -u OUTPUT_VARIABLE user ERROR_QUIET OUTPUT_STRIP_TRAILING_WHITESPACE)
  if(NOT facts MATCHES "^([0-9]+) ([0-9]?)[0-7][0-7]([0-7])")
    set(${out} "${path}: its owner cannot be read" PARENT_SCOPE)
    return()
  endif()
  set(special "0${CMAKE_MATCH_2}")
  set(others "${CMAKE_MATCH_3}")
  foreach(owner IN ITEMS "${CMAKE_MATCH_1}" "${link_owner}")
    if(NOT owner STREQUAL "0" AND NOT owner STREQUAL user)
      set(${out}
        "${path} belongs to user ${owner}, who could replace the programs in it\n  Fix: chown it to you, or set \
ARCHGRID_TOOLKITS to a folder of your own" PARENT_SCOPE)
      return()
    endif()
  endforeach()
  math(EXPR world_writable "${others} & 2")
  math(EXPR is_sticky "${special} & 1")
  if(world_writable AND NOT (sticky AND is_sticky))
    set(${out}
      "${path} can be written by everybody, who could replace the programs in it\n  Fix: chmod o-w ${path}, or set \
ARCHGRID_TOOLKITS to a folder of your own" PARENT_SCOPE)
  endif()
endfunction()

# Sets OUT to the reason why NVCC of CUDA VERSION must not run, or to nothing. It must not if it
# lies in the folder of toolkits and anybody but root and the current user can write there. An nvcc
# elsewhere may always run: the user chose its place.
function(_archgrid_refuse_shared version nvcc out)
  set(${out} "" PARENT_SCOPE)
  _archgrid_toolkit_cache(cache)
  file(GLOB roots LIST_DIRECTORIES TRUE "${cache}/cuda-${version}" "${cache}/cuda-${version}-*")
  foreach(root IN LISTS roots)
    file(REAL_PATH "${root}/bin/nvcc" cached)
    if(nvcc STREQUAL cached)
      _archgrid_refuse_shared_root("${cache}" "${root}" reason)
      set(${out} "${reason}" PARENT_SCOPE)
      return()
    endif()
  endforeach()
endfunction()

# Sets OUT to the reason why programs of ROOT, a toolkit in the folder CACHE, must not run, or to
# nothing.
function(_archgrid_refuse_shared_root cache root out)
  _archgrid_refuse_writable("${cache}" TRUE reason)
  foreach(path IN ITEMS "${root}" "${root}/bin" "${root}/bin/nvcc" "${root}/nvvm/bin")
    if(reason STREQUAL "" AND EXISTS "${path}")
      _archgrid_refuse_writable("${path}" FALSE reason)
    endif()
  endforeach()
  set(${out} "${reason}" PARENT_SCOPE)
endfunction()
