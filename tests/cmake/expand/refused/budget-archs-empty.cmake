# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

set(replace [==["archs": ["80", "120"]]==])
set(with [==["archs": []]==])
