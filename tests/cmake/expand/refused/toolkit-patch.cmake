# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

set(replace [==["cuda": "13.0", "archs": ["75"]==])
set(with [==["cuda": "13.0.1", "archs": ["75"]==])
