# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

set(replace [==["a10"]}
}]==])
set(with [==["a10"]}
} {}]==])
