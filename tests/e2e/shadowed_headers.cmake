# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

# Checks that a header of another CUDA installation fails a cell, and that the message names the
# library for the matrix file. This fixes the cell although ccache has the old objects: ccache
# records the headers that it found, and does not search for the same name in a toolkit that gained
# it later. Also checks a header that was added to the toolkit itself.
find_program(CCACHE ccache REQUIRED)
set(ENV{CCACHE_DIR} "${WORK}/ccache")
include("${ROOT}/cmake-modules/ArchGrid.cmake")
archgrid_find_toolkit(13.5 RESULT base)
set(toolkits "${WORK}/toolkits")
file(MAKE_DIRECTORY "${toolkits}")
foreach(folder IN ITEMS cuda-13.5 cuda-13.5-nvtx)
  e2e_copy_toolkit("${base_ROOT}" "${toolkits}/${folder}")
endforeach()
set(ENV{ARCHGRID_TOOLKITS} "${toolkits}")
set(other "${WORK}/cuda-other/include") # searched last, like /usr/local/include
set(ENV{CPATH} "${other}")
file(WRITE "${other}/cuda.h" "#error \"never included\"\n")
foreach(folder IN ITEMS "${other}" "${toolkits}/cuda-13.5-nvtx/include")
  file(REMOVE_RECURSE "${folder}/nvtx3") # not written through a hard link
  file(WRITE "${folder}/nvtx3/nvToolsExt.h" "// NVTX, a stand-in\n")
endforeach()
file(WRITE "${other}/cuda_shadowed.h" "// of another CUDA installation\n")

file(WRITE "${WORK}/sources/CMakeLists.txt" "cmake_minimum_required(VERSION 3.25)
project(shadowed LANGUAGES CUDA)
add_library(shadowed SHARED kernel.cu)
")
function(include_header header)
  file(WRITE "${WORK}/sources/kernel.cu" "#include <${header}>\n__global__ void kernel(float* out) { *out = 1; }\n")
endfunction()
set(matrix [[{"name": "shadowed", "toolkits": [{"cuda": "13.5", "archs": ["90"]}], "cells": ["fat"],
  "promises": [{"devices": ["9.0"]}]LIBRARIES}]])

include_header(nvtx3/nvToolsExt.h)
string(REPLACE LIBRARIES "" without "${matrix}")
e2e_tree(library MATRIX "${without}" SOURCE "${WORK}/sources")
e2e_build(matrix)
e2e_expect(pass MATCH "cuda-other/include/nvtx3/nvToolsExt.h: write \"libraries\": .\"nvtx\". into the matrix file")
string(REPLACE LIBRARIES ", \"libraries\": [\"nvtx\"]" with "${matrix}")
e2e_tree(library MATRIX "${with}" SOURCE "${WORK}/sources")
e2e_build(matrix)
e2e_expect(pass MATCH "1 cell: 1 built")

include_header(cuda_shadowed.h)
e2e_tree(header MATRIX "${without}" SOURCE "${WORK}/sources")
e2e_build(matrix)
e2e_expect(pass MATCH "another CUDA toolkit than its own: [^ ]*cuda-other/include/cuda_shadowed.h")
file(WRITE "${toolkits}/cuda-13.5/include/cuda_shadowed.h" "// of the toolkit\n")
e2e_run("${CMAKE_COMMAND}" "${TREE}")
e2e_build(matrix)
e2e_expect(pass MATCH "1 cell: 1 built")
