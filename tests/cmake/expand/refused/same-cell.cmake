# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

set(replace [==["120-real",]==])
set(with [==["120-real", "120",]==])
set(schema "cannot know")
