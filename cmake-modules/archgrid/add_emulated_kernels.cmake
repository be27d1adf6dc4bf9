# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

include_guard(GLOBAL)
include("${CMAKE_CURRENT_LIST_DIR}/detail/places.cmake")

#[=======================================================================[.rst:
archgrid_add_emulated_kernels
-------------------------

Compiles CUDA sources with the ordinary C++ compiler, to run their kernels on the CPU in tests
(archgrid::cpu_emulator)::

  archgrid_add_emulated_kernels(<target>
    SOURCES <source>...        # .cu files, or C++ that calls them
    [CHECKS]                   # check every memory access: races, bounds, uninitialised reads
    [ARCH <number>])           # value of __CUDA_ARCH__: 75 for 750; default 90

The target is an object library. Targets that link it get the headers of archgrid::cpu_emulator,
which replace CUDA's; no CUDA toolkit is needed. nvcc may compile the same sources, too, for another
target of the same folder.

``CHECKS`` needs g++, and applies to every target that links this one: their sources are
instrumented, too.

Tests on the CPU are no evidence that a GPU has an image of the kernel: label them ``cpu``.

Errors: no source, or one that does not exist; a project without C++; an existing target of that
name; Boost.Context or elfutils' libdw, which the executor needs, is missing; CHECKS with another
compiler.
#]=======================================================================]
function(archgrid_add_emulated_kernels target)
  list(APPEND CMAKE_MESSAGE_CONTEXT archgrid)
  cmake_parse_arguments(PARSE_ARGV 1 arg "CHECKS" "ARCH" "SOURCES")
  if(arg_UNPARSED_ARGUMENTS OR arg_KEYWORDS_MISSING_VALUES OR NOT arg_SOURCES)
    message(FATAL_ERROR
      "archgrid_add_emulated_kernels(${target}): SOURCES are missing, or unknown or empty arguments: ${arg_UNPARSED_ARGUMENTS} ${arg_KEYWORDS_MISSING_VALUES}. Known: SOURCES <source>..., CHECKS, ARCH <number>.")
  endif()
  get_property(languages GLOBAL PROPERTY ENABLED_LANGUAGES)
  if(NOT CXX IN_LIST languages)
    message(FATAL_ERROR
      "archgrid_add_emulated_kernels(${target}): the project does not compile C++, which kernels on the CPU are. Write project(... LANGUAGES CXX), or enable_language(CXX) before.")
  endif()
  if(TARGET ${target})
    message(FATAL_ERROR
      "archgrid_add_emulated_kernels(${target}): there is a target of that name already. Take another.")
  endif()
  if("${arg_ARCH}" STREQUAL "")
    set(arg_ARCH 90)
  elseif(NOT "${arg_ARCH}" MATCHES "^[1-9][0-9]+$")
    message(FATAL_ERROR
      "archgrid_add_emulated_kernels(${target}): ARCH ${arg_ARCH} is no architecture. Write its number, as 75 for 7.5.")
  endif()
  if(arg_CHECKS AND NOT CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    message(FATAL_ERROR
      "archgrid_add_emulated_kernels(${target}): CHECKS needs g++, and the compiler is ${CMAKE_CXX_COMPILER_ID}. Leave CHECKS out, or configure with CMAKE_CXX_COMPILER=g++.")
  endif()
  if(NOT TARGET archgrid_cpu_emulator)
    get_property(root GLOBAL PROPERTY ARCHGRID_SOURCE_ROOT)
    list(APPEND CMAKE_MODULE_PATH "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/detail/find")
    add_subdirectory("${root}/harness/cpu_emulator"
      "${CMAKE_BINARY_DIR}/archgrid-cpu-emulator" EXCLUDE_FROM_ALL)
  endif()

  add_library(${target} OBJECT)
  foreach(source IN LISTS arg_SOURCES)
    cmake_path(ABSOLUTE_PATH source NORMALIZE)
    if(NOT EXISTS "${source}")
      message(FATAL_ERROR "archgrid_add_emulated_kernels(${target}): source ${source} does not exist.")
    endif()
    if(source MATCHES "\\.cu$")
      _archgrid_wrap_kernels(${target} "${source}" source)
    endif()
    target_sources(${target} PRIVATE "${source}")
  endforeach()
  target_compile_definitions(${target} PUBLIC __CUDA_ARCH__=${arg_ARCH}0)
  target_link_libraries(${target} PUBLIC archgrid::cpu_emulator)
  if(arg_CHECKS)
    target_link_libraries(${target} PUBLIC archgrid::cpu_emulator_checks)
  endif()
endfunction()

# Writes a C++ file that includes the .cu file SOURCE: a source has one language per folder. Sets
# OUT to its path, which, like its text, is the same in every checkout, so that compiler caches hit.
function(_archgrid_wrap_kernels target source out)
  cmake_path(GET source FILENAME file)
  cmake_path(GET source PARENT_PATH place)
  cmake_path(RELATIVE_PATH source BASE_DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}" OUTPUT_VARIABLE relative)
  string(SHA1 folder "${relative}")
  string(SUBSTRING "${folder}" 0 8 folder)
  set(wrapper "${CMAKE_CURRENT_BINARY_DIR}/${target}.host/${folder}/${file}.cpp")
  file(CONFIGURE OUTPUT "${wrapper}" CONTENT "#include \"@file@\"\n" @ONLY)
  set_source_files_properties("${wrapper}" PROPERTIES COMPILE_OPTIONS "-iquote${place}")
  set(${out} "${wrapper}" PARENT_SCOPE)
endfunction()
