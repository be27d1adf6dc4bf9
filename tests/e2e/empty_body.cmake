# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

# Checks a kernel whose body `#if __CUDA_ARCH__` removes on one arch, while it works on another: a
# launch would succeed and do nothing.
e2e_matrix(matrix CUDA 13.5 ARCHS 75 90 DEVICES 7.5 9.0 CELLS fat ACCEPT native compatible)
e2e_tree(planted MATRIX "${matrix}" SOURCE "${E2E}/tiny" DEFINITIONS TINY_GUARD=900)
e2e_build(matrix)
e2e_ctest(--preset sm75)
e2e_expect(fail MATCH "second_kernel" "empty" "7\\.5" WITHOUT "first_kernel[^\n]* empty")
e2e_ctest(--preset sm90)
e2e_expect(pass)

e2e_tree(green MATRIX "${matrix}" SOURCE "${E2E}/tiny" DEFINITIONS TINY_GUARD=750)
e2e_build(matrix)
e2e_ctest(--preset sm75)
e2e_expect(pass)
