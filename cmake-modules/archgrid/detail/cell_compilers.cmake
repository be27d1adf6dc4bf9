# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

# The compilers of cells: which they are, what is passed of them, and their detection, once a toolkit.
include_guard(GLOBAL)
include("${CMAKE_CURRENT_LIST_DIR}/../find_toolkit.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/compiler_cache.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/data.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/host_compiler.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/user_cache.cmake")

# Sets OUT to `set(KEY VALUE CACHE STRING "")` lines for a list of KEY=VALUE.
function(_archgrid_cache_lines definitions out)
  set(lines "")
  foreach(definition IN LISTS definitions)
    if(definition STREQUAL "")
      continue()
    endif()
    if(NOT definition MATCHES "^([A-Za-z_][A-Za-z0-9_.-]*)(:([A-Z]+))?=(.*)$")
      message(FATAL_ERROR "archgrid_add_matrix: '${definition}' is no definition. Write KEY=VALUE.")
    endif()
    set(key "${CMAKE_MATCH_1}")
    set(type "${CMAKE_MATCH_3}")
    set(value "${CMAKE_MATCH_4}")
    if(NOT type)
      set(type STRING)
    endif()
    # A line break after the opening bracket is not part of the value.
    string(APPEND lines "set(${key} [==[\n${value}]==] CACHE ${type} \"\" FORCE)\n")
  endforeach()
  set(${out} "${lines}" PARENT_SCOPE)
endfunction()

# Sets OUT to the command that runs a script of detail/ under a lock. The lock is inherited by every
# process below it: after a build was killed, the next one waits until the last compiler of the killed
# one has stopped writing.
function(_archgrid_locked_command out lock config script)
  set(command "${CMAKE_COMMAND}" "-DCONFIG=${config}" -P "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/${script}")
  set(${out} "${ARCHGRID_FLOCK}" "${lock}" ${command} PARENT_SCOPE)
endfunction()

# Sets <prefix>_ROOT, _NVCC, _C, _CXX, _ARCH (a plain arch that the toolkit builds) and _FINGERPRINT, or
# _REASON. Each toolkit is looked for once a configure.
function(_archgrid_find_compilers cuda host_compiler prefix)
  get_property(known GLOBAL PROPERTY "ARCHGRID_COMPILERS_${cuda}_${host_compiler}")
  if(NOT known)
    set(reason "")
    archgrid_find_toolkit("${cuda}" RESULT toolkit)
    if(NOT toolkit_FOUND)
      set(reason "CUDA ${cuda} is not on this machine (${toolkit_REASON}); get it with ./setup --matrix, or archgrid_fetch_toolkit(${cuda})")
    else()
      _archgrid_pick_host_compiler("${cuda}" "${host_compiler}" host)
      set(reason "${host_REASON}")
      _archgrid_toolkit_fingerprint("${toolkit_ROOT}" "${host_C};${host_CXX}" fingerprint)
    endif()
    string(REGEX REPLACE "[ \n]*\n[ \n]*" "; " reason "${reason}") # one line of a table, one of a build file
    _archgrid_data_toolkit(row "${cuda}")
    list(GET row_ARCHS 0 arch)
    # A list item per fact; an empty one would vanish.
    set(known "ROOT=${toolkit_ROOT}" "NVCC=${toolkit_NVCC}" "C=${host_C}" "CXX=${host_CXX}" "ARCH=${arch}" "FINGERPRINT=${fingerprint}" "REASON=${reason}")
    set_property(GLOBAL PROPERTY "ARCHGRID_COMPILERS_${cuda}_${host_compiler}" "${known}")
  endif()
  foreach(fact IN LISTS known)
    string(REGEX MATCH "^([A-Z]+)=(.*)$" fact "${fact}")
    set(${prefix}_${CMAKE_MATCH_1} "${CMAKE_MATCH_2}" PARENT_SCOPE)
  endforeach()
endfunction()

# Adds the target that detects the compilers of a toolkit, once for equal compilers and flags, and sets
# SEED to where it leaves what was found, TARGET to its name.
function(_archgrid_add_detection cuda compilers fingerprint arch flags seed target)
  file(SHA256 "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/detect_compilers.cmake" how)
  string(SHA256 key "${CMAKE_VERSION}|${how}|${compilers}|${fingerprint}|${flags}")
  string(SUBSTRING "${key}" 0 8 short_key)
  string(REPLACE "." "" name "detect-cu${cuda}-${short_key}")
  set(folder "${CMAKE_BINARY_DIR}/detect/${name}")
  set(${seed} "${folder}" PARENT_SCOPE)
  set(${target} "${name}" PARENT_SCOPE)
  if(TARGET ${name})
    return()
  endif()
  _archgrid_cache_lines("${compilers};CMAKE_CUDA_ARCHITECTURES=${arch};${flags}" cache)
  _archgrid_user_cache(compilers ARCHGRID_COMPILERS kept)
  file(CONFIGURE OUTPUT "${folder}.config.cmake" @ONLY CONTENT "set(detect_seed [==[@folder@]==])
set(detect_key @key@)
set(detect_kept [==[@kept@]==])
set(detect_ninja [==[@ARCHGRID_NINJA@]==])
set(detect_cache [=====[
@cache@]=====])
")
  _archgrid_locked_command(script "${folder}.lock" "${folder}.config.cmake" detect_compilers.cmake)
  add_custom_target(${name} COMMAND ${script} JOB_POOL archgrid_cells VERBATIM COMMENT "${name}")
endfunction()
