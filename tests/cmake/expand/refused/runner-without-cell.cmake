# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

set(replace [==["runners": {"9.0"]==])
set(with [==["runners": {"10.1"]==])
set(schema "cannot know")
