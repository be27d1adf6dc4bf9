# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

# Finds device code in files by their bytes.
include_guard(GLOBAL)
include("${CMAKE_CURRENT_LIST_DIR}/list_syntax.cmake")

# Names of folders that are not searched: they contain what CMake, Meson (its probe of nvcc), CPack
# and git write for themselves.
set(_archgrid_unsearched_folders CMakeFiles .cmake meson-private _CPack_Packages .git)

# Sets OUT to arguments of find that match folders which are not searched.
function(_archgrid_find_unsearched out)
  list(TRANSFORM _archgrid_unsearched_folders REPLACE "(.+)" "-o;-name;\\1" OUTPUT_VARIABLE names)
  list(POP_FRONT names)
  set(${out} "${names}" PARENT_SCOPE)
endfunction()

# Finds the files with device code below FOLDER. ARGN contains further options of grep.
function(_archgrid_search_folder folder out)
  list(TRANSFORM _archgrid_unsearched_folders PREPEND "--exclude-dir=" OUTPUT_VARIABLE excluded)
  _archgrid_grep_device_code("${folder}" found -r ${excluded} ${ARGN} .)
  set(${out} "${found}" PARENT_SCOPE)
endfunction()

# Removes duplicates of a file from the list PATHS_VARIABLE: of a library and links to it, the first
# stays, which is the target's.
function(_archgrid_drop_same_files build paths_variable)
  set(kept "")
  set(seen "")
  foreach(path IN LISTS ${paths_variable})
    file(REAL_PATH "${path}" real BASE_DIRECTORY "${build}")
    if(NOT real IN_LIST seen)
      list(APPEND seen "${real}")
      list(APPEND kept "${path}")
    endif()
  endforeach()
  set(${paths_variable} "${kept}" PARENT_SCOPE)
endfunction()

# Sets OUT to the files in ARGN, arguments of grep, that contain device code. These are fat binaries
# and cubins, by their first bytes; the text of PTX, which programs may embed as plain data; LTO-IR
# and OptiX-IR; and code that registers a fat binary hidden in LTO data of the host compiler. The
# paths are masked by _archgrid_mask_list_syntax().
function(_archgrid_grep_device_code build out)
  # printf is needed: a CMake file cannot pass an argument with bytes that are not UTF-8.
  execute_process(
    COMMAND sh -c
    "code=$(printf '\\120\\355\\125\\272\\001|\\177ELF\\002\\001\\001[3A]|^\\355\\103\\116\\177|^[[:blank:]]*[.]target[[:blank:]]+sm_[0-9]|_ZL15__fatDeviceText|__fatbinwrap_'); LC_ALL=C exec grep -l -a -E -e \"$code\" \"$@\"" sh ${ARGN}
    WORKING_DIRECTORY "${build}" OUTPUT_VARIABLE found ERROR_VARIABLE error RESULT_VARIABLE result)
  if(result GREATER 1)
    message(FATAL_ERROR "grep could not search ${build} for device code: ${error}")
  endif()
  _archgrid_split_lines("${found}" found)
  list(TRANSFORM found REPLACE "^\\./" "")
  set(${out} "${found}" PARENT_SCOPE)
endfunction()

# Sets OUT to the lines of TEXT, each masked by _archgrid_mask_list_syntax().
function(_archgrid_split_lines text out)
  _archgrid_mask_list_syntax("${text}" text)
  string(REGEX MATCHALL "[^\n]+" lines "${text}")
  set(${out} "${lines}" PARENT_SCOPE)
endfunction()

# Unmasks the list PATHS_VARIABLE and removes paths that a list cannot contain (a semicolon, or an
# unmatched bracket). Sets OUT to "<why>:<path>" of each removed path, masked.
function(_archgrid_take_odd_paths paths_variable why out)
  set(others "")
  set(odd "")
  foreach(masked IN LISTS ${paths_variable})
    _archgrid_unmask_list_syntax("${masked}" path)
    string(REGEX REPLACE "[^[]" "" opening "${path}")
    string(REGEX REPLACE "[^]]" "" closing "${path}")
    string(LENGTH "${opening}" opening)
    string(LENGTH "${closing}" closing)
    if(path MATCHES ";" OR NOT opening EQUAL closing)
      list(APPEND odd "${why}:${masked}")
    else()
      list(APPEND others "${path}")
    endif()
  endforeach()
  set(${paths_variable} "${others}" PARENT_SCOPE)
  set(${out} "${odd}" PARENT_SCOPE)
endfunction()

# Sets OUT to those PATHS that contain device code, or that nvcc wrote instead of an object.
function(_archgrid_filter_device_code build paths out)
  set(code "${paths}")
  list(FILTER code INCLUDE REGEX "\\.(ptx|cubin|fatbin)$")
  list(FILTER paths EXCLUDE REGEX "\\.(ptx|cubin|fatbin)$")
  list(LENGTH paths count)
  set(first 0)
  while(first LESS count) # the length of a command line is limited
    list(SUBLIST paths ${first} 500 some)
    _archgrid_grep_device_code("${build}" found -- ${some})
    _archgrid_take_odd_paths(found "" none)
    list(APPEND code ${found})
    math(EXPR first "${first} + 500")
  endwhile()
  set(${out} "${code}" PARENT_SCOPE)
endfunction()

# Sets OUT to the thin archives in ARCHIVES (which name their members without containing them) that
# have a member with device code, or whose members are missing: the audit reports which.
function(_archgrid_filter_thin_archives build archives out)
  set(thin "")
  file(STRINGS "${build}/CMakeCache.txt" ar REGEX "^CMAKE_AR:[A-Z]+=.")
  string(REGEX REPLACE "^[^=]*=" "" ar "${ar}")
  foreach(archive IN LISTS archives)
    file(READ "${build}/${archive}" header LIMIT 8 HEX)
    if(header STREQUAL "213c7468696e3e0a")
      execute_process(COMMAND "${ar}" t "${archive}" WORKING_DIRECTORY "${build}"
        OUTPUT_VARIABLE members ERROR_QUIET RESULT_VARIABLE result)
      if(NOT result EQUAL 0)
        list(APPEND thin "${archive}")
        continue()
      endif()
      _archgrid_split_lines("${members}" members)
      _archgrid_take_odd_paths(members "" none)
      _archgrid_filter_device_code("${build}" "${members}" found)
      if(found)
        list(APPEND thin "${archive}")
      endif()
    endif()
  endforeach()
  set(${out} "${thin}" PARENT_SCOPE)
endfunction()

# Reports whether FILE is a cubin, PTX or a fat binary.
function(_archgrid_is_loaded_code file out)
  set(${out} FALSE PARENT_SCOPE)
  file(READ "${file}" header LIMIT 20 HEX)
  # Machine EM_CUDA, in either byte order.
  if(header MATCHES "^50ed55ba" OR (header MATCHES "^7f454c46" AND header MATCHES "(be00|00be)$"))
    set(${out} TRUE PARENT_SCOPE)
  elseif(file MATCHES "\\.ptx$")
    file(STRINGS "${file}" target LIMIT_COUNT 1 REGEX "^[ \t]*\\.target[ \t]")
    if(NOT target STREQUAL "")
      set(${out} TRUE PARENT_SCOPE)
    endif()
  endif()
endfunction()

# Reports whether FILE, which contains device code, is a static library or code that a program
# loads.
function(_archgrid_is_part file out)
  file(READ "${file}" header LIMIT 8 HEX)
  _archgrid_is_loaded_code("${file}" is_loaded)
  if(is_loaded OR header MATCHES "^(213c617263683e0a|213c7468696e3e0a)")
    set(${out} TRUE PARENT_SCOPE)
  else()
    set(${out} FALSE PARENT_SCOPE)
  endif()
endfunction()

# Reports whether FILE is an ELF program or shared library of a CPU (not an object, not a cubin).
function(_archgrid_is_linked_elf file out)
  set(${out} FALSE PARENT_SCOPE)
  file(READ "${file}" header LIMIT 20 HEX)
  string(SUBSTRING "${header}" 0 8 magic)
  if(magic STREQUAL "7f454c46")
    string(SUBSTRING "${header}" 32 4 type)
    string(SUBSTRING "${header}" 36 4 machine)
    # ET_EXEC or ET_DYN, not EM_CUDA, in either byte order.
    if(type MATCHES "^(0[23]00|000[23])$" AND NOT machine MATCHES "^(be00|00be)$")
      set(${out} TRUE PARENT_SCOPE)
    endif()
  endif()
endfunction()
