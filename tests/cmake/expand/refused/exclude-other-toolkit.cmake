# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

set(replace [==[{"cuda": "11.8", "arch"]==])
set(with [==[{"cuda": "12.4", "arch"]==])
set(schema "cannot know")
