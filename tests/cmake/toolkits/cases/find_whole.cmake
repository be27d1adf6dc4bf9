# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

# Passing counterpart of every find_* case. Also checks that the answer is cached: the second query
# compiles nothing.
include("${CASE_SOURCE}/../support/stage.cmake")
stage_toolkit("${stage_toolkits}/cuda-13.5")
ask(first find 13.5)
expect(first 0 "FOUND=TRUE" "NVCC=${stage_toolkits}/cuda-13.5/bin/nvcc")
file(GLOB remembered "${stage_toolkits}/.probed/*")
list(LENGTH remembered count)
if(NOT count EQUAL 1)
  message(FATAL_ERROR "expected one remembered probe, found \"${remembered}\"")
endif()
# Without a scratch folder nothing can be compiled.
set(ENV{TMPDIR} "/proc/nowhere")
ask(second find 13.5)
expect(second 0 "FOUND=TRUE")
file(REMOVE ${remembered})
# nvcc flags in the environment do not matter, either.
unset(ENV{TMPDIR})
set(ENV{NVCC_APPEND_FLAGS} --planted)
set(ENV{NVCC_PREPEND_FLAGS} --planted)
ask(flags find 13.5)
expect(flags 0 "FOUND=TRUE")
file(GLOB remembered "${stage_toolkits}/.probed/*")
file(REMOVE ${remembered})
set(ENV{TMPDIR} "/proc/nowhere")
ask(forgotten find 13.5)
expect(forgotten 1 "/proc/nowhere")
