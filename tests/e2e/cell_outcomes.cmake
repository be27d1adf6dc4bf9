# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

# Checks the possible states of a cell: never built, broken while others are not, stale after a
# failed rebuild, interrupted, impossible. All of them fail, and none runs a program of another
# build.
set(sources "${WORK}/sources")
file(COPY "${E2E}/tiny/" DESTINATION "${sources}")
e2e_matrix(matrix CUDA 13.5 ARCHS 75 90 DEVICES 7.5 9.0 CELLS single fat ACCEPT native compatible)
e2e_tree(tree MATRIX "${matrix}" SOURCE "${sources}" DEFINITIONS TINY_BREAK=90)

# Never built.
e2e_ctest(--preset sm75)
e2e_expect(fail MATCH "cu135-sm75/BUILT" "never built" "--target cu135-sm75" WITHOUT "cu135-sm75/runs")

# One cell does not compile: the others are built and tested, and the table distinguishes them.
e2e_build(matrix)
e2e_expect(pass MATCH "cu135-sm90 +failed +[0-9.]+ s +90 .*log: [^\n]*cells/cu135-sm90\\.log"
  "cu135-sm75 +built +[0-9.]+ s" "cu135-fat +built" "3 cells: 2 built, 1 failed"
  "cu135-sm90 +failed [^\n]*it does not compile: second\\.cu:5:2: error: #error \"planted: does not compile\"")
e2e_ctest(--preset sm90)
e2e_expect(fail MATCH "cu135-sm90/BUILT[ .]+\\*\\*\\*Failed" "planted: does not compile"
  "cu135-sm90: it does not compile: second\\.cu:5:2: error: #error \"planted: does not compile\""
  "cu135-fat/AUDIT/sm90 \\.+ +Passed"
  WITHOUT "cu135-sm90/runs" "generate-code")
e2e_ctest(--preset sm75)
e2e_expect(pass MATCH "cu135-sm75/runs \\.+ +Passed")

# A failed rebuild over a program that used to work.
file(READ "${sources}/first.cu" first)
file(WRITE "${sources}/first.cu" "#error planted too\n")
# The target of a single cell fails with the cell and names the log; that of a group passes, so that
# its tests run.
e2e_build(cu135-sm75)
e2e_expect(fail MATCH "cu135-sm75: failed[^\n]*\nlog: [^\n]*/cells/cu135-sm75\\.log\n")
e2e_build(sm75)
e2e_expect(pass MATCH "cu135-sm75 +failed" WITHOUT "\nlog: ")
e2e_ctest(--preset sm75)
e2e_expect(fail MATCH "cu135-sm75/BUILT[ .]+\\*\\*\\*Failed" "planted too" WITHOUT "cu135-sm75/runs")
file(WRITE "${sources}/first.cu" "${first}")
e2e_build(sm75)
e2e_ctest(--preset sm75)
e2e_expect(pass MATCH "cu135-sm75/runs \\.+ +Passed")

# A project that does not configure, and a program that does not link: both errors say where and
# why.
file(READ "${sources}/CMakeLists.txt" project)
file(APPEND "${sources}/CMakeLists.txt" "message(FATAL_ERROR \"planted; with \\\\n \\$ and [brackets]\")\n")
e2e_build(cu135-sm75)
e2e_expect(fail MATCH "does not configure any more: CMakeLists\\.txt:[0-9]+: planted; with")
file(WRITE "${sources}/CMakeLists.txt" "${project}")
file(APPEND "${sources}/CMakeLists.txt" "target_link_libraries(tiny PRIVATE -lplanted_nowhere)\n")
e2e_build(cu135-sm75)
e2e_expect(fail MATCH
  "cu135-sm75: failed \\(build\\) after [0-9.]+ s: it does not link: [^\n]*cannot find -lplanted_nowhere")
file(WRITE "${sources}/CMakeLists.txt" "${project}")
e2e_build(cu135-sm75)
e2e_expect(pass WITHOUT "\nlog: ")
e2e_build(sm75)
e2e_ctest(--preset sm75)
e2e_expect(pass)

# An interrupted build, and an invalid status.
include("${ROOT}/cmake-modules/archgrid/detail/cell_status.cmake")
_archgrid_write_cell_status("${TREE}/cells/cu135-sm75.json" ID cu135-sm75 STATUS building)
e2e_ctest(--preset sm75)
e2e_expect(fail MATCH "interrupted" WITHOUT "cu135-sm75/runs")
file(WRITE "${TREE}/cells/cu135-sm75.json" "{\"schema\": \"archgrid.cell/1\", \"status\": \"bu")
e2e_ctest(--preset sm75)
e2e_expect(fail MATCH "is no cell status" WITHOUT "cu135-sm75/runs")
e2e_build(sm75)
e2e_ctest(--preset sm75)
e2e_expect(pass)

# A device that no cell serves: the preset's target and its tests say so.
e2e_build(sm120)
set(unserved
  "sm120: nothing to build or test in [^\n]*default[.]json: no single cell has this arch, and no fat cell is promised to serve it")
e2e_expect(fail MATCH "${unserved}")
e2e_ctest(--preset sm120)
e2e_expect(fail MATCH "1/1 Test #[0-9]+: sm120 [.]+[*]+Failed [^\n]*\n${unserved}\n" WITHOUT "No tests were found")
# Without that preset nothing fails for the device, although ARCHGRID_DEVICE requires it.
set(ENV{ARCHGRID_DEVICE} 12.0)
e2e_ctest(--preset default -L "^sm75$")
e2e_expect(pass WITHOUT "sm120")
e2e_ctest(--test-dir "${TREE}" -N)
e2e_expect(pass WITHOUT "sm120")
unset(ENV{ARCHGRID_DEVICE})

# A missing toolkit makes its cells impossible; they are still listed.
e2e_matrix(matrix CUDA 11.1 ARCHS 75 80 DEVICES 7.5 8.0 CELLS single fat ACCEPT native compatible)
e2e_tree(impossible MATRIX "${matrix}" SOURCE "${sources}")
e2e_expect(pass)
e2e_build(matrix)
set(why "(CUDA 11.1 is not on this machine|[^ ]+ is gcc [0-9]+, and CUDA 11.1 takes gcc up to 10)")
e2e_expect(pass MATCH "cu111-fat +impossible +75 80 +${why}"
  "cu111-sm80 +impossible +80 +as cu111-fat" "3 cells: 0 built, 3 impossible")
e2e_build(cu111-sm80)
e2e_expect(fail MATCH "cu111-sm80: impossible: ${why}")
e2e_ctest(--preset sm80)
e2e_expect(fail MATCH "cu111-sm80/BUILT[ .]+\\*\\*\\*Failed" "cu111-sm80: cannot be built here: ${why}")

# A fetchable toolkit: the advice is a command that exists for the user.
set(ENV{ARCHGRID_TOOLKITS} "${WORK}/no-toolkits")
e2e_matrix(matrix CUDA 12.4 ARCHS 80 DEVICES 8.0 CELLS fat ACCEPT native compatible)
# Toolkits of other releases are listed, and the missing one once.
e2e_tree(fetchable MATRIX "${matrix}" SOURCE "${sources}")
e2e_expect(pass MATCH "impossible cells: CUDA 12.4 is not on this machine"
  WITHOUT "no CUDA 12.4" "12.4: [^\n]*CUDA 12.4")
e2e_build(matrix)
e2e_expect(pass MATCH
  "cu124-fat +impossible [^\n]*get it with /[^\n ]*/setup --matrix FILE, or archgrid_fetch_toolkit\\(12\\.4\\)")
