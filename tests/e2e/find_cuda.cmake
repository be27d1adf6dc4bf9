# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

# Checks that FindCUDA finds the cell's toolkit whatever the environment contains. Another nvcc
# fails the cell, and so do archs that were not passed on.
include("${ROOT}/cmake-modules/ArchGrid.cmake")
archgrid_find_toolkit(11.8 RESULT other)
set(ENV{PATH} "${other_ROOT}/bin:$ENV{PATH}")
foreach(variable IN ITEMS CUDA_HOME CUDA_PATH CUDACXX CUDA_TOOLKIT_ROOT_DIR CUDAToolkit_ROOT)
  set(ENV{${variable}} "${other_ROOT}")
endforeach()

# tree_of(<name> <definitions>): builds a cell of CUDA 13.5 for 90; `output` is Ninja's.
macro(tree_of name definitions)
  set(matrix "{\"name\": \"old\", \"toolkits\": [{\"cuda\": \"13.5\", \"archs\": [\"90\"]}], \"cells\": [\"single\"],
    \"definitions\": {${definitions}}, \"promises\": [{\"devices\": [\"9.0\"]}]}")
  e2e_tree(${name} MATRIX "${matrix}" SOURCE "${E2E}/find_cuda")
  e2e_build(matrix)
endmacro()

tree_of(nvcc "\"CUDA_NVCC_FLAGS\": \"@GENCODE_LIST@\", \"OTHER_NVCC\": \"${other_NVCC}\"")
e2e_expect(pass MATCH "cu135-sm90 +failed .*uses another CUDA toolkit than its own: [^\n]*nvcc")
e2e_run("${CTEST}" --test-dir "${TREE}" --output-on-failure)
e2e_expect(fail MATCH "step: toolkit")

# A static library has no link line that names the toolkit that made it.
tree_of(static "\"CUDA_NVCC_FLAGS\": \"@GENCODE_LIST@\", \"KIND\": \"STATIC\", \"OTHER_NVCC\": \"${other_NVCC}\"")
e2e_expect(pass MATCH "cu135-sm90 +failed .*uses another CUDA toolkit than its own: [^\n]*nvcc")

tree_of(archs "")
e2e_expect(pass MATCH "cu135-sm90 +failed .*it holds 75[^\n]* instead of 90"
  "\"definitions\": {\"CUDA_NVCC_FLAGS\": \"@GENCODE_LIST@\"}")

tree_of(green "\"CUDA_NVCC_FLAGS\": \"@GENCODE_LIST@\"")
e2e_expect(pass MATCH "cu135-sm90 +built")
e2e_run("${COMMAND}" list --images "${TREE}/cells/cu135-sm90/libfind_cuda.so")
e2e_expect(pass MATCH "sass +90 +CUDA 13\\.5")
tree_of(static_green "\"CUDA_NVCC_FLAGS\": \"@GENCODE_LIST@\", \"KIND\": \"STATIC\"")
e2e_expect(pass MATCH "cu135-sm90 +built")
