# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

# A matrix of single cells alone: each is judged for the promised devices that its own arch serves, and a
# promised device that none serves is a finding of the whole.
e2e_matrix(matrix CUDA 13.5 ARCHS 80 90a DEVICES 8.0 8.9 9.0 CELLS single ACCEPT native compatible)
e2e_tree(green MATRIX "${matrix}" SOURCE "${E2E}/tiny")
e2e_build(matrix)
e2e_ctest(--preset default)
e2e_expect(pass MATCH "cu135-sm80/AUDIT \\.+ +Passed" "cu135-sm90a/AUDIT \\.+ +Passed" "promise holds")
e2e_ctest(--preset sm90)
e2e_expect(pass MATCH "cu135-sm90a/AUDIT" WITHOUT "cu135-sm80")

# One unit of the cell 90a is compiled for 80 alone.
e2e_tree(unit MATRIX "${matrix}" SOURCE "${E2E}/tiny" DEFINITIONS "TINY_SECOND_ARCHS=80-real")
e2e_build(matrix)
e2e_ctest(--preset sm90)
e2e_expect(fail MATCH "cu135-sm90a/AUDIT \\.+\\*\\*\\*Failed" "second_kernel" "9\\.0")

e2e_matrix(matrix CUDA 13.5 ARCHS 80 90a DEVICES 8.0 10.0 CELLS single ACCEPT native compatible)
e2e_tree(unserved MATRIX "${matrix}" SOURCE "${E2E}/tiny")
e2e_build(matrix)
e2e_ctest(--preset default)
e2e_expect(fail MATCH "PROMISES[ .]+\\*\\*\\*Failed" "10\\.0")
