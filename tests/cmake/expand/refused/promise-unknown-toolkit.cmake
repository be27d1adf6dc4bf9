# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

set(replace [==["driver": "580.65", "toolkits": ["13.0"]]==])
set(with [==["driver": "580.65", "toolkits": ["13.7"]]==])
set(schema "cannot know")
