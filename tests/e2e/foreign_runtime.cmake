# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

# Checks that a cell linked against another toolkit's runtime does not count as proof for its own
# toolkit.
include("${ROOT}/cmake-modules/ArchGrid.cmake")
archgrid_find_toolkit(13.5 RESULT own)
# Another toolkit's runtime that links without errors: nothing else reveals it.
set(other "${WORK}/cuda-13.4/lib64/libcudart_static.a")
file(COPY "${own_ROOT}/lib64/libcudart_static.a" DESTINATION "${WORK}/cuda-13.4/lib64" FOLLOW_SYMLINK_CHAIN)
e2e_matrix(matrix CUDA 13.5 ARCHS 90 DEVICES 9.0 CELLS fat ACCEPT native)
e2e_tree(planted MATRIX "${matrix}" SOURCE "${E2E}/tiny" DEFINITIONS "TINY_FOREIGN_RUNTIME=${other}")
e2e_build(matrix)
e2e_expect(pass MATCH "cu135-fat +failed +[0-9.]+ s +90 .*another CUDA toolkit")
e2e_ctest(--preset sm90)
e2e_expect(fail MATCH "cu135-fat/BUILT[ .]+\\*\\*\\*Failed" "cuda-13\\.4/lib64/libcudart_static\\.a"
  WITHOUT "AUDIT" "cu135-fat/runs")

e2e_tree(green MATRIX "${matrix}" SOURCE "${E2E}/tiny"
  DEFINITIONS "TINY_FOREIGN_RUNTIME=${own_ROOT}/lib64/libcudart_static.a")
e2e_build(matrix)
e2e_ctest(--preset sm90)
e2e_expect(pass MATCH "cu135-fat/runs")
