# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

set(replace [==["\"Ada\" is served by 80; see a/b"]==])
set(with [==[""]==])
