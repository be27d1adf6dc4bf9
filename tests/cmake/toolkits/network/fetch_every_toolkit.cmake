# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

# Fetches every fetchable toolkit into an empty cache, from its real origin.
include("${CASE_SOURCE}/../support/stage.cmake")
include("${ARCHGRID_MODULES}/archgrid/detail/toolkit_row.cmake")
_archgrid_fetchable_toolkits(versions)
foreach(version IN LISTS versions)
  ask(answer fetch "${version}")
  expect(answer 0 "FETCHED=TRUE" "ROOT=${stage_toolkits}/cuda-${version} ")
  expect_trees("cuda-${version}")
  # Some parts of a toolkit are separate packages.
  file(GLOB_RECURSE headers "${stage_toolkits}/cuda-${version}/*/cuda_profiler_api.h")
  if(headers STREQUAL "")
    message(FATAL_ERROR "CUDA ${version} was fetched without cuda_profiler_api.h")
  endif()
  file(REMOVE_RECURSE "${stage_toolkits}/cuda-${version}")
endforeach()
