# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

# Cells share the processors by how many architectures each compiles for, and each has one at least.
e2e_matrix(matrix CUDA 13.5 ARCHS 75 80 90a DEVICES 7.5 8.0 9.0 CELLS single fat ACCEPT native compatible)

# expect_jobs(<ARCHGRID_JOBS> <jobs of the fat cell> <of each single cell>)
function(expect_jobs all fat single)
  e2e_tree(of_${all} MATRIX "${matrix}" SOURCE "${E2E}/tiny" ARGUMENTS -DARCHGRID_JOBS=${all})
  foreach(cell IN ITEMS fat sm75 sm80 sm90a)
    include("${TREE}/cells/cu135-${cell}.config.cmake")
    set(expected ${single})
    if(cell STREQUAL "fat")
      set(expected ${fat})
    endif()
    if(NOT cell_jobs STREQUAL expected)
      message(FATAL_ERROR "cu135-${cell}: ${cell_jobs} of ${all} jobs, and not ${expected}")
    endif()
  endforeach()
endfunction()

expect_jobs(64 32 11)
expect_jobs(8 4 1)
expect_jobs(2 1 1)
