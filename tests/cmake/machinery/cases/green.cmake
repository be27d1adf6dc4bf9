# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

# Runs the passing counterparts of the samples of red.cmake.
execute_process(COMMAND "${CMAKE_COMMAND}" -E echo "one two" COMMAND_ERROR_IS_FATAL ANY)
message(FATAL_ERROR "planted [defect")
