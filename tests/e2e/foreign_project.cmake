# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

# Builds an unmodified project with shared and static libraries, separable compilation, install
# rules, C beside C++ and CUDA, fixtures and unusual tests, in two toolkits. Every test of every
# cell passes.
file(WRITE "${WORK}/matrix.json" "")
set(matrix "{
  \"name\": \"foreign\",
  \"toolkits\": [{\"cuda\": \"11.8\", \"archs\": [\"80\"]}, {\"cuda\": \"13.5\", \"archs\": [\"80\", \"100f\"]}],
  \"cells\": [\"single\", \"fat\"],
  \"definitions\": {\"FOREIGN_NOTE\": \"two words; a semicolon, a \\\"quote\\\"\"},
  \"promises\": [{\"devices\": [\"8.0\", \"8.6\"]}, {\"devices\": [\"10.0\"], \"toolkits\": [\"13.5\"]}]
}
")
e2e_tree(tree MATRIX "${matrix}" SOURCE "${E2E}/foreign")
e2e_expect(pass)
e2e_build(matrix)
e2e_expect(pass MATCH "5 cells: 5 built")
e2e_run("${CTEST}" --test-dir "${TREE}" -j2 --output-on-failure)
e2e_expect(pass MATCH "cu118-fat/odd name \\.+ +Passed" "cu135-sm100f/use \\.+ +Passed" "cu135-fat/nested \\.+ +Passed"
  "cu135-fat/AUDIT/sm100 \\.+ +Passed" "100% tests passed")
# Fixtures belong to one cell: selecting a cell's test also selects that cell's setup, but no other.
e2e_run("${CTEST}" --test-dir "${TREE}" -R "^cu118-sm80/use$")
e2e_expect(pass MATCH "cu118-sm80/prepare" "cu118-sm80/cleanup" WITHOUT "cu135-sm80/" "cu118-fat/")
# Definitions arrive unchanged.
e2e_run("${CTEST}" --test-dir "${TREE}" -R "^cu135-sm80/environment$" -V)
e2e_expect(pass MATCH "NOTE=two words" "ARCHGRID_CELL=cu135-sm80" "ARCHGRID_TOOLKIT=13.5")
# The audit covers the targets' programs and libraries.
file(READ "${TREE}/cells/cu135-fat.json" status)
if(NOT status MATCHES
    "\"artifacts\": \\[\"foreign_app\", \"libforeign_scale.so\", \"libforeign_sum.a\"\\],\n  \"handmade\": \\[\\],\n  \"unnamed\": \\[\\],\n  \"excluded\": \\[\"foreign_extra\"\\]")
  message(FATAL_ERROR "other artifacts than expected: ${status}")
endif()
# Install rules work in a cell whose compilers were detected elsewhere.
e2e_run("${CMAKE_COMMAND}" --install "${TREE}/cells/cu135-fat" --prefix "${WORK}/prefix")
e2e_expect(pass MATCH "libforeign_scale.so")
