# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

set(replace [==["APP_MODE": "plain"]==])
set(with [==["APP_MODE": "@ARCHS_COMMA@"]==])
set(schema "cannot know")
