# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

# Checks that a failed fetch names the cause and the fix, and leaves nothing that looks like a
# toolkit.
include("${CASE_SOURCE}/../support/stage.cmake")
stage_toolkit("${CASE_BINARY}/index")

function(expect_failure pip_line)
  stage_pip("${pip_line}")
  ask(answer fetch 13.5)
  expect(answer 1 ${ARGN})
  expect_trees()
endfunction()

expect_failure("echo 'ERROR: Could not install: [Errno 28] No space left on device' >&2 && exit 1"
  "pip install of cuda-13[.]5[.]txt failed" "No space left" "Fix: the disk is full")
expect_failure("echo 'NewConnectionError: Temporary failure in name resolution' >&2 && exit 1" "Fix: the network")
expect_failure("echo 'ERROR: No matching distribution found for nvidia-nvvm==13.5.*' >&2 && exit 1"
  "does not have nvidia-nvvm==13.5" "PIP_INDEX_URL")
expect_failure("mkdir -p \"$target/nvidia/other\" && exit 0" "there is no nvidia/cu<N> folder")
stage_program(python3 "exit 1")
ask(no_pip fetch 13.5)
expect(no_pip 1 "no pip on this machine" "apt-get install python3-pip")
expect_trees()

# Downloads that pip accepts, but that are not a whole toolkit, or have another release.
file(RENAME "${CASE_BINARY}/index/nvvm/bin/cicc" "${CASE_BINARY}/cicc")
expect_failure("" "not a whole toolkit: nvvm/bin/cicc is missing")
file(RENAME "${CASE_BINARY}/cicc" "${CASE_BINARY}/index/nvvm/bin/cicc")
stage_pip()
ask(other fetch 13.4)
expect(other 1 "what was fetched is CUDA \"13.5\", not 13.4")
expect_trees()

stage_program(df "printf 'Filesystem 1048576-blocks Used Available Capacity Mounted on\\n/dev/x 1000 988 12 99%% /\\n'")
ask(full fetch 13.5)
expect(full 1 "12 MB are free, 1000 MB are needed" "ARCHGRID_TOOLKITS")
expect_trees()
file(REMOVE "${stage_bin}/df")

ask(green fetch 13.5)
expect(green 0 "FETCHED=TRUE")
expect_trees(cuda-13.5)
