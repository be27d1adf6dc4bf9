# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0
include("${ARCHGRID_SOURCE}/harness/fake_cudart/read_toolkit.cmake")
file(WRITE "${CASE_BINARY}/driver_types.h" "enum cudaError { cudaErrorRenamed = 2 };\n")
_archgrid_read_errors("${CASE_BINARY}")
