# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

set(replace [==["variant": "debug", ]==])
set(with [==[]==])
set(schema "cannot know")
