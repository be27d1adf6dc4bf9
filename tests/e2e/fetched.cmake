# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

# Checks that libraries in sources that FetchContent and ExternalProject download are prebuilt,
# while those that the build makes inside these sources are audited.
e2e_matrix(matrix CUDA 13.5 ARCHS 75 80 90 DEVICES 8.0 9.0 CELLS fat ACCEPT native compatible)
include("${ROOT}/cmake-modules/ArchGrid.cmake")
archgrid_find_toolkit(13.5 RESULT toolkit)
set(kernel "${E2E}/shapes/kernel.cu")
file(MAKE_DIRECTORY "${WORK}/pre")
e2e_run("${toolkit_NVCC}" -DKERNEL=pre -shared -Xcompiler -fPIC -arch=sm_75 -o pre/libpre.so "${kernel}")
e2e_expect(pass)
file(WRITE "${WORK}/pre/README" "two files, as the only one would be the top of the archive")
e2e_run("${CMAKE_COMMAND}" -E tar czf pre.tar.gz pre)
e2e_expect(pass)
foreach(kind IN ITEMS planted green)
  set(archs 75)
  if(kind STREQUAL "green")
    set(archs "75 80 90")
  endif()
  e2e_tree(${kind} MATRIX "${matrix}" SOURCE "${E2E}/fetched"
    DEFINITIONS "FETCHED_ARCHIVE=${WORK}/pre.tar.gz" "FETCHED_KERNEL=${kernel}" "FETCHED_ARCHS=${archs}")
  e2e_build(matrix)
  e2e_expect(pass MATCH "cu135-fat +built")
  e2e_run("${COMMAND}" audit --tree "${TREE}" --all)
  set(notes "2 files, the first [^\n]*/deps/(pre|other)-src/libpre\\.so: not audited: it is prebuilt")
  if(kind STREQUAL "planted")
    e2e_expect(fail MATCH "missing: made_kernel\\(float\\*\\) on 8\\.0"
      "missing: built_kernel\\(float\\*\\) on 8\\.0" "${notes}"
      WITHOUT "pre_kernel")
  else()
    e2e_expect(pass MATCH "promise holds: 3 kernels" "${notes}")
  endif()
endforeach()
