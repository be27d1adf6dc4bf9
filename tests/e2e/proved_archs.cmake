# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

# Checks that a cell whose project chooses its architectures itself fails, before it compiles if its
# commands show them, and that the message names the cause and the fix in the matrix file.

# tree_of(<name> <archs> <definitions>): builds a tree of archs/ with CUDA 13.5, single cells;
# `output` is Ninja's.
macro(tree_of name archs definitions)
  set(matrix
    "{\"name\": \"proved\", \"toolkits\": [{\"cuda\": \"13.5\", \"archs\": [${archs}]}], \"cells\": [\"single\"],
    \"definitions\": {${definitions}}, \"promises\": [{\"devices\": [\"9.0\"], \"accept\": [\"native\", \"jit\"]}]}")
  e2e_tree(${name} MATRIX "${matrix}" SOURCE "${E2E}/archs")
  e2e_build(matrix)
endmacro()

# expect_uncompiled(<cell>): fails if anything of the cell was compiled.
function(expect_uncompiled cell)
  file(GLOB_RECURSE objects "${TREE}/cells/${cell}/CMakeFiles/archs.dir/*.o")
  if(objects)
    message(FATAL_ERROR "${cell} was compiled although its commands tell that it is for other archs: ${objects}")
  endif()
endfunction()

tree_of(variable [["90"]] [["ARCHS_BY": "variable"]])
e2e_expect(pass MATCH "cu135-sm90 +failed " "its commands compile for 75 80 instead of 90"
  "COMPUTE_CAPABILITY=75;80 seems to decide: write \"definitions\": {\"COMPUTE_CAPABILITY\": \"@ARCHS@\"} into the matrix file")
expect_uncompiled(cu135-sm90)
e2e_run("${CTEST}" --test-dir "${TREE}" --output-on-failure)
e2e_expect(fail MATCH "cu135-sm90/BUILT[ .]+\\*\\*\\*Failed" "step: architectures" "@ARCHS@" WITHOUT "cu135-sm90/AUDIT")

tree_of(force [["90"]] [["ARCHS_BY": "force"]])
e2e_expect(pass MATCH "overwrites CMAKE_CUDA_ARCHITECTURES .with 75;80.: write \"enforce_archs\": true")
expect_uncompiled(cu135-sm90)

tree_of(property [["90"]] [["ARCHS_BY": "property"]])
e2e_expect(pass MATCH "compile for 75-real 80-real 90-real [-0-9a-z ]*instead of 90"
  "CUDA_ARCHITECTURES of archs: take out what is a mistake, or write \"enforce_archs\": true")
expect_uncompiled(cu135-sm90)

tree_of(flags [["90"]] [["ARCHS_BY": "flags"]])
e2e_expect(pass MATCH "compile for 75-real 90 instead of 90" "flags of the project name them .archs.")
expect_uncompiled(cu135-sm90)

# Only the files reveal these archs.
tree_of(late [["90"]] [["ARCHS_BY": "late"]])
e2e_expect(pass MATCH "it holds 75-real 90 instead of 90 .not asked for: 75-real.")

# The right archs, but made by another toolkit, which only the files reveal, too.
include("${ROOT}/cmake-modules/ArchGrid.cmake")
foreach(cuda IN ITEMS 11.8 13.5)
  archgrid_find_toolkit(${cuda} RESULT toolkit)
  archgrid_find_host_compiler(${cuda} RESULT host)
  tree_of(script_${cuda} [["90"]] "\"ARCHS_BY\": \"script\", \"ARCHS_NVCC\": \"${toolkit_NVCC} -ccbin ${host_CXX}\"")
  if(cuda STREQUAL "11.8")
    e2e_expect(pass MATCH
      "cu135-sm90 +failed .*made by another toolkit than its own CUDA 13\\.5: [^\n]*script\\.cubin is of CUDA 11\\.8")
  else()
    e2e_expect(pass MATCH "cu135-sm90 +built")
  endif()
endforeach()

# The same project passes with its cells' archs, and a variant of a requested arch only causes a
# note. Two cells with the same contents for different archs name each other.
tree_of(variant [["90", "90a"]] [["ARCHS_BY": "variant"]])
e2e_expect(pass MATCH "cu135-sm90 +built" "cu135-sm90a +built")
e2e_run("${CTEST}" --test-dir "${TREE}" -R "cu135-sm90/" -V)
e2e_expect(pass MATCH "it also holds 90a-real, another variant of 90" "cu135-sm90/AUDIT \\.+ +Passed")
tree_of(given [["90"]] [["ARCHS_BY": "variable", "COMPUTE_CAPABILITY": "@ARCHS@"]])
e2e_expect(pass MATCH "cu135-sm90 +built")
e2e_build(matrix)
e2e_expect(pass MATCH "cu135-sm90 +built" WITHOUT "cu135-sm90: ")

# Files that no target makes are proved, too: from the command that makes them if it shows the
# archs, else from the files.
include("${ROOT}/cmake-modules/ArchGrid.cmake")
archgrid_find_toolkit(11.8 RESULT old)
archgrid_find_host_compiler(11.8 RESULT host)
tree_of(one_step [["90"]] [["MADE_BY": "one_step", "MADE_FLAGS": "-arch=sm_75"]])
e2e_expect(pass MATCH "cu135-sm90 +failed " "its commands compile for 75 90 instead of 90"
  "the command that makes [^ ]*libmade.so decides: take its archs from CMAKE_CUDA_ARCHITECTURES")
expect_uncompiled(cu135-sm90)
foreach(by IN ITEMS script unnamed)
  tree_of(${by} [["90"]] "\"MADE_BY\": \"${by}\", \"MADE_FLAGS\": \"-gencode=arch=compute_75,code=sm_75\"")
  e2e_expect(pass MATCH "cu135-sm90 +failed " "it holds 75-real 90 instead of 90"
    "the command that makes libmade.so decides")
  tree_of(${by}_old [["90"]] "\"MADE_BY\": \"${by}\", \"MADE_FLAGS\": \"@GENCODE_LIST@\",
    \"MADE_COMPILER\": \"${old_NVCC};-ccbin;${host_CXX}\"")
  e2e_expect(pass MATCH "cu135-sm90 +failed "
    "made by another toolkit than its own CUDA 13\\.5: libmade\\.so is of CUDA 11\\.8")
endforeach()
# Counterparts without a defect, and prebuilt code, which may be for any archs.
foreach(by IN ITEMS one_step script unnamed copy)
  tree_of(${by}_green [["90"]] "\"MADE_BY\": \"${by}\", \"MADE_FLAGS\": \"@GENCODE_LIST@\",
    \"MADE_COPY_OF\": \"${WORK}/unnamed/build/matrix/cells/cu135-sm90/libmade.so\"")
  e2e_expect(pass MATCH "cu135-sm90 +built")
  file(READ "${TREE}/cells/cu135-sm90.json" status)
  if(NOT status MATCHES "\"artifacts\": [^\n]*\"libmade.so\"")
    message(FATAL_ERROR "libmade.so is not audited: ${status}")
  endif()
endforeach()
