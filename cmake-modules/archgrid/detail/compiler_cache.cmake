# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

include_guard(GLOBAL)

# Sets OUT to the launcher for a compiler of the cells: ccache in the only mode that is right for nvcc. Its
# default mode hits on the preprocessed source of one arch, and so misses edits that only others see.
# COMPILER_CHECK is how ccache knows the compiler again (CCACHE_COMPILERCHECK).
function(_archgrid_find_launcher compiler_check out)
  if(NOT DEFINED ARCHGRID_COMPILER_CACHE)
    find_program(ARCHGRID_COMPILER_CACHE ccache DOC "ccache for the cells, or OFF")
  endif()
  set(${out} "" PARENT_SCOPE)
  if(ARCHGRID_COMPILER_CACHE)
    find_program(ARCHGRID_ENV env)
    mark_as_advanced(ARCHGRID_ENV)
    set(set_variables "${ARCHGRID_ENV}")
    if(NOT ARCHGRID_ENV)
      set(set_variables "${CMAKE_COMMAND};-E;env")
    endif()
    set(${out} "${set_variables};CCACHE_DEPEND=1;CCACHE_COMPILERCHECK=${compiler_check};${ARCHGRID_COMPILER_CACHE}" PARENT_SCOPE)
  endif()
endfunction()

# Sets OUT to a hash that changes with the compiler and the headers of the toolkit at ROOT, and with its host compilers. Hashed
# by content are the programs that nvcc runs, nvcc among them, once: ccache itself would read nvcc's 30 MB for every object,
# and nothing of cicc and ptxas. Headers are hashed by the names in the include folders: ccache checks the headers that an
# object was compiled with, but not whether the toolkit has got one that would be found first.
function(_archgrid_toolkit_fingerprint root host_compilers out)
  set(programs bin/nvcc bin/cudafe++ bin/ptxas bin/fatbinary bin/nvlink nvvm/bin/cicc)
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
  string(SHA256 key "${root};${stamp}")
  if(NOT ARCHGRID_FINGERPRINT_${key})
    set(hashes "")
    foreach(program IN LISTS programs)
      if(EXISTS "${program}")
        file(SHA256 "${program}" hash)
        list(APPEND hashes "${hash}")
      endif()
    endforeach()
    string(SHA256 fingerprint "${hashes}")
    set(ARCHGRID_FINGERPRINT_${key} "${fingerprint}" CACHE INTERNAL "The toolkit at ${root}, by content")
  endif()
  file(GLOB headers RELATIVE "${root}" "${root}/include/*" "${root}/targets/*/include/*")
  string(SHA256 fingerprint "${ARCHGRID_FINGERPRINT_${key}};${headers}")
  set(${out} "${fingerprint}" PARENT_SCOPE)
endfunction()
