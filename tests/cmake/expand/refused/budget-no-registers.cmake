# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

set(replace [==["registers": 128]==])
set(with [==["registers": 0]==])
