# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

# Checks 90a where 9.0 and 10.0 are promised: it serves only the former.
e2e_matrix(matrix CUDA 13.5 ARCHS 90a DEVICES 9.0 10.0 CELLS fat ACCEPT native compatible)
e2e_tree(planted MATRIX "${matrix}" SOURCE "${E2E}/tiny")
e2e_build(matrix)
e2e_ctest(--preset sm100)
e2e_expect(fail MATCH "first_kernel" "wrong-suffix" "10\\.0")
e2e_ctest(--preset sm90)
e2e_expect(pass)

e2e_matrix(matrix CUDA 13.5 ARCHS 90a 100f DEVICES 9.0 10.0 CELLS fat ACCEPT native compatible)
e2e_tree(green MATRIX "${matrix}" SOURCE "${E2E}/tiny")
e2e_build(matrix)
e2e_ctest(--preset sm100)
e2e_expect(pass MATCH "cu135-fat/AUDIT/sm100 \\.+ +Passed")
