# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

file(WRITE "${CASE_BINARY}/m.json" "")
include("${ARCHGRID_MODULES}/archgrid/expand.cmake")
archgrid_expand(MATRIX "${CASE_BINARY}/m.json")
