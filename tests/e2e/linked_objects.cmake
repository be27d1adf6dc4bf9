# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

# Checks a library that links output of a script: an object, or an archive of one, for archs that
# the cell does not ask for, or from another toolkit. The cell is responsible if an object shows
# that the build compiled it. Prebuilt code is exempt, although it is for other archs.
e2e_matrix(matrix CUDA 13.5 ARCHS 80-real DEVICES 8.0 CELLS fat ACCEPT native)
include("${ROOT}/cmake-modules/ArchGrid.cmake")
archgrid_find_toolkit(11.8 RESULT other)
archgrid_find_host_compiler(11.8 RESULT host)
set(nvcc_of_other "\"${other_NVCC}\" -ccbin \"${host_CXX}\"")
set(archs_of_cell "-gencode arch=compute_80,code=sm_80")
set(more_archs "${archs_of_cell} -gencode arch=compute_75,code=sm_75")

# build(<name> <linked> <lines>): links a file of the cell, or of the sources, together with a
# kernel of the target. The lines of the script run in the folder ext of the cell.
macro(build name linked lines)
  set(source "${WORK}/source_${name}")
  file(COPY "${E2E}/shapes/kernel.cu" DESTINATION "${source}")
  file(WRITE "${source}/script.sh" "set -e\nmkdir -p ext\ncd ext\n${lines}\n")
  file(WRITE "${source}/CMakeLists.txt" "cmake_minimum_required(VERSION 3.22)
project(linked LANGUAGES CXX CUDA)
add_custom_target(script COMMAND sh \${CMAKE_SOURCE_DIR}/script.sh WORKING_DIRECTORY \${CMAKE_BINARY_DIR})
add_library(linked SHARED kernel.cu)
target_compile_definitions(linked PRIVATE KERNEL=linked)
target_link_options(linked PRIVATE -Wl,--whole-archive ${linked} -Wl,--no-whole-archive)
add_dependencies(linked script)
")
  e2e_tree(${name} MATRIX "${matrix}" SOURCE "${source}")
  e2e_expect(pass)
  e2e_build(matrix)
endmacro()

set(compile "-c -Xcompiler -fPIC -DKERNEL=ext -o ext.o \"${WORK}/source_green/kernel.cu\"")
build(green ext/ext.o "nvcc ${archs_of_cell} ${compile}")
e2e_expect(pass MATCH "1 cell: 1 built")
e2e_ctest(--preset default --verbose)
e2e_expect(pass MATCH "promise holds: 2 kernels" WITHOUT "holds device code")

build(other_toolkit ext/ext.o "${nvcc_of_other} ${archs_of_cell} ${compile}")
e2e_expect(pass MATCH "cu135-fat +failed"
  "device code made by another toolkit than its own CUDA 13\\.5: ext/ext\\.o is of CUDA 11\\.8")
e2e_ctest(--preset default)
e2e_expect(fail MATCH "cu135-fat/BUILT" "step: toolkit")

build(other_archs ext/ext.o "nvcc ${more_archs} ${compile}")
e2e_expect(pass MATCH "cu135-fat +failed" "not asked for: 75-real" "the command that makes ext/ext\\.o decides")

build(archive ext/libext.a "nvcc ${more_archs} ${compile}\nar rcs libext.a ext.o")
e2e_expect(pass MATCH "cu135-fat +failed" "not asked for: 75-real" "the command that makes ext/ext\\.o decides")

# An archive without its object may be a download.
build(lone_archive ext/libext.a "nvcc ${more_archs} ${compile}\nar rcs libext.a ext.o\nrm ext.o")
e2e_expect(pass MATCH "1 cell: 1 built")
e2e_ctest(--preset default --verbose)
e2e_expect(pass MATCH "liblinked\\.so holds device code for 75 by CUDA 13\\.5, of ext/libext\\.a, which no command"
  "promise holds: 2 kernels")

# Prebuilt code, in the sources and unpacked from them.
file(MAKE_DIRECTORY "${WORK}/prebuilt")
execute_process(COMMAND sh -ec "cd prebuilt; ${nvcc_of_other} ${more_archs} ${compile}; ar rcs libext.a ext.o; rm ext.o"
  WORKING_DIRECTORY "${WORK}" COMMAND_ERROR_IS_FATAL ANY)
foreach(name IN ITEMS prebuilt unpacked)
  set(library "${WORK}/source_${name}/vendor/libext.a")
  file(COPY "${WORK}/prebuilt/libext.a" DESTINATION "${WORK}/source_${name}/vendor")
  if(name STREQUAL "prebuilt")
    build(${name} "${library}" "")
  else()
    build(${name} ext/ext.o "ar x \"${library}\"")
  endif()
  e2e_expect(pass MATCH "1 cell: 1 built")
  e2e_ctest(--preset default --verbose)
  e2e_expect(pass MATCH "promise holds: 2 kernels" WITHOUT "holds device code")
endforeach()
