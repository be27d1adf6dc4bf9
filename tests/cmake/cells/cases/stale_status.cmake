# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

# Checks that a built cell becomes stale if the tree is configured with other inputs, and is built
# again if they return, with everything else in its status unchanged. Other statuses stay.
include("${ARCHGRID_MODULES}/archgrid/detail/cell_status.cmake")
set(file "${CASE_BINARY}/cells/one.json")

# Fails unless the cell of STATUS, built with the inputs a, has EXPECTED after the tree is
# configured with INPUTS.
function(expect status inputs expected)
  _archgrid_write_cell_status("${file}" ID one STATUS ${status} SIGNATURE a ARTIFACTS app "x;y"
    NOTES "\"status\": \"built\"")
  file(READ "${file}" before)
  file(WRITE "${CASE_BINARY}/cells/one.signature" "${inputs}")
  _archgrid_mark_if_stale("${CASE_BINARY}" one)
  file(READ "${file}" after)
  string(REPLACE "  \"status\": \"${status}\"," "  \"status\": \"${expected}\"," wanted "${before}")
  if(NOT after STREQUAL wanted)
    message(SEND_ERROR "${status}, built with a and configured with ${inputs}, is not ${expected}:\n${after}")
  endif()
endfunction()

expect(built a built)
expect(built b stale)
expect(stale b stale)
expect(stale a built)
expect(failed b failed)
expect(edited b edited)
expect(edited a edited)
expect(building b building)

# A cell that was never built has no status.
file(REMOVE "${file}")
_archgrid_mark_if_stale("${CASE_BINARY}" one)
if(EXISTS "${file}")
  message(SEND_ERROR "a cell that was never built got a status")
endif()
