# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

# Checks that a tree with the runtime of another toolkit is not whole: its programs would link that
# runtime.
include("${CASE_SOURCE}/../support/stage.cmake")
set(tree "${stage_toolkits}/cuda-13.5")
stage_toolkit("${tree}")
ask(whole find 13.5)
expect(whole 0 "FOUND=TRUE")
file(RENAME "${tree}/lib/libcudart_static.a" "${CASE_BINARY}/libcudart_static.a")
file(CREATE_LINK "${CASE_BINARY}/libcudart_static.a" "${tree}/lib/libcudart_static.a" SYMBOLIC)
ask(foreign find 13.5)
expect(foreign 0 "FOUND=FALSE" "another toolkit's ${CASE_BINARY}/libcudart_static.a")
