# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

# Checks that a release that does not exist, and one that archgrid cannot fetch, list the
# alternatives.
include("${CASE_SOURCE}/../support/stage.cmake")
ask(unknown fetch 12.10)
expect(unknown 1 "unknown CUDA toolkit \"12.10\"" "known are: .*11.8 .*13.5")
ask(unknown_find find 12.10)
expect(unknown_find 0 "FOUND=FALSE" "unknown CUDA toolkit \"12.10\"")
ask(unfetchable fetch 12.1)
expect(unfetchable 1 "no CUDA 12.1 on this machine" "it can fetch 11.8 12.4 13.0" "set CUDAToolkit_ROOT")
expect_trees()
