# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

execute_process(COMMAND "${CMAKE_COMMAND}" "-DMATRIX=${CASE_BINARY}" -P "${ARCHGRID_MODULES}/archgrid/expand.cmake"
                RESULT_VARIABLE result)
if(result EQUAL 0)
  message(FATAL_ERROR "a folder was expanded")
endif()
