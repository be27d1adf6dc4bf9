# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

# Checks the limit of jobs. GitHub accepts 256 per matrix; the table has fewer devices, so the test
# uses smaller limits. No job is an error, too.
cmake_minimum_required(VERSION 3.25)
include("${ARCHGRID_MODULES}/archgrid/expand.cmake")

if("$ENV{ARCHGRID_LIMIT}" STREQUAL "")
  foreach(limit IN ITEMS 1 2)
    execute_process(COMMAND "${CMAKE_COMMAND}" -E env ARCHGRID_LIMIT=${limit} "${CMAKE_COMMAND}"
                            "-DARCHGRID_MODULES=${ARCHGRID_MODULES}" -P "${CMAKE_CURRENT_LIST_FILE}"
                    RESULT_VARIABLE result_${limit} ERROR_VARIABLE stderr_${limit})
  endforeach()
  if(result_1 EQUAL 0 OR NOT stderr_1 MATCHES "m.json: runners: 2 jobs, and GitHub runs at most 1 of one matrix")
    message(SEND_ERROR "2 jobs at a limit of 1: ${stderr_1}")
  elseif(NOT result_2 EQUAL 0)
    message(SEND_ERROR "2 jobs at a limit of 2: ${stderr_2}")
  endif()
  execute_process(COMMAND "${CMAKE_COMMAND}" "-DMATRIX=${ARCHGRID_SOURCE}/matrices/quick.json" -DFORMAT=github
                          -P "${ARCHGRID_MODULES}/archgrid/expand.cmake"
                  RESULT_VARIABLE result OUTPUT_VARIABLE stdout ERROR_VARIABLE stderr)
  if(result EQUAL 0 OR NOT stdout STREQUAL "" OR NOT stderr MATCHES "quick.json: runners: no device has a runner")
    message(SEND_ERROR "no job: ${result} ${stdout} ${stderr}")
  endif()
else()
  set(matrix_FILE m.json)
  set(matrix_RUNNERS 8.0 9.0)
  set(plan_JOBS_JSON "    {\"name\": \"sm80\"},\n    {\"name\": \"sm90\"},\n")
  _archgrid_plan_write_github(jobs plan matrix $ENV{ARCHGRID_LIMIT})
  if(NOT jobs STREQUAL "{\"include\": [{\"name\": \"sm80\"}, {\"name\": \"sm90\"}]}\n")
    message(FATAL_ERROR "${jobs}")
  endif()
endif()
