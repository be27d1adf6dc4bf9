# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

set(replace [==["8.6": ["self-hosted", "gpu", "a10"]]==])
set(with [==["8.6": "a10"]==])
