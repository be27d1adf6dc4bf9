# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

set(replace [==["100f",]==])
set(with [==["100", "100f",]==])
set(schema "cannot know")
