# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

# A promised GPU that the toolkit cannot compile for is left out, with a warning: its audit fails.
include("${ARCHGRID_MODULES}/archgrid/architectures.cmake")
archgrid_architectures(archs DEVICES 9.0 12.0 TOOLKIT 11.8)
message(STATUS "${archs}")
