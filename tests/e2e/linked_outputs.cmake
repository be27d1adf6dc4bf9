# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

# Checks that an output folder which is a symbolic link out of the cell's tree, where cells would
# overwrite each other's library, fails the cell before it compiles. A link within the tree is
# allowed, and so is a tree behind a link.
e2e_matrix(matrix CUDA 13.5 ARCHS 80-real DEVICES 8.0 CELLS fat ACCEPT native)
set(source "${WORK}/source")
file(WRITE "${source}/CMakeLists.txt" "cmake_minimum_required(VERSION 3.22)
project(linked LANGUAGES CXX CUDA)
cmake_path(ABSOLUTE_PATH LINKED_FOLDER BASE_DIRECTORY \${CMAKE_BINARY_DIR} OUTPUT_VARIABLE folder)
file(MAKE_DIRECTORY \${folder})
file(CREATE_LINK \${folder} \${CMAKE_BINARY_DIR}/bin SYMBOLIC)
set(CMAKE_LIBRARY_OUTPUT_DIRECTORY \${CMAKE_BINARY_DIR}/bin)
add_library(linked SHARED [==[${E2E}/shapes/kernel.cu]==])
target_compile_definitions(linked PRIVATE KERNEL=linked)
if(LINKED_MOVES)
  add_custom_command(TARGET linked POST_BUILD
    COMMAND \${CMAKE_COMMAND} -E rename \$<TARGET_FILE:linked> \${LINKED_MOVES}/liblinked.so
    COMMAND \${CMAKE_COMMAND} -E create_symlink \${LINKED_MOVES}/liblinked.so \$<TARGET_FILE:linked>)
endif()
")
file(MAKE_DIRECTORY "${WORK}/real" "${WORK}/moved")
file(CREATE_LINK "${WORK}/real" "${WORK}/behind" SYMBOLIC)

# build(<name> <folder> [<definition>...]): builds a cell whose output folder is a link to FOLDER.
macro(build name folder)
  e2e_tree(${name} MATRIX "${matrix}" SOURCE "${source}" DEFINITIONS "LINKED_FOLDER=${folder}" ${ARGN})
  e2e_expect(pass)
  e2e_build(matrix)
endmacro()

build(planted "${WORK}/outside")
e2e_expect(pass MATCH "cu135-fat +failed" "target linked writes bin/liblinked\\.so, outside the cell's tree"
  "bin is a symbolic link to ${WORK}/outside\\. Make it a folder")
file(GLOB_RECURSE objects "${TREE}/cells/cu135-fat/*.cu.o" "${WORK}/outside/*")
if(objects)
  message(FATAL_ERROR "it was compiled before it was refused: ${objects}")
endif()

build(moved kept "LINKED_MOVES=${WORK}/moved")
e2e_expect(pass MATCH "cu135-fat +failed"
  "bin/liblinked\\.so is a symbolic link to ${WORK}/moved/liblinked\\.so\\. Copy the file")

foreach(name IN ITEMS green behind/green)
  build(${name} kept)
  e2e_expect(pass MATCH "1 cell: 1 built")
  e2e_ctest(--preset default)
  e2e_expect(pass MATCH "promise holds: 1 kernel")
endforeach()
