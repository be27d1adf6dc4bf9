# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

# Checks a translation unit compiled without sm_90, as it happens to libraries: the archs of the
# program include 90, but its second kernel lacks it. `ctest --preset sm90` names the kernel, the
# device, the cell and the fix.
e2e_matrix(matrix CUDA 13.5 ARCHS 75 90 DEVICES 7.5 9.0 CELLS fat ACCEPT native compatible)
e2e_tree(planted MATRIX "${matrix}" SOURCE "${E2E}/tiny" DEFINITIONS "TINY_SECOND_ARCHS=75-real")
e2e_expect(pass)
e2e_build(matrix)
e2e_expect(pass MATCH "cu135-fat +built")
e2e_ctest(--preset sm90)
e2e_expect(fail MATCH "cu135-fat/AUDIT/sm90 \\.+\\*\\*\\*Failed" "second_kernel" "9\\.0" "add 90" "cu135-fat"
  WITHOUT "AUDIT/sm75")
e2e_ctest(--preset sm75)
e2e_expect(pass)

# test-matrix prints the finding once, for both devices, although two audits and PROMISES fail
# because of it; the verdict comes last.
e2e_matrix(wider CUDA 13.5 ARCHS 75 80 90 DEVICES 7.5 8.0 9.0 CELLS fat ACCEPT native compatible)
e2e_tree(once MATRIX "${wider}" SOURCE "${E2E}/tiny" DEFINITIONS "TINY_SECOND_ARCHS=75-real")
e2e_build(test-matrix)
e2e_expect(fail MATCH
  "AUDIT/sm80 [.]+[*]+Failed [^\n]*\n[^\n]*AUDIT/sm90 [.]+[*]+Failed [^\n]*\n[^\n]*PROMISES [.]+[*]+Failed [^\n]*\n\n[0-9]+% tests passed"
  "\nmissing: second_kernel[^\n]* on 8[.]0 and 9[.]0, cu135-fat/tiny"
  "\npromise broken: 2 findings [^\n]*\nwhat each test said: [^\n]*\n"
  WITHOUT "missing: .*missing: " "promise broken: .*promise broken: ")

e2e_tree(green MATRIX "${matrix}" SOURCE "${E2E}/tiny")
e2e_build(matrix)
e2e_ctest(--preset sm90)
e2e_expect(pass MATCH "cu135-fat/AUDIT/sm90 \\.+ +Passed" "promise holds")

# All tests pass, but none ran on a GPU: a failure if one is required.
set(ENV{ARCHGRID_REQUIRE_GPU} 1)
e2e_ctest(--preset sm90)
e2e_expect(fail MATCH "100% tests passed" "no test met a GPU, although ARCHGRID_REQUIRE_GPU=1")
