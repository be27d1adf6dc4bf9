# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

set(replace [==["toolkits": ["13.0"], "reason": "two blocks"]==])
set(with [==["toolkits": ["12.4"], "reason": "two blocks"]==])
set(schema "cannot know")
