# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

set(replace [==["kernels": ["*wgmma*", "*[tma]; *"]]==])
set(with [==["kernels": ["*tma*", 90]]==])
