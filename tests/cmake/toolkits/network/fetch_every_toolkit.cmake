# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

# Every toolkit that can be fetched, fetched into an empty cache from where it really is.
include("${CASE_SOURCE}/../support/stage.cmake")
include("${ARCHGRID_MODULES}/archgrid/detail/toolkit_row.cmake")
_archgrid_fetchable_toolkits(versions)
foreach(version IN LISTS versions)
  ask(answer fetch "${version}")
  expect(answer 0 "FETCHED=TRUE" "ROOT=${stage_toolkits}/cuda-${version} ")
  expect_trees("cuda-${version}")
  file(REMOVE_RECURSE "${stage_toolkits}/cuda-${version}")
endforeach()
