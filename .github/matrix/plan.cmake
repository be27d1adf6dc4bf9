# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

# Packs the cells of MATRIX into at most BUILD_JOBS jobs, by the times of an earlier build if times/
# has some, and writes plan/ and the step's outputs. GPU=false: no jobs on GPU runners.
include("${CMAKE_CURRENT_LIST_DIR}/common.cmake")
matrix_variable(matrix MATRIX)
matrix_variable(build_jobs BUILD_JOBS)
matrix_variable(gpu GPU)
set(options "")
file(GLOB times times/*.json)
if(times)
  list(APPEND options --times times)
endif()
if(gpu STREQUAL "false")
  list(APPEND options --no-tests)
endif()
execute_process(COMMAND prefix/bin/archgrid matrix "project/${matrix}" --build-jobs "${build_jobs}" --github
  --json=plan/jobs.json ${options} RESULT_VARIABLE result)
if(NOT result EQUAL 0)
  message(FATAL_ERROR "project/${matrix}: no plan: see above")
endif()
