# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

# PTX alone where native code is promised; the same file is fine where JIT is accepted.
e2e_matrix(matrix CUDA 13.5 ARCHS 80-virtual DEVICES 9.0 CELLS fat ACCEPT native)
e2e_tree(planted MATRIX "${matrix}" SOURCE "${E2E}/tiny")
e2e_build(matrix)
e2e_ctest(--preset sm90)
e2e_expect(fail MATCH "first_kernel" "jit" "9\\.0")

e2e_matrix(matrix CUDA 13.5 ARCHS 80-virtual DEVICES 9.0 CELLS fat ACCEPT native jit)
e2e_tree(green MATRIX "${matrix}" SOURCE "${E2E}/tiny")
e2e_build(matrix)
e2e_ctest(--preset sm90)
e2e_expect(pass)
