# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

# Packs the cells of MATRIX into at most BUILD_JOBS jobs, by the times of an earlier build if times/
# has some, and writes plan/ and the step's outputs. GPU=false: no jobs on GPU runners. PERF, such as
# sm90: the output `perf` has a job that compares benchmarks, PROGRAMS, there, of the first cell of
# that device.
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

set(perf "")
if("$ENV{PERF}" STREQUAL "" AND NOT "$ENV{PROGRAMS}" STREQUAL "")
  message(FATAL_ERROR "perf-programs: name the preset of a GPU job, too: perf-on: sm90")
elseif(NOT "$ENV{PERF}" STREQUAL "")
  matrix_jobs(tests test)
  foreach(test IN LISTS tests)
    matrix_list(presets "${tests_${test}}" presets)
    if("$ENV{PERF}" IN_LIST presets)
      matrix_list(cells "${tests_${test}}" cells)
      list(GET cells 0 cell)
      string(JSON runner GET "${tests_${test}}" runner)
      string(JSON devices GET "${tests_${test}}" devices)
      string(REGEX REPLACE "[][\",\n ]+" " " devices "${devices}")
      string(REGEX REPLACE "\n *" "" runner "${runner}")
      string(STRIP "${devices}" devices)
      string(CONCAT perf "{\"job\":\"perf-${test}\",\"cell\":\"${cell}\",\"runner\":${runner},"
             "\"devices\":\"${devices}\"}")
      file(WRITE plan/perf "perf-${test}\n")
    endif()
  endforeach()
  if(perf STREQUAL "")
    message(FATAL_ERROR "perf-on: no GPU job runs the preset $ENV{PERF}: name one of ${tests}")
  endif()
endif()
file(APPEND "$ENV{GITHUB_OUTPUT}" "perf={\"include\":[${perf}]}\n")
