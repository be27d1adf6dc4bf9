# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

# Checks findings that no audit of one device can see: an ignore and a pattern that match no kernel.
# The test PROMISES reports them.
# matrix_with(<out> <ignored kernel> <promised kernels>)
function(matrix_with out ignored promised)
  set(${out} "{
  \"name\": \"e2e\",
  \"toolkits\": [{\"cuda\": \"13.5\", \"archs\": [\"90\"]}],
  \"cells\": [\"fat\"],
  \"promises\": [{\"devices\": [\"9.0\"]}, {\"devices\": [\"9.0\"], \"kernels\": \"${promised}\", \"accept\": [\"native\"]}],
  \"ignore\": [{\"kernel\": \"${ignored}\", \"devices\": [\"9.0\"], \"reason\": \"a test\"}]
}
" PARENT_SCOPE)
endfunction()

matrix_with(matrix "*first*" "*second*")
e2e_tree(green MATRIX "${matrix}" SOURCE "${E2E}/tiny")
e2e_build(matrix)
e2e_ctest(--preset default)
e2e_expect(pass MATCH "PROMISES \\.+ +Passed")

matrix_with(matrix "*frist*" "*second*")
e2e_tree(ignore MATRIX "${matrix}" SOURCE "${E2E}/tiny")
e2e_build(matrix)
e2e_ctest(--preset default)
e2e_expect(fail MATCH "PROMISES \\.+\\*\\*\\*Failed" "unused-ignore" "frist")

matrix_with(matrix "*first*" "*secnod*")
e2e_tree(pattern MATRIX "${matrix}" SOURCE "${E2E}/tiny")
e2e_build(matrix)
e2e_ctest(--preset default)
e2e_expect(fail MATCH "PROMISES \\.+\\*\\*\\*Failed" "unused-promise" "secnod")

# A device for which no arch of the toolkit can keep the promise is reported before anything is
# built.
e2e_matrix(matrix CUDA 13.5 ARCHS 90 DEVICES 9.0 CELLS fat)
string(REPLACE "\"accept\": []" "\"accept\": [\"native\", \"jit\"]" kept "${matrix}")
string(REPLACE "[\"9.0\"]" "[\"9.0\", \"6.0\"]" unkept "${kept}")
e2e_tree(unkept MATRIX "${unkept}" SOURCE "${E2E}/tiny")
e2e_expect(pass MATCH
  "CMake Warning at .*default.json: promises.0.: no arch of CUDA 13.5 .90. can keep it for 6.0 .P100. fix: remove 6.0")
e2e_tree(kept MATRIX "${kept}" SOURCE "${E2E}/tiny")
e2e_expect(pass WITHOUT "can keep it")
