# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

# Checks a program without its fat binary: finding no kernel is not a pass.
e2e_matrix(matrix CUDA 13.5 ARCHS 90 DEVICES 9.0 CELLS fat ACCEPT native)
e2e_tree(planted MATRIX "${matrix}" SOURCE "${E2E}/tiny" DEFINITIONS TINY_STRIP=ON)
e2e_build(matrix)
e2e_ctest(--preset sm90)
e2e_expect(fail MATCH "no-device-code")

e2e_tree(green MATRIX "${matrix}" SOURCE "${E2E}/tiny" DEFINITIONS TINY_STRIP=OFF)
e2e_build(matrix)
e2e_ctest(--preset sm90)
e2e_expect(pass)
