# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

# Checks that SIGKILL during a download of libraries leaves the toolkit unchanged. Of the next two
# concurrent fetches, one cleans up and downloads, the other waits and finds the result.
include("${CASE_SOURCE}/../support/stage.cmake")
stage_toolkit("${CASE_BINARY}/index")
stage_toolkit("${stage_toolkits}/cuda-13.5")
stage_library(cublas cublas_v2.h cublas cublasLt)
stage_pip("mkdir -p \"$target/nvidia/cu13/lib\"" "echo half >\"$target/nvidia/cu13/lib/libcublas.so.13\""
  "echo $$ >'${CASE_BINARY}/pip.pid'" "exec sleep 60")
set(fetch "${CMAKE_COMMAND}" "-DARCHGRID_MODULES=${ARCHGRID_MODULES}" -DQUESTION=fetch
  -DVERSION=13.5 -DLIBRARIES=cublas -P
  "${stage_support}/ask.cmake")
set(environment "${CMAKE_COMMAND}" -E env "PATH=${stage_bin}:$ENV{PATH}" "ARCHGRID_TOOLKITS=${stage_toolkits}")
execute_process(
  COMMAND ${environment} bash -c "\"$@\" >/dev/null 2>&1 &
      fetch=$!
      for _ in $(seq 2400); do [ -s '${CASE_BINARY}/pip.pid' ] && break; sleep 0.05; done
      kill -9 $fetch
      wait $fetch
      kill -9 $(cat '${CASE_BINARY}/pip.pid')" bash ${fetch}
  COMMAND_ERROR_IS_FATAL ANY ERROR_QUIET)
file(GLOB partial "${stage_toolkits}/.partial-*")
if(EXISTS "${stage_toolkits}/cuda-13.5-cublas" OR NOT partial)
  message(FATAL_ERROR "expected a partial tree only, found \"${partial}\"")
endif()
ask(plain find 13.5)
expect(plain 0 "FOUND=TRUE" "ROOT=${stage_toolkits}/cuda-13.5 ")
ask(not_found find 13.5 LIBRARIES cublas)
expect(not_found 0 "FOUND=FALSE")

file(REMOVE "${CASE_BINARY}/pip.log")
stage_pip("sleep 2")
execute_process(
  COMMAND ${environment} bash -ec "\"$@\" & first=$!
      \"$@\" & second=$!
      wait $first
      wait $second" bash ${fetch}
  OUTPUT_VARIABLE pair_TEXT ERROR_VARIABLE pair_TEXT RESULT_VARIABLE pair_RESULT)
expect(pair 0 "removing what an interrupted fetch left" "waiting for another fetch")
file(STRINGS "${CASE_BINARY}/pip.log" runs)
if(NOT runs STREQUAL "run")
  message(FATAL_ERROR "pip ran more than once: ${runs}")
endif()
expect_trees(cuda-13.5 cuda-13.5-cublas)
