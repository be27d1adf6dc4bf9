# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

include_guard(GLOBAL)
include("${CMAKE_CURRENT_LIST_DIR}/sccache.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/user_cache.cmake")

# Sets OUT to ccache, empty if it is missing or disabled.
function(_archgrid_ccache_program out)
  if(NOT DEFINED ARCHGRID_COMPILER_CACHE)
    find_program(ARCHGRID_COMPILER_CACHE ccache DOC "ccache for the cells, or OFF")
  endif()
  set(${out} "" PARENT_SCOPE)
  if(ARCHGRID_COMPILER_CACHE)
    set(${out} "${ARCHGRID_COMPILER_CACHE}" PARENT_SCOPE)
  endif()
endfunction()

# Sets OUT to the launcher with which cells compile C and C++, or to nothing without ccache.
# ccache's depend mode would miss files that `.incbin` names.
function(_archgrid_c_launcher out)
  _archgrid_ccache_program(ccache)
  set(${out} "" PARENT_SCOPE)
  if(ccache)
    _archgrid_launcher_folder(folder)
    _archgrid_write_c_launcher("${folder}" "${ccache}" launcher)
    set(${out} "${launcher}" PARENT_SCOPE)
  endif()
endfunction()

# Sets OUT to the launcher with which cells of CUDA compile with NVCC, of a toolkit with
# FINGERPRINT, over CXX: through ccache and sccache, as far as they are there and correct; to
# nothing without both. Reports once per configure if sccache is not used.
function(_archgrid_find_cuda_launcher cuda nvcc cxx fingerprint out)
  set(launcher "")
  _archgrid_sccache_program(sccache)
  _archgrid_ccache_program(ccache)
  _archgrid_launcher_folder(folder)
  if(sccache)
    _archgrid_data_toolkit(row "${cuda}")
    _archgrid_sccache_launcher("${ccache}" "${sccache}" "${nvcc}" "${cxx}" "${fingerprint}"
      "${row_ARCHS}" "${folder}" launcher)
    if(launcher_REASON)
      message(STATUS
        "CUDA ${cuda}: sccache is not used: ${launcher_REASON}. ccache is, if there: a fat cell compiles what single ones have compiled")
    endif()
  endif()
  if(launcher STREQUAL "" AND ccache)
    _archgrid_place_sccache_launcher("${ccache}" "" "${nvcc}" "${fingerprint}" "" "${folder}" launcher)
  endif()
  set(${out} "${launcher}" PARENT_SCOPE)
endfunction()

# Sets OUT to the sccache for CUDA: ARCHGRID_SCCACHE, else the one that ./setup fetched, else that
# of the machine. Sets it to nothing if it is disabled, or if there is none, which is noted for
# _archgrid_report_missing_sccache().
function(_archgrid_sccache_program out)
  set(${out} "" PARENT_SCOPE)
  set(program "${ARCHGRID_SCCACHE}")
  if(DEFINED ARCHGRID_COMPILER_CACHE AND NOT ARCHGRID_COMPILER_CACHE
      AND NOT ARCHGRID_COMPILER_CACHE MATCHES "-NOTFOUND$")
    return()
  endif()
  if(program STREQUAL "")
    _archgrid_fetched_sccache(program)
    if(NOT program)
      _archgrid_program(sccache program)
    endif()
    if(NOT program)
      set_property(GLOBAL PROPERTY ARCHGRID_NO_SCCACHE TRUE)
    endif()
  endif()
  if(program)
    set(${out} "${program}" PARENT_SCOPE)
  endif()
endfunction()

# Sets OUT to a hash that changes with the compiler and the headers of the toolkit at ROOT, and with
# its host compilers. nvcc, the programs that it runs and the data they read are hashed by content:
# ccache itself would read nvcc's 30 MB for every object, and would ignore cicc and ptxas. Since
# they are 200 MB, their hash is computed once for all trees, until one of them changes in size or
# time. Headers are hashed by their names in the include folders: ccache checks the headers that an
# object was compiled with, but not whether the toolkit has gained one that would be found first.
function(_archgrid_toolkit_fingerprint root host_compilers out)
  set(programs bin/nvcc bin/cudafe++ bin/ptxas bin/tileiras bin/fatbinary bin/nvlink nvvm/bin/cicc
    bin/nvcc.profile nvvm/libdevice/libdevice.10.bc)
  list(TRANSFORM programs PREPEND "${root}/")
  list(APPEND programs ${host_compilers})
  set(stamp "")
  foreach(program IN LISTS programs)
    if(EXISTS "${program}")
      file(SIZE "${program}" size)
      file(TIMESTAMP "${program}" time "%s")
      list(APPEND stamp "${program} ${size} ${time}")
    endif()
  endforeach()
  string(SHA256 key "${stamp}")
  _archgrid_user_cache(toolkits ARCHGRID_TOOLKITS cache)
  string(SHA256 name "${root};${host_compilers}")
  set(memory "${cache}/.fingerprints/${name}")
  set(remembered "")
  if(cache AND EXISTS "${memory}")
    file(STRINGS "${memory}" remembered)
  endif()
  if("${remembered}" MATCHES "^${key};([0-9a-f]+)$")
    set(fingerprint "${CMAKE_MATCH_1}")
  else()
    set(hashes "")
    foreach(program IN LISTS programs)
      if(EXISTS "${program}")
        file(SHA256 "${program}" hash)
        list(APPEND hashes "${hash}")
      endif()
    endforeach()
    string(SHA256 fingerprint "${hashes}")
    if(cache)
      _archgrid_remember("${memory}" "${key}\n${fingerprint}\n")
    endif()
  endif()
  file(GLOB headers RELATIVE "${root}" "${root}/include/*" "${root}/targets/*/include/*")
  string(SHA256 fingerprint "${fingerprint};${headers}")
  set(${out} "${fingerprint}" PARENT_SCOPE)
endfunction()
