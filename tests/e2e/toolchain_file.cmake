# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

# Checks cells with a toolchain file: they read it, although CMake detects compilers once for all
# cells, and are built again after an edit. One that sets architectures is named.
set(sources "${WORK}/project")
file(COPY "${E2E}/shapes/kernel.cu" DESTINATION "${sources}")
file(WRITE "${sources}/CMakeLists.txt" "cmake_minimum_required(VERSION 3.25)
project(board LANGUAGES CXX CUDA)
add_library(board SHARED kernel.cu)
target_compile_definitions(board PRIVATE KERNEL=\${BOARD_KERNEL})
if(BOARD_GPU_ARCHS)
  set_target_properties(board PROPERTIES CUDA_ARCHITECTURES \"\${BOARD_GPU_ARCHS}\")
endif()
")
e2e_matrix(matrix CUDA 13.5 ARCHS 90 DEVICES 9.0 CELLS fat ACCEPT native)
string(REPLACE "\"cells\"" "\"definitions\": {\"CMAKE_TOOLCHAIN_FILE\": \"board.cmake\"}, \"cells\"" matrix "${matrix}")

# Planted: archs of the toolchain file's own.
file(WRITE "${sources}/board.cmake" "set(BOARD_KERNEL first)\nset(BOARD_GPU_ARCHS 80 86)\n")
e2e_tree(tree MATRIX "${matrix}" SOURCE "${sources}")
e2e_expect(pass)
e2e_build(matrix)
e2e_expect(pass MATCH "compile for 80 86 instead of 90"
  "BOARD_GPU_ARCHS=80;86 of the toolchain file board\\.cmake seems to decide: take it out there, or write \"enforce_archs\": true")

# It leaves them to the cell. An edit reaches the cell.
foreach(kernel IN ITEMS first second)
  file(WRITE "${sources}/board.cmake" "set(BOARD_KERNEL ${kernel})\n")
  e2e_build(matrix)
  e2e_expect(pass MATCH "1 cell: 1 built")
  e2e_run("${CTEST}" --test-dir "${TREE}" --output-on-failure -V)
  e2e_expect(pass MATCH "${kernel}_kernel +native")
endforeach()

# As the message says.
string(REPLACE "\"cells\"" "\"enforce_archs\": true, \"cells\"" matrix "${matrix}")
file(WRITE "${sources}/board.cmake" "set(BOARD_KERNEL third)\nset(BOARD_GPU_ARCHS 80 86)\n")
e2e_tree(enforced MATRIX "${matrix}" SOURCE "${sources}")
e2e_build(matrix)
e2e_expect(pass MATCH "1 cell: 1 built")

file(REMOVE "${sources}/board.cmake")
e2e_tree(absent MATRIX "${matrix}" SOURCE "${sources}")
e2e_expect(fail MATCH "CMAKE_TOOLCHAIN_FILE: there is no file ${sources}/board\\.cmake")
