# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

# Finds the files of a built cell that hold the code it ships, for the audits: those that its targets make, by what
# CMake's file API says, and those that lie beside them. Text of link lines plays no part: there a versioned library
# and a path with a space have other names.
include_guard(GLOBAL)
include("${CMAKE_CURRENT_LIST_DIR}/file_api.cmake")

# Names of libraries that NVIDIA ships, whole: libcudart.so.13 and libcudnn_ops.so.9, not libcuda_kernels.so. A project
# that copies one beside its own did not compile it.
set(_archgrid_nvidia_library "^lib((cudnn|nvinfer|nvshmem|nvrtc)([-_][a-z_]+)?|cuda|cudart|cudadevrt|cublas|cublasLt|cudla|cufft|cufftw|cufile|cuinj64|cupti|curand|cusolver|cusolverMg|cusparse|cusparseLt|cutensor|cutensorMg|culibos|nccl|npp[a-z]*|nvblas|nvJitLink|nvjitlink|nvToolsExt|nvjpeg|nvml|nvptxcompiler|nvvm)(-[0-9a-f]+)?\\.so[.0-9]*$")

# Finds what the build of GOALS (target names, `all`) left in the tree BUILD. Sets in the caller
#   <prefix>_ARTIFACTS  the files to audit, relative to BUILD, sorted
#   <prefix>_EXCLUDED   the targets that were not built, by name, sorted
#   <prefix>_LOST       "<target>: <path>" for each target that was built and whose file is not there
function(_archgrid_find_artifacts build ninja goals prefix)
  _archgrid_read_targets("${build}")
  _archgrid_find_made_targets("${build}" "${ninja}" "${goals}" made)
  set(artifacts "")
  set(archives "")
  set(objects "")
  set(links "")
  set(excluded "")
  set(lost "")
  set(owned "") # by some target, made or not
  set(seen "") # real paths of artifacts
  foreach(number RANGE 1 ${target_COUNT})
    set(type "${target_${number}_TYPE}")
    if(number GREATER target_COUNT OR NOT type MATCHES "^(EXECUTABLE|(SHARED|MODULE|STATIC|OBJECT)_LIBRARY)$")
      continue()
    endif()
    set(there ${target_${number}_PATHS})
    list(APPEND owned ${there})
    if(NOT number IN_LIST made)
      _archgrid_up_to_date("${build}" "${ninja}" "${there}" is_made)
      if(NOT is_made)
        list(APPEND excluded "${target_${number}_NAME}")
        continue()
      endif()
    endif()
    foreach(path IN LISTS there)
      if(NOT EXISTS "${build}/${path}")
        list(APPEND lost "${target_${number}_NAME}: ${path}")
      elseif(type STREQUAL "OBJECT_LIBRARY")
        list(APPEND objects "${path}")
      elseif(type STREQUAL "STATIC_LIBRARY")
        list(APPEND archives "${path}")
      else()
        list(APPEND artifacts "${path}")
      endif()
    endforeach()
    if(NOT type STREQUAL "OBJECT_LIBRARY")
      string(APPEND links "${target_${number}_JSON}")
    endif()
  endforeach()
  # Host code alone has nothing to audit; where the cell has nothing else, the audit says so of the archives.
  _archgrid_filter_device_code("${build}" "${archives}" device_archives)
  _archgrid_filter_unlinked("${objects}" "${links}" unlinked)
  _archgrid_filter_device_code("${build}" "${unlinked}" unlinked)
  list(APPEND artifacts ${device_archives} ${unlinked})
  _archgrid_find_strays("${build}" "${owned}" "${artifacts}" strays)
  list(APPEND artifacts ${strays})
  if(NOT artifacts)
    set(artifacts ${archives})
  endif()
  _archgrid_drop_same_files("${build}" artifacts)
  list(SORT artifacts)
  list(SORT excluded)
  set(${prefix}_ARTIFACTS "${artifacts}" PARENT_SCOPE)
  set(${prefix}_EXCLUDED "${excluded}" PARENT_SCOPE)
  set(${prefix}_LOST "${lost}" PARENT_SCOPE)
endfunction()

# Reports whether all PATHS exist and are what Ninja would make of today's sources: a target outside `all` that
# something else built, a test's fixture for instance, not one that an earlier state of the project left.
function(_archgrid_up_to_date build ninja paths out)
  set(${out} FALSE PARENT_SCOPE)
  foreach(path IN LISTS paths)
    if(NOT EXISTS "${build}/${path}")
      return()
    endif()
  endforeach()
  if(paths)
    execute_process(COMMAND "${ninja}" -n ${paths} WORKING_DIRECTORY "${build}" OUTPUT_VARIABLE output ERROR_QUIET)
    if(output MATCHES "ninja: no work to do")
      set(${out} TRUE PARENT_SCOPE)
    endif()
  endif()
endfunction()

# Keeps of OBJECTS those that no target of LINKS, JSON of linked targets, takes in: the file API lists objects of
# libraries among a target's sources.
function(_archgrid_filter_unlinked objects links out)
  set(unlinked "")
  foreach(object IN LISTS objects)
    string(FIND "${links}" "/${object}\"" found)
    if(found EQUAL -1)
      list(APPEND unlinked "${object}")
    endif()
  endforeach()
  set(${out} "${unlinked}" PARENT_SCOPE)
endfunction()

# Sets OUT to the files among ARGN that grep, told where to look, finds to hold a fat binary: its magic number.
function(_archgrid_grep_fat_binaries build out)
  # printf: no argument of a process can be written in a CMake file with bytes that are no UTF-8.
  execute_process(
    COMMAND sh -c "magic=$(printf '\\120\\355\\125\\272\\001'); LC_ALL=C exec grep -l -a -F -e \"$magic\" \"$@\"" sh ${ARGN}
    WORKING_DIRECTORY "${build}" OUTPUT_VARIABLE found ERROR_VARIABLE error RESULT_VARIABLE result)
  if(result GREATER 1)
    message(FATAL_ERROR "grep could not search ${build} for device code: ${error}")
  endif()
  string(REGEX MATCHALL "[^\n]+" found "${found}")
  list(TRANSFORM found REPLACE "^\\./" "")
  set(${out} "${found}" PARENT_SCOPE)
endfunction()

# Keeps of PATHS those with device code: fat binaries, and what nvcc wrote instead of an object.
function(_archgrid_filter_device_code build paths out)
  set(code "${paths}")
  list(FILTER code INCLUDE REGEX "\\.(ptx|cubin|fatbin)$")
  list(FILTER paths EXCLUDE REGEX "\\.(ptx|cubin|fatbin)$")
  list(LENGTH paths count)
  set(first 0)
  while(first LESS count) # a command line has an end
    list(SUBLIST paths ${first} 500 some)
    _archgrid_grep_fat_binaries("${build}" found -- ${some})
    list(APPEND code ${found})
    math(EXPR first "${first} + 500")
  endwhile()
  set(${out} "${code}" PARENT_SCOPE)
endfunction()

# Finds files with device code below BUILD that no target makes, a custom command's, a nested Makefile's, an external
# project's: programs, shared and static libraries, and the cubins, PTX and fat binaries that programs load. Skips copies
# of ARTIFACTS, leftovers of targets that the project has no longer (archgrid.targets in BUILD lists all that it had),
# NVIDIA's own libraries and fetched sources.
function(_archgrid_find_strays build owned artifacts out)
  set(memory "${build}/archgrid.targets")
  set(known "")
  if(EXISTS "${memory}")
    file(STRINGS "${memory}" known)
  endif()
  foreach(path IN LISTS artifacts owned)
    file(REAL_PATH "${path}" real BASE_DIRECTORY "${build}") # of a versioned library the file behind its name
    list(APPEND known "${real}")
  endforeach()
  list(REMOVE_DUPLICATES known)
  list(JOIN known "\n" text)
  file(WRITE "${memory}" "${text}\n")

  _archgrid_grep_fat_binaries("${build}" found
    -r --exclude-dir=CMakeFiles --exclude-dir=.git --exclude-dir=.cmake --exclude-dir=_CPack_Packages --exclude=*.o .)
  _archgrid_find_loaded_code("${build}" loaded)
  list(APPEND found ${loaded})
  list(REMOVE_DUPLICATES found)
  set(strays "")
  foreach(path IN LISTS found)
    cmake_path(GET path FILENAME name)
    file(REAL_PATH "${path}" real BASE_DIRECTORY "${build}")
    if(real IN_LIST known OR name MATCHES "${_archgrid_nvidia_library}" OR path MATCHES "^_deps/[^/]*-src/")
      continue()
    endif()
    _archgrid_is_shipped_kind("${real}" is_shipped_kind)
    if(is_shipped_kind)
      list(APPEND strays "${path}")
    endif()
  endforeach()
  set(hashes "")
  if(strays)
    foreach(path IN LISTS artifacts)
      file(SHA256 "${build}/${path}" hash)
      list(APPEND hashes ${hash})
    endforeach()
  endif()
  set(distinct "")
  foreach(path IN LISTS strays)
    file(SHA256 "${build}/${path}" hash)
    if(NOT hash IN_LIST hashes)
      list(APPEND hashes ${hash})
      list(APPEND distinct "${path}")
    endif()
  endforeach()
  set(${out} "${distinct}" PARENT_SCOPE)
endfunction()

# Finds cubins and PTX below BUILD, which have no fat binary's magic number, by the names that nvcc gives them and by
# what they hold.
function(_archgrid_find_loaded_code build out)
  file(GLOB_RECURSE named RELATIVE "${build}" "${build}/*.cubin" "${build}/*.ptx")
  list(FILTER named EXCLUDE REGEX "(^|/)(CMakeFiles|\\.git|\\.cmake|_CPack_Packages)/")
  set(found "")
  foreach(path IN LISTS named)
    _archgrid_is_loaded_code("${build}/${path}" is_loaded)
    if(is_loaded)
      list(APPEND found "${path}")
    endif()
  endforeach()
  set(${out} "${found}" PARENT_SCOPE)
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

# Reports whether FILE, which holds device code, is of a kind that ships: a program or library for a CPU, a static library,
# or code that a program loads. Others are objects, and sources of them.
function(_archgrid_is_shipped_kind file out)
  file(READ "${file}" header LIMIT 8 HEX)
  _archgrid_is_linked_elf("${file}" is_linked)
  _archgrid_is_loaded_code("${file}" is_loaded)
  if(is_linked OR is_loaded OR header MATCHES "^(213c617263683e0a|213c7468696e3e0a)")
    set(${out} TRUE PARENT_SCOPE)
  else()
    set(${out} FALSE PARENT_SCOPE)
  endif()
endfunction()

# Reports whether FILE is an ELF program or shared library of a CPU: no object, no cubin.
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

# Keeps of the list PATHS_VARIABLE one name a file: of a library and its links that of the target.
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
