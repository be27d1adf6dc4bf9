# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

include("${ARCHGRID_MODULES}/archgrid/architectures.cmake")
archgrid_architectures(archs GPUS H100 TOOLKIT 12.4)
