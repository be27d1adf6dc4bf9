# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

# Checks a matrix of single cells: each is judged for the promised devices that its own arch serves,
# and a promised device that none serves is a finding of the whole tree.
e2e_matrix(matrix CUDA 13.5 ARCHS 80 90a DEVICES 8.0 8.9 9.0 CELLS single ACCEPT native compatible)
e2e_tree(green MATRIX "${matrix}" SOURCE "${E2E}/tiny")
e2e_build(matrix)
e2e_ctest(--preset default)
e2e_expect(pass MATCH "cu135-sm80/AUDIT \\.+ +Passed" "cu135-sm90a/AUDIT \\.+ +Passed" "promise holds")
e2e_ctest(--preset sm90)
e2e_expect(pass MATCH "cu135-sm90a/AUDIT" WITHOUT "cu135-sm80")
# No cell has the label of a promised device that no arch names.
e2e_build(sm89)
set(unserved
  "sm89: nothing to build or test in [^\n]*default[.]json: no single cell has this arch, and no fat cell is promised to serve it")
e2e_expect(fail MATCH "${unserved}")
e2e_ctest(--preset sm89)
e2e_expect(fail MATCH "${unserved}" WITHOUT "No tests were found")

# One unit of the cell 90a is compiled for 80 only, which fails the cell.
e2e_tree(unit MATRIX "${matrix}" SOURCE "${E2E}/tiny" DEFINITIONS "TINY_SECOND_ARCHS=80-real")
e2e_build(matrix)
e2e_ctest(--preset sm90)
e2e_expect(fail MATCH "cu135-sm90a/BUILT \\.+\\*\\*\\*Failed" "not asked for: 80-real"
  "TINY_SECOND_ARCHS=80-real seems to decide" WITHOUT "cu135-sm90a/AUDIT")

# A single cell is judged even if a fat cell has the same code; a cell whose arch serves no promised
# device proves nothing.
string(CONCAT matrix
  "{\"name\": \"beside\", \"toolkits\": [{\"cuda\": \"13.5\", \"archs\": [\"80\", \"90\", \"120-virtual\"]}],"
  "\"cells\": [\"single\", \"fat\"], \"promises\": [{\"devices\": [\"8.0\", \"9.0\"]}]}")
e2e_tree(beside MATRIX "${matrix}" SOURCE "${E2E}/tiny")
e2e_build(matrix)
e2e_ctest(--preset default)
e2e_expect(pass MATCH "cu135-sm80/AUDIT \\.+ +Passed" "cu135-sm90/AUDIT \\.+ +Passed"
  "cu135-compute120/AUDIT[ .]+\\*\\*\\*Skipped" "promise holds: 2 kernels x 2 devices, 3 cells")
e2e_run("${CMAKE_COMMAND}" -E copy "${TREE}/cells/cu135-sm80/tiny" "${TREE}/cells/cu135-sm90/tiny")
e2e_ctest(--preset default)
e2e_expect(fail MATCH "cu135-sm90/AUDIT[ .]+\\*\\*\\*Failed" "cu135-fat/AUDIT/sm90 \\.+ +Passed")

e2e_matrix(matrix CUDA 13.5 ARCHS 80 90a DEVICES 8.0 10.0 CELLS single ACCEPT native compatible)
e2e_tree(unserved MATRIX "${matrix}" SOURCE "${E2E}/tiny")
e2e_build(matrix)
e2e_ctest(--preset default)
e2e_expect(fail MATCH "PROMISES[ .]+\\*\\*\\*Failed" "10\\.0")
