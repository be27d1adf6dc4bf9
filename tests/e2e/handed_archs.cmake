# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

# Checks a project that reads its architectures from its own variables: placeholders pass it those
# of each cell, in the spellings of well-known projects. The contents of its programs prove it.

# expect_images(<cell> <program> <image>...): checks that the program of the cell contains exactly
# these images, as "sass 80".
function(expect_images cell program)
  e2e_run("${COMMAND}" list --json "${TREE}/cells/${cell}/${program}")
  e2e_expect(pass)
  string(JSON images GET "${output}" files 0 images)
  string(JSON last LENGTH "${images}")
  math(EXPR last "${last} - 1")
  set(found "")
  foreach(i RANGE ${last})
    string(JSON kind GET "${images}" ${i} kind)
    string(JSON arch GET "${images}" ${i} arch)
    string(JSON kernels LENGTH "${images}" ${i} kernels)
    if(kernels GREATER 0) # the runtime's device-linked code has none
      list(APPEND found "${kind} ${arch}")
    endif()
  endforeach()
  list(SORT found)
  set(wanted ${ARGN})
  list(SORT wanted)
  if(NOT found STREQUAL wanted)
    message(FATAL_ERROR "${cell}/${program} holds \"${found}\" and should hold \"${wanted}\"")
  endif()
endfunction()

function(matrix_of out archs devices definitions)
  set(${out} "{\"name\": \"handed\", \"toolkits\": [{\"cuda\": \"13.5\", \"archs\": [${archs}]}],
    \"definitions\": {${definitions}}, \"promises\": [{\"devices\": [${devices}]}]}" PARENT_SCOPE)
endfunction()

# Machine code and PTX of each arch, one with a suffix.
matrix_of(matrix [["80", "90a"]] [["8.0", "9.0"]]
  [["CUTLASS_NVCC_ARCHS": "@ARCHS@", "TORCH_CUDA_ARCH_LIST": "@CAPABILITIES_SPACE@",
  "NVCC_GENCODE": "@GENCODE@", "NVCC_GENCODE_LIST": "@GENCODE_LIST@"]])
e2e_tree(both MATRIX "${matrix}" SOURCE "${E2E}/handed")
e2e_expect(pass)
e2e_build(matrix)
e2e_expect(pass MATCH "3 cells: 3 built")
foreach(program IN ITEMS suffixed torch flags flag_list whole_line)
  expect_images(cu135-fat ${program} "sass 80" "ptx 80" "sass 90a" "ptx 90a")
  expect_images(cu135-sm80 ${program} "sass 80" "ptx 80")
  expect_images(cu135-sm90a ${program} "sass 90a" "ptx 90a")
endforeach()
e2e_run("${CTEST}" --test-dir "${TREE}")
e2e_expect(pass MATCH "100% tests passed")

# Machine code of all archs, PTX of the last one only.
matrix_of(matrix [["80-real", "90"]] [["8.0", "9.0"]]
  [["COMPUTE_CAPABILITY": "@ARCHS@", "TORCH_CUDA_ARCH_LIST": "@CAPABILITIES@",
  "CUDA_ARCH_BIN": "@REAL_CAPABILITIES_COMMA@", "CUDA_ARCH_PTX": "@VIRTUAL_CAPABILITIES_COMMA@"]])
e2e_tree(newest MATRIX "${matrix}" SOURCE "${E2E}/handed")
e2e_expect(pass)
e2e_build(fat)
e2e_build(sm90)
e2e_expect(pass)
foreach(program IN ITEMS numbers torch opencv)
  expect_images(cu135-fat ${program} "sass 80" "sass 90" "ptx 90")
  expect_images(cu135-sm90 ${program} "sass 90" "ptx 90")
endforeach()

# Without receiving the archs, the same project fails the cell, before it compiles.
matrix_of(matrix [["80", "90"]] [["8.0", "9.0"]] [["COMPUTE_CAPABILITY": "90"]])
string(REPLACE "\"toolkits\"" "\"cells\": [\"fat\"], \"toolkits\"" matrix "${matrix}")
e2e_tree(silent MATRIX "${matrix}" SOURCE "${E2E}/handed")
e2e_build(matrix)
e2e_run("${CTEST}" --test-dir "${TREE}" --output-on-failure)
e2e_expect(fail MATCH "80 is missing.*COMPUTE_CAPABILITY=90 seems to decide[^\n]*\"COMPUTE_CAPABILITY\": \"@ARCHS@\"")
