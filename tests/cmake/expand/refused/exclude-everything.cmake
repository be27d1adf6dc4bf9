# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

set(replace [==["archs": ["60", "80", "89", "90"]]==])
set(with [==["archs": ["89"]]==])
set(schema "cannot know")
