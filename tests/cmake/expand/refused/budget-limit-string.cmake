# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

set(replace [==["stack_bytes": 1024]==])
set(with [==["stack_bytes": "1024"]==])
