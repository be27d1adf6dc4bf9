# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

# Finds libraries that NVIDIA ships beside a toolkit's compiler (data/libraries.json): validates
# their names, locates them in a toolkit, and lists the toolkits in the cache that were fetched with
# some.
include_guard(GLOBAL)
cmake_policy(VERSION 3.25...4.0)

include("${CMAKE_CURRENT_LIST_DIR}/data.cmake")

# Sets OUT to the reason why LIBRARIES are not all libraries of CUDA VERSION, or to nothing.
function(_archgrid_refuse_libraries version libraries out)
  set(${out} "" PARENT_SCOPE)
  foreach(library IN LISTS libraries)
    _archgrid_data_library(row "${library}")
    if(NOT row_FOUND)
      _archgrid_data_libraries(known)
      list(JOIN known " " known)
      set(${out} "unknown library \"${library}\"; known are: ${known}" PARENT_SCOPE)
      return()
    elseif(version VERSION_LESS row_SINCE)
      set(${out} "CUDA ${version} has no ${library}, which came with CUDA ${row_SINCE}" PARENT_SCOPE)
      return()
    endif()
  endforeach()
endfunction()

# Sets OUT to the name of a toolkit with LIBRARIES: "CUDA 13.5", or "CUDA 13.5 with cublas,
# cusparse".
function(_archgrid_toolkit_label version libraries out)
  set(label "CUDA ${version}")
  if(libraries)
    list(JOIN libraries ", " joined)
    string(APPEND label " with ${joined}")
  endif()
  set(${out} "${label}" PARENT_SCOPE)
endfunction()

# Sets OUT to the name of the cache folder of CUDA VERSION with LIBRARIES: cuda-13.5,
# cuda-13.5-cublas-cusparse.
function(_archgrid_toolkit_folder version libraries out)
  list(SORT libraries)
  list(REMOVE_DUPLICATES libraries)
  list(JOIN libraries "-" name)
  if(name)
    string(PREPEND name "-")
  endif()
  set(${out} "cuda-${version}${name}" PARENT_SCOPE)
endfunction()

# Sets OUT to the folders in CACHE that may contain CUDA VERSION with LIBRARIES: first the one with
# exactly these, then those with additional ones, then the one without any, which may still contain
# them.
function(_archgrid_cached_toolkits version libraries cache out)
  _archgrid_toolkit_folder("${version}" "${libraries}" exact)
  set(folders "${cache}/${exact}")
  if(libraries)
    file(GLOB others LIST_DIRECTORIES TRUE "${cache}/cuda-${version}-*")
    foreach(other IN LISTS others)
      string(REGEX REPLACE ".*/cuda-[0-9.]+-" "" names "${other}")
      string(REPLACE "-" ";" names "${names}")
      set(lacking ${libraries})
      list(REMOVE_ITEM lacking ${names})
      if(NOT lacking)
        list(APPEND folders "${other}")
      endif()
    endforeach()
    list(APPEND folders "${cache}/cuda-${version}")
  endif()
  set(${out} "${folders}" PARENT_SCOPE)
endfunction()

# Searches for LIBRARIES in the toolkit at ROOT, whose libraries are in its folder LIB and headers
# in INCLUDE. Sets <prefix>_REASON to the missing part, or to nothing, <prefix>_FINGERPRINT to a
# text that changes with any of them, <prefix>_FLAGS to nvcc's flags for compiling and linking with
# all of them, and <prefix>_FILES to their names for the linker.
function(_archgrid_library_parts root lib include libraries prefix)
  set(fingerprint "")
  set(flags "")
  set(names "")
  foreach(library IN LISTS libraries)
    _archgrid_data_library(row "${library}")
    # NVIDIA's own installers put CUPTI into a separate folder.
    set(place "")
    foreach(folders IN ITEMS "${include};${lib}" "extras/CUPTI/include;extras/CUPTI/lib64")
      list(GET folders 0 headers)
      if(place STREQUAL "" AND EXISTS "${root}/${headers}/${row_HEADER}")
        set(place "${folders}")
      endif()
    endforeach()
    if(place STREQUAL "")
      set(${prefix}_REASON "it has no ${library}: ${include}/${row_HEADER} is missing" PARENT_SCOPE)
      return()
    endif()
    list(GET place 0 headers)
    list(GET place 1 objects)
    list(APPEND flags "-I${root}/${headers}" -include "${row_HEADER}")
    set(parts "${headers}/${row_HEADER}")
    foreach(name IN LISTS row_FILES)
      list(APPEND parts "${objects}/lib${name}.so")
      list(APPEND flags "-L${root}/${objects}" "-l${name}")
      list(APPEND names "${name}")
    endforeach()
    foreach(part IN LISTS parts)
      if(NOT EXISTS "${root}/${part}")
        set(${prefix}_REASON "it has no ${library}: ${part} is missing" PARENT_SCOPE)
        return()
      endif()
      file(REAL_PATH "${root}/${part}" file)
      file(SIZE "${file}" size)
      file(TIMESTAMP "${file}" time "%s" UTC)
      string(APPEND fingerprint "\n${file} ${size} ${time}")
    endforeach()
  endforeach()
  if(names)
    # RPATH is needed: unlike RUNPATH, it also applies to the libraries that a library needs itself.
    list(APPEND flags -Xlinker --no-as-needed -Xlinker --disable-new-dtags -Xlinker "-rpath=${root}/${lib}"
         -Xlinker "-rpath=${root}/extras/CUPTI/lib64")
  endif()
  set(${prefix}_REASON "" PARENT_SCOPE)
  set(${prefix}_FINGERPRINT "${fingerprint}" PARENT_SCOPE)
  set(${prefix}_FLAGS "${flags}" PARENT_SCOPE)
  set(${prefix}_FILES "${names}" PARENT_SCOPE)
endfunction()

# Adds the links that compilers look for (libcublas.so) to the toolkit's library folder LIB, if it
# has only libcublas.so.13.
function(_archgrid_link_libraries lib)
  file(GLOB versioned RELATIVE "${lib}" "${lib}/*.so.*")
  list(SORT versioned)
  foreach(file IN LISTS versioned)
    string(REGEX REPLACE "\\.so\\..*" ".so" link "${file}")
    if(NOT EXISTS "${lib}/${link}")
      file(CREATE_LINK "${file}" "${lib}/${link}" SYMBOLIC)
    endif()
  endforeach()
endfunction()

# Sets OUT to the approximate size of LIBRARIES in megabytes.
function(_archgrid_library_megabytes libraries out)
  set(sum 0)
  foreach(library IN LISTS libraries)
    _archgrid_data_library(row "${library}")
    math(EXPR sum "${sum} + ${row_MEGABYTES}")
  endforeach()
  set(${out} ${sum} PARENT_SCOPE)
endfunction()
