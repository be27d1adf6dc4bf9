# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

set(replace [==["75", "90a"]==])
set(with [==["70", "90a"]==])
set(schema "cannot know")
