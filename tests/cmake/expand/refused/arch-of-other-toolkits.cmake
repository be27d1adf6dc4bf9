# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

set(replace [==["60", "80"]==])
set(with [==["60", "100"]==])
set(schema "cannot know")
