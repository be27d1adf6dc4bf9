# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

set(replace [==["89", "90"]]==])
set(with [==["89", "90a"]]==])
set(schema "cannot know")
