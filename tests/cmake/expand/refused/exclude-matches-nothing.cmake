# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

set(replace [==["arch": "89"]==])
set(with [==["arch": "86"]==])
set(schema "cannot know")
