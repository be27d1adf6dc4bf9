# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

# Prepares the cells of archgrid_add_matrix(... COMMAND ...), whose tree runs a build command.
include_guard(GLOBAL)
include("${CMAKE_CURRENT_LIST_DIR}/matrix_placeholders.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/plan.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/quote.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/write_file.cmake")

# Fails for a SOURCE that is no folder and for an unknown placeholder in LINE.
function(_archgrid_check_build_command source line)
  if(NOT IS_DIRECTORY "${source}")
    message(FATAL_ERROR
      "archgrid_add_matrix: SOURCE ${source} is no folder. Name the folder of the project that COMMAND builds.")
  endif()
  if("${line};" MATCHES "^;|;;|[][]")
    message(FATAL_ERROR
      "archgrid_add_matrix: COMMAND: an empty argument, or one with a bracket, does not arrive. Put the command into a script.")
  endif()
  _archgrid_matrix_check_placeholders("archgrid_add_matrix: COMMAND" "${line}")
endfunction()

# Fails if the CELL, an item of the plan's cells, asks for what only cells of CMake projects have.
function(_archgrid_check_command_cell cell)
  _archgrid_plan_get("${cell}" ID id TARGETS targets ENFORCE_ARCHS enforces REDIRECT_OUTPUTS redirects)
  if(targets OR enforces OR redirects)
    message(FATAL_ERROR
      "archgrid_add_matrix: COMMAND: \"targets\", \"enforce_archs\" and \"redirect_outputs\" of the matrix file (cell ${id}) are for CMake projects. Remove them.")
  endif()
endfunction()

# Sets OUT to the folder of the CMake project whose build runs a command.
function(_archgrid_command_project out)
  set(${out} "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/command_cell" PARENT_SCOPE)
endfunction()

# Makes LINK a link to PROGRAM.
function(_archgrid_link_program program link)
  set(before "")
  if(IS_SYMLINK "${link}")
    file(READ_SYMLINK "${link}" before)
  endif()
  if(NOT before STREQUAL program)
    cmake_path(GET link PARENT_PATH folder)
    file(MAKE_DIRECTORY "${folder}")
    file(CREATE_LINK "${program}" "${link}" SYMBOLIC)
  endif()
endfunction()

# Writes to FOLDER what the cell of ARCHS runs: config.cmake with the record `command` of
# command_cell/run.cmake, and the cell's host compilers in bin. ARG names the record of the
# arguments, FOUND that of the compilers; DEFINITIONS are in the command's environment. Sets OUT to
# the cell's definitions, each after a semicolon.
function(_archgrid_write_build_command folder arg found archs definitions out)
  _archgrid_matrix_spell_archs(spelled ${archs})
  set(line "")
  cmake_path(GET folder STEM LAST_ONLY id)
  foreach(word IN LISTS ${arg}_COMMAND)
    _archgrid_matrix_check_sayable("archgrid_add_matrix: COMMAND" "${word}"
      "${${arg}_COMMAND};${definitions}" ${id} ${archs})
    _archgrid_matrix_fill(word "${word}" spelled)
    string(REPLACE ";" "\\;" word "${word}")
    list(APPEND line "${word}")
  endforeach()
  set(environment "CUDAARCHS=${spelled_CMAKE_ARCHS}")
  string(REPLACE ";" "\\;" environment "${environment}")
  list(APPEND environment "NVCC_GENCODE=${spelled_GENCODE}" "CC=${${found}_C}" "CXX=${${found}_CXX}"
    "CUDAHOSTCXX=${${found}_CXX}" "NVCC_CCBIN=${${found}_CXX}")
  if(NOT archs MATCHES "-virtual(;|$)") # PyTorch cannot say PTX alone
    list(APPEND environment "TORCH_CUDA_ARCH_LIST=${spelled_CAPABILITIES_SPACE}")
  endif()
  foreach(definition IN LISTS definitions)
    string(REGEX REPLACE "^([^:=]+)(:[A-Z]+)?=" "\\1=" definition "${definition}")
    string(REPLACE ";" "\\;" definition "${definition}")
    if(definition)
      list(APPEND environment "${definition}")
    endif()
  endforeach()
  set(excluded "${CMAKE_BINARY_DIR}")
  cmake_path(IS_PREFIX excluded "${${arg}_SOURCE}" NORMALIZE is_below) # as sources of FetchContent
  if(is_below)
    string(APPEND excluded "/cells")
  endif()
  # nvcc before 12 ignores NVCC_CCBIN, and takes the gcc on PATH.
  set(names gcc g++ cc c++)
  set(compilers "${${found}_C}" "${${found}_CXX}" "${${found}_C}" "${${found}_CXX}")
  foreach(name compiler IN ZIP_LISTS names compilers)
    _archgrid_link_program("${compiler}" "${folder}/bin/${name}")
  endforeach()
  set(content "")
  _archgrid_append_set(content command_source "${${arg}_SOURCE}" command_line "${line}"
    command_environment "${environment}" command_jobs "${ARCHGRID_JOBS}" command_incremental "${${arg}_INCREMENTAL}"
    command_excluded "${excluded}" command_path "${folder}/bin")
  _archgrid_write_if_changed("${folder}/config.cmake" "${content}")
  set(${out} ";ARCHGRID_COMMAND_CONFIG=${folder}/config.cmake" PARENT_SCOPE)
endfunction()
