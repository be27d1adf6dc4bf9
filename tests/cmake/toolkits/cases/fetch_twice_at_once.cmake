# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

# Checks two concurrent fetches of a toolkit: one downloads, the other waits and finds the result.
include("${CASE_SOURCE}/../support/stage.cmake")
stage_toolkit("${CASE_BINARY}/index")
stage_pip("sleep 2")
set(fetch "${CMAKE_COMMAND}" "-DARCHGRID_MODULES=${ARCHGRID_MODULES}" -DQUESTION=fetch -DVERSION=13.5
  -P "${stage_support}/ask.cmake")
execute_process(
  COMMAND "${CMAKE_COMMAND}" -E env "PATH=${stage_bin}:$ENV{PATH}" "ARCHGRID_TOOLKITS=${stage_toolkits}"
    bash -ec "\"$@\" & first=$!
      \"$@\" & second=$!
      wait $first
      wait $second" bash ${fetch}
  OUTPUT_VARIABLE pair_TEXT ERROR_VARIABLE pair_TEXT RESULT_VARIABLE pair_RESULT)
expect(pair 0 "waiting for another fetch")
file(STRINGS "${CASE_BINARY}/pip.log" runs)
if(NOT runs STREQUAL "run")
  message(FATAL_ERROR "pip ran more than once: ${runs}")
endif()
expect_trees(cuda-13.5)
