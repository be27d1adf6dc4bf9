# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

# Checks the errors for failures with Debian's packages.
include("${CASE_SOURCE}/../support/stage.cmake")
stage_compiler(g++ gcc 11)
stage_compiler(gcc gcc 11)
stage_program(apt-get "exit 0")
ask(no_mirror fetch 11.8)
expect(no_mirror 1 "names no mirror of Debian" "ARCHGRID_DEBIAN_MIRROR")
expect_trees()

set(ENV{ARCHGRID_DEBIAN_MIRROR} "http://mirror/debian")
stage_program(apt-get "echo 'E: Could not resolve host' >&2; exit 100")
ask(network fetch 11.8)
expect(network 1 "apt-get update of Debian bookworm failed" "Fix: the network")
expect_trees()

stage_program(apt-get "echo; echo 'W: Failed to fetch http://deb/InRelease  Could not connect'")
ask(unreachable fetch 11.8)
expect(unreachable 1 "apt-get update of Debian bookworm failed" "Failed to fetch")
expect_trees()

stage_program(apt-get "exit 0")
stage_program(apt-cache "printf 'Package: nvidia-cuda-toolkit\\nVersion: 12.6.85~12.6.3-1\\n'")
ask(moved_on fetch 11.8)
expect(moved_on 1 "Debian bookworm has no nvidia-cuda-toolkit of CUDA 11.8" "12.6.85")
expect_trees()

stage_program(apt-cache "printf 'Package: nvidia-cuda-toolkit\\nVersion: 11.8.89\\nDepends: libcudart11.0\\n'")
ask(nothing_came fetch 11.8)
expect(nothing_came 1 "expected one nvidia-cuda-dev_")
expect_trees()

stage_program(apt-get "[ \"$1\" = download ] || exit 0
echo broken >nvidia-cuda-dev_11.8_amd64.deb
echo broken >libcudart11.0_11.8_amd64.deb")
ask(broken fetch 11.8)
expect(broken 1 "unpacking .*nvidia-cuda-dev_11.8_amd64.deb failed")
expect_trees()
