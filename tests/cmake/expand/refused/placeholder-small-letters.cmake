# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

set(replace [==["APP_MODE": "debug"]==])
set(with [==["APP_MODE": "@gencode@"]==])
set(schema "cannot know")
