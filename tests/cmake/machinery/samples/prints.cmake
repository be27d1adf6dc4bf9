# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

execute_process(COMMAND "${CMAKE_COMMAND}" -E echo "one two")
