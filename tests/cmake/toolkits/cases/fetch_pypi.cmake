# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

# Checks a fetch with pip: the licence is named, the tree has the two links and is found afterwards,
# nothing is left over, and a tree that is not whole is replaced.
include("${CASE_SOURCE}/../support/stage.cmake")
stage_toolkit("${CASE_BINARY}/index")
stage_pip()
ask(answer fetch 13.5)
expect(answer 0 "NVIDIA's, under the CUDA Toolkit EULA" "FETCHED=TRUE" "ROOT=${stage_toolkits}/cuda-13.5 ")
expect_trees(cuda-13.5)
foreach(link IN ITEMS lib64 lib/libcudart.so)
  if(NOT IS_SYMLINK "${stage_toolkits}/cuda-13.5/${link}")
    message(FATAL_ERROR "${link} is no link")
  endif()
endforeach()

stage_pip("echo 'pip ran again' >&2; exit 1")
ask(again fetch 13.5)
expect(again 0 "FETCHED=FALSE")

file(REMOVE "${stage_toolkits}/cuda-13.5/nvvm/bin/cicc")
stage_pip()
ask(replaced fetch 13.5)
expect(replaced 0 "replacing ${stage_toolkits}/cuda-13.5, which is not whole" "FETCHED=TRUE")
expect_trees(cuda-13.5)
