# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

set(replace [==["tests": "Fp8.*", "devices": ["7.5"]]==])
set(with [==["tests": "Fp8.*", "devices": ["9.5"]]==])
set(schema "cannot know")
