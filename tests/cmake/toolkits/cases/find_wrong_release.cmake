# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

# Checks that nvcc's output determines the release, not the folder's name.
include("${CASE_SOURCE}/../support/stage.cmake")
stage_toolkit("${stage_toolkits}/cuda-12.4")
ask(wrong find 12.4)
expect(wrong 0 "FOUND=FALSE" "${stage_toolkits}/cuda-12.4/bin/nvcc is CUDA 13.5")
file(RENAME "${stage_toolkits}/cuda-12.4" "${stage_toolkits}/cuda-13.5")
ask(right find 13.5)
expect(right 0 "FOUND=TRUE")
