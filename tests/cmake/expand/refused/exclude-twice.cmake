# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

set(replace [==[see a/b"}]==])
set(with [==[see a/b"}, {"cuda": "11.8", "arch": "89", "reason": "again"}]==])
set(schema "cannot know")
