# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

# Checks that a project that ships only a static library is audited by that, unit by unit.
e2e_matrix(matrix CUDA 13.5 ARCHS 75 90 DEVICES 7.5 9.0 CELLS fat ACCEPT native compatible)
e2e_tree(planted MATRIX "${matrix}" SOURCE "${E2E}/tiny" DEFINITIONS "TINY_STATIC=ON" "TINY_SECOND_ARCHS=75-real")
e2e_expect(pass)
e2e_build(matrix)
e2e_expect(pass MATCH "cu135-fat +built")
e2e_ctest(--preset sm90)
e2e_expect(fail MATCH "second_kernel" "libtiny\\.a" "9\\.0" "add 90")
e2e_ctest(--preset sm75)
e2e_expect(pass)
