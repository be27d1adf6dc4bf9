# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

# Checks that building the command and its package takes few steps, each of which is a line in a
# pipe: the README's first workflow, which does so, may print 150 lines, and prints up to 100
# others.
execute_process(COMMAND "${NINJA}" -C "${BUILD}" -t commands archgrid archgrid_package
  OUTPUT_VARIABLE commands COMMAND_ERROR_IS_FATAL ANY)
string(REGEX MATCHALL "\n" lines "${commands}")
list(LENGTH lines count)
if(count LESS 10 OR count GREATER 50)
  message(FATAL_ERROR "the command takes ${count} steps, and not 10 to 50: join files, or libraries (UNITY_BUILD)")
endif()
