# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

# Compares a toolkit's row of the data table with what the toolkit itself reports.
include("${ARCHGRID_MODULES}/archgrid/find_toolkit.cmake")

# Sets OUT to the plain numbers that NVCC lists.
function(_listed_archs nvcc out)
  execute_process(COMMAND "${nvcc}" --list-gpu-code OUTPUT_VARIABLE text COMMAND_ERROR_IS_FATAL ANY)
  string(REGEX MATCHALL "sm_[0-9]+" archs "${text}")
  list(TRANSFORM archs REPLACE "sm_" "")
  set(${out} "${archs}" PARENT_SCOPE)
endfunction()

# Sets OUT to the suffixed forms of ARCHS for which NVCC compiles an empty kernel.
function(_compiled_suffixes nvcc cxx archs out)
  set(source "${CASE_BINARY}/empty.cu")
  file(WRITE "${source}" "__global__ void k() {}\n")
  set(compiled "")
  foreach(arch IN LISTS archs)
    foreach(suffix IN ITEMS a f)
      # --dryrun rejects an unknown form without running anything.
      execute_process(COMMAND "${nvcc}" -ccbin "${cxx}" --dryrun "-arch=sm_${arch}${suffix}" -cubin
        -o "${source}.cubin" "${source}"
        OUTPUT_QUIET ERROR_QUIET RESULT_VARIABLE refused)
      if(refused EQUAL 0)
        execute_process(COMMAND "${nvcc}" -ccbin "${cxx}" "-arch=sm_${arch}${suffix}" -cubin
          -o "${source}.cubin" "${source}"
          OUTPUT_QUIET ERROR_QUIET RESULT_VARIABLE failed)
        if(failed EQUAL 0)
          list(APPEND compiled "${arch}${suffix}")
        endif()
      endif()
    endforeach()
  endforeach()
  set(${out} "${compiled}" PARENT_SCOPE)
endfunction()

# Sets <prefix>_MAX_GCC and <prefix>_MAX_CLANG to the newest versions that the headers of the
# toolkit at ROOT accept.
function(_header_limits root prefix)
  file(READ "${root}/include/crt/host_config.h" header)
  string(REGEX MATCH "#if __GNUC__ > ([0-9]+)" gcc "${header}")
  set(${prefix}_MAX_GCC "${CMAKE_MATCH_1}" PARENT_SCOPE)
  string(REGEX MATCHALL "#if [(]__clang_major__ >= [0-9]+" limits "${header}")
  set(newest 0)
  foreach(limit IN LISTS limits)
    string(REGEX MATCH "[0-9]+$" limit "${limit}")
    if(limit GREATER newest)
      set(newest "${limit}")
    endif()
  endforeach()
  math(EXPR newest "${newest} - 1")
  set(${prefix}_MAX_CLANG "${newest}" PARENT_SCOPE)
endfunction()

# Sets OUT to the PTX ISA that NVCC writes.
function(_written_ptx_isa nvcc cxx out)
  execute_process(COMMAND "${nvcc}" -ccbin "${cxx}" -ptx -o "${CASE_BINARY}/empty.ptx" "${CASE_BINARY}/empty.cu"
    OUTPUT_QUIET ERROR_QUIET COMMAND_ERROR_IS_FATAL ANY)
  file(STRINGS "${CASE_BINARY}/empty.ptx" line REGEX "^\\.version ")
  string(REPLACE ".version " "" isa "${line}")
  set(${out} "${isa}" PARENT_SCOPE)
endfunction()

# Queries the toolkit of VERSION at ROOT: sets <prefix>_ARCHS, _SUFFIXED, _PTX_ISA, _MAX_GCC and
# _MAX_CLANG.
function(ask_toolkit version root nvcc prefix)
  _archgrid_pick_host_compiler("${version}" "" host)
  _listed_archs("${nvcc}" archs)
  _compiled_suffixes("${nvcc}" "${host_CXX}" "${archs}" suffixed)
  _written_ptx_isa("${nvcc}" "${host_CXX}" isa)
  _header_limits("${root}" limit)
  set(${prefix}_ARCHS "${archs}" PARENT_SCOPE)
  set(${prefix}_SUFFIXED "${suffixed}" PARENT_SCOPE)
  set(${prefix}_PTX_ISA "${isa}" PARENT_SCOPE)
  set(${prefix}_MAX_GCC "${limit_MAX_GCC}" PARENT_SCOPE)
  set(${prefix}_MAX_CLANG "${limit_MAX_CLANG}" PARENT_SCOPE)
endfunction()

# Sets OUT to all differences between the table and the results of ask_toolkit() for VERSION (SAID),
# each naming its row.
function(disagreements version said out)
  _archgrid_data_toolkit(row "${version}")
  set(found "")
  foreach(field IN ITEMS archs suffixed ptx_isa max_gcc max_clang)
    string(TOUPPER "${field}" upper)
    set(in_table "${row_${upper}}")
    set(in_toolkit "${${said}_${upper}}")
    list(SORT in_table COMPARE NATURAL)
    list(SORT in_toolkit COMPARE NATURAL)
    if(NOT in_table STREQUAL in_toolkit)
      list(JOIN in_table " " in_table)
      list(JOIN in_toolkit " " in_toolkit)
      list(APPEND found
        "data/toolkits.json, row ${version}: ${field} is \"${in_table}\", the toolkit says \"${in_toolkit}\"")
    endif()
  endforeach()
  _archgrid_data_architectures(known)
  foreach(arch IN LISTS ${said}_ARCHS)
    if(NOT arch IN_LIST known)
      list(APPEND found "data/architectures.json: no row ${arch}, which CUDA ${version} builds")
    endif()
  endforeach()
  set(${out} "${found}" PARENT_SCOPE)
endfunction()
