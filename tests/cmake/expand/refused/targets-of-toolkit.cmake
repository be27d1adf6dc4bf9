# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

set(replace [==["host_compiler": "g++-11"}]==])
set(with [==["host_compiler": "g++-11", "targets": ["a b"]}]==])
