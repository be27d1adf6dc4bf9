# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

# Checks that SIGKILL during a download leaves no tree, and that the next run cleans up and
# succeeds.
include("${CASE_SOURCE}/../support/stage.cmake")
stage_toolkit("${CASE_BINARY}/index")
stage_pip("mkdir -p \"$target/nvidia/cu13/bin\"" "echo half >\"$target/nvidia/cu13/bin/nvcc\""
  "echo $$ >'${CASE_BINARY}/pip.pid'" "exec sleep 60")
execute_process(
  COMMAND "${CMAKE_COMMAND}" -E env "PATH=${stage_bin}:$ENV{PATH}" "ARCHGRID_TOOLKITS=${stage_toolkits}"
    bash -c "\"$@\" >/dev/null 2>&1 &
      fetch=$!
      for _ in $(seq 400); do [ -s '${CASE_BINARY}/pip.pid' ] && break; sleep 0.05; done
      kill -9 $fetch
      wait $fetch
      kill -9 $(cat '${CASE_BINARY}/pip.pid')" bash
    "${CMAKE_COMMAND}" "-DARCHGRID_MODULES=${ARCHGRID_MODULES}" -DQUESTION=fetch -DVERSION=13.5 -P
    "${stage_support}/ask.cmake"
  COMMAND_ERROR_IS_FATAL ANY ERROR_QUIET)
file(GLOB partial "${stage_toolkits}/.partial-*")
if(EXISTS "${stage_toolkits}/cuda-13.5" OR NOT partial)
  message(FATAL_ERROR "expected a partial tree only, found \"${partial}\"")
endif()
ask(not_found find 13.5)
expect(not_found 0 "FOUND=FALSE")
stage_pip()
ask(next fetch 13.5)
expect(next 0 "removing what an interrupted fetch left" "FETCHED=TRUE")
expect_trees(cuda-13.5)
