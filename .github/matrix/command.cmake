# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

# Builds the command archgrid from this checkout into prefix/ and plan/archgrid.tar.zst, from which
# other jobs take it. ARCHGRID_BUILD: a tree that has built it.
include("${CMAKE_CURRENT_LIST_DIR}/common.cmake")
set(tree "$ENV{ARCHGRID_BUILD}")
if(tree STREQUAL "")
  set(tree "${ARCHGRID_ROOT}/build/command")
  execute_process(COMMAND "${CMAKE_COMMAND}" --preset command WORKING_DIRECTORY "${ARCHGRID_ROOT}"
    COMMAND_ERROR_IS_FATAL ANY)
  execute_process(COMMAND "${CMAKE_COMMAND}" --build "${tree}" --target archgrid COMMAND_ERROR_IS_FATAL ANY)
endif()
execute_process(COMMAND "${CMAKE_COMMAND}" --install "${tree}" --prefix "${CMAKE_CURRENT_BINARY_DIR}/prefix"
  OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
file(MAKE_DIRECTORY plan)
file(ARCHIVE_CREATE OUTPUT plan/archgrid.tar.zst PATHS prefix FORMAT gnutar COMPRESSION Zstd)
