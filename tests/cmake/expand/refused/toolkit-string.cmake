# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

set(replace [==[{"cuda": "11.8", "archs": ["60", "80", "89", "90"], "host_compiler": "g++-11"}]==])
set(with [==["11.8"]==])
