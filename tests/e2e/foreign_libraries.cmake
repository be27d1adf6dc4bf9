# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

# Checks that a cell fails if it uses a library or a header of another toolkit on the machine, and
# that the message says how its own toolkit gets the library. The same files outside toolkit folders
# are allowed.
find_program(CC NAMES cc gcc REQUIRED)
foreach(place IN ITEMS cuda-other lib-other)
  file(WRITE "${WORK}/${place}/include/cublas_v2.h" "")
  file(WRITE "${WORK}/${place}/cublas.c" "int cublas_in_name_only;\n")
  file(MAKE_DIRECTORY "${WORK}/${place}/lib64")
  e2e_run("${CC}" -shared -o "${WORK}/${place}/lib64/libcublas.so" "${WORK}/${place}/cublas.c")
  e2e_expect(pass)
endforeach()
file(WRITE "${WORK}/cuda-other/include/cuda_runtime_api.h" "#error \"never included\"\n")
file(WRITE "${WORK}/cuda-other/bin/nvcc" "")

# The fix for a file in the cell's toolkit is to replace the other one; a missing one has to be
# requested.
include("${ROOT}/cmake-modules/ArchGrid.cmake")
archgrid_find_toolkit(13.5 RESULT own)
set(library_fix "write \"libraries\": .\"cublas\". into the matrix file")
set(header_fix "${library_fix}")
if(EXISTS "${own_ROOT}/lib64/libcublas.so")
  set(library_fix "replace it by [^ ]*/libcublas.so")
endif()
if(EXISTS "${own_ROOT}/include/cublas_v2.h")
  set(header_fix "replace it by [^ ]*/include/cublas_v2.h")
endif()

e2e_matrix(matrix CUDA 13.5 ARCHS 90 DEVICES 9.0 CELLS single ACCEPT native)
e2e_tree(library MATRIX "${matrix}" SOURCE "${E2E}/archs"
  DEFINITIONS "ARCHS_LINK=${WORK}/cuda-other/lib64/libcublas.so")
e2e_build(matrix)
e2e_expect(pass MATCH
  "cu135-sm90 +failed .*another CUDA toolkit than its own: [^ ]*cuda-other/lib64/libcublas.so: ${library_fix}")
e2e_run("${CTEST}" --test-dir "${TREE}" --output-on-failure)
e2e_expect(fail MATCH "step: toolkit" WITHOUT "AUDIT")

e2e_tree(header MATRIX "${matrix}" SOURCE "${E2E}/archs" DEFINITIONS "ARCHS_INCLUDE=${WORK}/cuda-other/include")
e2e_build(matrix)
e2e_expect(pass MATCH
  "cu135-sm90 +failed .*another CUDA toolkit than its own: [^ ]*cuda-other/include/cublas_v2.h: ${header_fix}")

e2e_tree(compiler MATRIX "${matrix}" SOURCE "${E2E}/archs"
  DEFINITIONS "MADE_BY=one_step" "MADE_FLAGS=-arch=sm_90" "MADE_COMPILER=${WORK}/cuda-other/bin/nvcc")
e2e_build(matrix)
e2e_expect(pass MATCH
  "cu135-sm90 +failed .*another CUDA toolkit than its own: [^ ]*cuda-other/bin/nvcc: replace it by ${own_ROOT}/bin/nvcc")

e2e_tree(green MATRIX "${matrix}" SOURCE "${E2E}/archs"
  DEFINITIONS "ARCHS_LINK=${WORK}/lib-other/lib64/libcublas.so" "ARCHS_INCLUDE=${WORK}/lib-other/include")
e2e_build(matrix)
e2e_expect(pass MATCH "cu135-sm90 +built")
