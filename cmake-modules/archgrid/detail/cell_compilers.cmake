# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

# Selects the compilers of cells, passes them on, and detects them once per toolkit.
include_guard(GLOBAL)
include("${CMAKE_CURRENT_LIST_DIR}/../find_toolkit.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/compiler_cache.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/data.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/host_compiler.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/quote.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/user_cache.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/write_file.cmake")

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
    _archgrid_bracket("${value}" value)
    string(APPEND lines "set(${key} ${value} CACHE ${type} \"\" FORCE)\n")
  endforeach()
  set(${out} "${lines}" PARENT_SCOPE)
endfunction()

# Sets OUT to the command that runs a script of detail/ under a lock. Every child process inherits
# the lock: after a build was killed, the next one waits until the last compiler of the killed one
# has stopped writing. Further arguments are passed to cmake before the script.
function(_archgrid_locked_command out lock config script)
  set(command "${CMAKE_COMMAND}" "-DCONFIG=${config}" ${ARGN} -P "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/${script}")
  set(${out} "${ARCHGRID_FLOCK}" "${lock}" ${command} PARENT_SCOPE)
endfunction()

# Sets OUT to archgrid's setup script as a user in the top folder of the project would call it, or
# to nothing if only the modules are present.
function(_archgrid_setup_command out)
  cmake_path(SET setup NORMALIZE "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/../../../setup")
  set(${out} "" PARENT_SCOPE)
  if(EXISTS "${setup}" AND NOT IS_DIRECTORY "${setup}")
    cmake_path(RELATIVE_PATH setup BASE_DIRECTORY "${CMAKE_SOURCE_DIR}" OUTPUT_VARIABLE relative)
    if(relative STREQUAL "setup")
      set(setup "./setup")
    elseif(NOT relative MATCHES "^\\.\\./\\.\\./") # shorter than its absolute path
      set(setup "${relative}")
    endif()
    set(${out} "${setup}" PARENT_SCOPE)
  endif()
endfunction()

# Sets OUT to why the cells of a toolkit that archgrid_find_toolkit() did not find are impossible,
# with the way to get it. REASON is that function's; FETCH_FROM names the packages of the toolkit,
# if any.
function(_archgrid_say_absent_toolkit cuda libraries reason fetch_from out)
  _archgrid_toolkit_label("${cuda}" "${libraries}" label)
  set(absent "no ${label} on this machine")
  string(FIND "${reason}" "${absent}" place)
  if(NOT place EQUAL 0)
    set(${out} "${reason}" PARENT_SCOPE) # already names the toolkit and the fix
    return()
  endif()
  set(way "install it")
  if(fetch_from)
    list(JOIN libraries " " arguments)
    if(arguments)
      string(PREPEND arguments " LIBRARIES ")
    endif()
    _archgrid_setup_command(setup)
    set(way "get it by the line archgrid_fetch_toolkit(${cuda}${arguments}) before archgrid_add_matrix()")
    if(setup)
      set(way "get it with ${setup} --matrix FILE, or archgrid_fetch_toolkit(${cuda}${arguments})")
    endif()
  endif()
  string(LENGTH "${absent}" length)
  string(SUBSTRING "${reason}" ${length} -1 others)
  string(STRIP "${others}" others)
  if(NOT others STREQUAL "")
    set(others " (${others})")
  endif()
  set(${out} "${label} is not on this machine${others}: ${way}" PARENT_SCOPE)
endfunction()

# Sets <prefix>_ROOT, _NVCC, _C, _CXX, _ARCH (a plain arch that the toolkit builds), _FINGERPRINT
# and _LAUNCHER (of nvcc, or empty) for the toolkit with LIBRARIES, or else _REASON. Searches for
# each toolkit once per configure.
function(_archgrid_find_compilers cuda host_compiler libraries prefix)
  set(facts ROOT NVCC C CXX ARCH FINGERPRINT LAUNCHER REASON)
  set(property "ARCHGRID_COMPILERS_${cuda}_${host_compiler}_${libraries}")
  get_property(known GLOBAL PROPERTY "${property}" SET)
  if(NOT known)
    set(reason "")
    set(launcher "")
    archgrid_find_toolkit("${cuda}" LIBRARIES ${libraries} RESULT toolkit)
    _archgrid_data_toolkit(row "${cuda}")
    if(NOT toolkit_FOUND)
      _archgrid_say_absent_toolkit("${cuda}" "${libraries}" "${toolkit_REASON}" "${row_FETCH_FROM}" reason)
    else()
      _archgrid_pick_host_compiler("${cuda}" "${host_compiler}" host)
      set(reason "${host_REASON}")
      _archgrid_toolkit_fingerprint("${toolkit_ROOT}" "${host_C};${host_CXX}" fingerprint)
      if(reason STREQUAL "")
        _archgrid_find_cuda_launcher("${cuda}" "${toolkit_NVCC}" "${host_CXX}" "${fingerprint}" launcher)
      endif()
    endif()
    # Tables and build files need one line.
    string(REGEX REPLACE "[ \n]*\n[ \n]*" "; " reason "${reason}")
    if(reason)
      message(STATUS "impossible cells: ${reason}")
    endif()
    list(GET row_ARCHS 0 arch)
    set(values "${toolkit_ROOT}" "${toolkit_NVCC}" "${host_C}" "${host_CXX}" "${arch}" "${fingerprint}" "${launcher}")
    foreach(fact value IN ZIP_LISTS facts values)
      set_property(GLOBAL PROPERTY "${property}_${fact}" "${value}")
    endforeach()
    set_property(GLOBAL PROPERTY "${property}_REASON" "${reason}") # a sentence, not a list item
    set_property(GLOBAL PROPERTY "${property}" TRUE)
  endif()
  foreach(fact IN LISTS facts)
    get_property(value GLOBAL PROPERTY "${property}_${fact}")
    set(${prefix}_${fact} "${value}" PARENT_SCOPE)
  endforeach()
endfunction()

# Sets OUT to the launcher with which cells of this tree compile for CUDA, with the toolkit's own
# host compiler and no libraries; empty if there are no such cells, or no compiler cache.
function(_archgrid_launcher_of_cells cuda out)
  get_property(launcher GLOBAL PROPERTY "ARCHGRID_COMPILERS_${cuda}___LAUNCHER")
  set(${out} "${launcher}" PARENT_SCOPE)
endfunction()

# Adds the target that detects the compilers of a toolkit with NINJA, once for equal compilers and
# flags. Sets SEED to the folder of its results and TARGET to its name.
function(_archgrid_add_detection cuda compilers fingerprint arch flags ninja seed target)
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
  _archgrid_data_toolkit(row "${cuda}")
  _archgrid_user_cache(compilers ARCHGRID_COMPILERS kept)
  set(config "")
  _archgrid_append_set(config detect_seed "${folder}" detect_key "${key}" detect_kept "${kept}"
    detect_archs "${row_ARCHS}"
    detect_ninja "${ninja}" detect_cache "${cache}")
  _archgrid_write_if_changed("${folder}.config.cmake" "${config}")
  _archgrid_locked_command(script "${folder}.lock" "${folder}.config.cmake" detect_compilers.cmake)
  add_custom_target(${name} COMMAND ${script} JOB_POOL archgrid_cells VERBATIM COMMENT "Compilers of CUDA ${cuda}")
endfunction()
