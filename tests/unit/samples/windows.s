# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0
#
# Imitates nvcc's output on Windows: a fat binary, the wrapper that registers it, and code that
# loads more.
.section .nv_fatbin,"dr"
.p2align 3
fatbinData:
.incbin "sample.fatbin"

.section .nvFatBinSegment,"dr"
.p2align 3
__fatDeviceText:
.long 0x466243b1
.long 1
.quad fatbinData
.quad 0

.section .rdata,"dr"
.p2align 3
.quad __imp_cuModuleLoadData

.text
.globl start
start:
