# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0
include("${ARCHGRID_MODULES}/archgrid/detail/gpu_test_list.cmake")

foreach(value IN ITEMS "plain" "a;b" "[x]" "]]" "]=]" "]==]" "ends in ]" "ends in ]=" "\"quoted\""
  "\\back\\" "\${VAR}" "")
  _archgrid_bracket("${value}" argument)
  _archgrid_write_list("${CASE_BINARY}/list.cmake" "set(got ${argument})\n")
  include("${CASE_BINARY}/list.cmake")
  if(NOT "x${got}" STREQUAL "x${value}")
    message(SEND_ERROR "'${value}' came back as '${got}'")
  endif()
endforeach()
