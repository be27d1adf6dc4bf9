# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

# Checks that cells for different archs with the same code are listed in the test output of each.
set(matrix
  "{\"name\": \"same\", \"toolkits\": [{\"cuda\": \"13.5\", \"archs\": [\"80\", \"90\"]}], \"cells\": [\"single\", \"fat\"],
  \"definitions\": {\"ARCHS_BY\": \"hidden\"}, \"promises\": [{\"devices\": [\"9.0\"]}]}")
e2e_tree(planted MATRIX "${matrix}" SOURCE "${E2E}/archs")
e2e_build(matrix)
e2e_expect(pass MATCH "3 cells: 1 built, 2 failed")
e2e_run("${CTEST}" --test-dir "${TREE}" -R "BUILT" --output-on-failure)
e2e_expect(fail MATCH "cu135-sm80: the same device code, byte for byte, as cu135-fat, cu135-sm90, for other archs")

# The same without any object that reveals it.
string(REPLACE "\"hidden\""
  "\"nothing\", \"MADE_BY\": \"script\", \"MADE_FLAGS\": \"-gencode=arch=compute_80,code=sm_80\"" made "${matrix}")
e2e_tree(made MATRIX "${made}" SOURCE "${E2E}/archs")
e2e_build(matrix)
e2e_expect(pass MATCH "3 cells: 1 built, 2 failed")
e2e_run("${CTEST}" --test-dir "${TREE}" -R "BUILT" --output-on-failure)
e2e_expect(fail MATCH "cu135-sm90: the same device code, byte for byte, as cu135-fat, cu135-sm80, for other archs")

string(REPLACE "hidden" "" matrix "${matrix}")
e2e_tree(green MATRIX "${matrix}" SOURCE "${E2E}/archs")
e2e_build(matrix)
e2e_run("${CTEST}" --test-dir "${TREE}" -V)
e2e_expect(pass MATCH "cu135-sm80/AUDIT" "cu135-sm90/AUDIT \\.+ +Passed" WITHOUT "the same device code")
