# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

include("${ARCHGRID_MODULES}/archgrid/architectures.cmake")
archgrid_architectures(archs DEVICES 12.0 TOOLKIT 11.8)
