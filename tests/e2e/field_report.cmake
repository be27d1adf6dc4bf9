# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

# Reproduces a failure of TorchRec users on a GTX 1080 Ti (meta-pytorch/torchrec#2708): one library
# of the stack was built for fewer architectures than the rest, and its first kernel had no image
# for the card. Here it is the translation unit that distributes features: the audit names its
# kernels, on the Pascal GPUs, and nothing else.
e2e_matrix(matrix CUDA 11.8 ARCHS 60 61 70 DEVICES 6.0 6.1 7.0 CELLS fat ACCEPT native)
e2e_tree(forgotten MATRIX "${matrix}" SOURCE "${E2E}/recommender" DEFINITIONS "FEATURE_ARCHITECTURES=70-real")
e2e_build(matrix)
foreach(device IN ITEMS 60 61)
  e2e_ctest(--preset sm${device})
  string(REGEX REPLACE "(.)$" ".\\1" capability "${device}")
  e2e_expect(fail MATCH "cu118-fat/AUDIT/sm${device} \\.+\\*\\*\\*Failed"
    "bucketize_count<[^\n]* +MISSING" "bucketize_features<[^\n]* +MISSING" "bucketize_place<[^\n]* +MISSING"
    "missing: [^\n]*bucketize_count<[^\n]* and 7 more on ${capability}, cu118-fat/"
    "fix: compile bucketize.cu of recommender for ${device} too" "1 finding \\(1 missing\\), 8 of 15 kernels x 1 device"
    WITHOUT "(embedding|scan)_[^\n]*MISSING" "bucketize_[^\n]*native")
endforeach()
e2e_ctest(--preset sm70)
e2e_expect(pass MATCH "promise holds")

e2e_tree(mended MATRIX "${matrix}" SOURCE "${E2E}/recommender"
  DEFINITIONS "FEATURE_ARCHITECTURES=60-real,61-real,70-real")
e2e_build(matrix)
foreach(device IN ITEMS 60 61 70)
  e2e_ctest(--preset sm${device})
  e2e_expect(pass MATCH "promise holds")
endforeach()
