# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

# cmake -DTOOLKIT=13.5 -DSOURCE=<folder> -DBUILD=<folder> -DROOT=<archgrid's sources>
#   -DPACKAGE=<its tree> -P build_programs.cmake
#
# Builds the project in SOURCE, test programs that run with the fake runtime, with a toolkit.
# -DGOOGLETEST=newest uses the newest GoogleTest available, otherwise the machine's own.
# -DKERNEL_UNITS=<units> is the project's ARCHGRID_KERNEL_UNITS. -DCUDA_LAUNCHER=<launcher> is the
# launcher of the tree's cells of that toolkit; empty for ccache.
cmake_minimum_required(VERSION 3.25)
include("${ROOT}/cmake-modules/archgrid/find_toolkit.cmake")
include("${ROOT}/cmake-modules/archgrid/find_host_compiler.cmake")

archgrid_find_toolkit("${TOOLKIT}" RESULT toolkit)
if(NOT toolkit_FOUND)
  message(FATAL_ERROR "CUDA ${TOOLKIT} is not on this machine; ./setup --dev gets it. ${toolkit_REASON}")
endif()
archgrid_find_host_compiler("${TOOLKIT}" RESULT host)
set(launchers "")
find_program(ccache ccache)
if(ccache)
  # The settings of cells, so that the cache recognises their objects.
  set(ENV{CCACHE_NODEPEND} 1)
  set(ENV{CCACHE_COMPILERCHECK} content)
  if(NOT CUDA_LAUNCHER)
    set(CUDA_LAUNCHER "env\\;-u\\;CCACHE_NODEPEND\\;CCACHE_DEPEND=1\\;${ccache}")
  endif()
  set(launchers "-DCMAKE_CXX_COMPILER_LAUNCHER=${ccache}" "-DCMAKE_CUDA_COMPILER_LAUNCHER=${CUDA_LAUNCHER}")
endif()
set(googletest "")
if(GOOGLETEST STREQUAL "newest")
  include("${ROOT}/tests/googletest/find.cmake")
  archgrid_find_newest_googletest(googletest)
  if(NOT googletest)
    message(STATUS "no GoogleTest but the machine's own is here; ./setup --dev gets the newest one")
  endif()
endif()
execute_process(
  COMMAND "${CMAKE_COMMAND}" -G Ninja -S "${SOURCE}" -B "${BUILD}"
    -DCMAKE_BUILD_TYPE=Release -DCMAKE_CUDA_ARCHITECTURES=75
    "-DCMAKE_CXX_COMPILER=${host_CXX}" "-DCMAKE_CUDA_HOST_COMPILER=${host_CXX}"
    "-DCMAKE_CUDA_COMPILER=${toolkit_NVCC}" "-DCUDAToolkit_ROOT=${toolkit_ROOT}"
    "-DArchGrid_DIR=${PACKAGE}" "-DARCHGRID_ROOT=${ROOT}"
    "-DGOOGLETEST_SOURCE=${googletest}" "-DARCHGRID_KERNEL_UNITS=${KERNEL_UNITS}" ${launchers}
  COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND "${CMAKE_COMMAND}" --build "${BUILD}" --parallel 2 COMMAND_ERROR_IS_FATAL ANY)
