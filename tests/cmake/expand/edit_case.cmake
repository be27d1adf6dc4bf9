# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

include_guard(GLOBAL)
include("${CMAKE_CURRENT_LIST_DIR}/../compare.cmake")

# archgrid_edit_case(<case> <file> <schema>)
#
# Write whole.json with the one edit of <case> to <file>, and set <schema> to whether the JSON Schema can refuse it
# too: `refuses`, or `cannot know` where only the data table or other parts of the file tell. The case sets
# `replace`, a text that whole.json holds once, `with`, and `schema` unless it is `refuses`.
function(archgrid_edit_case case file schema_out)
  set(schema refuses)
  set(with "")
  include("${case}")
  file(READ "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/whole.json" whole)
  string(FIND "${whole}" "${replace}" first)
  string(FIND "${whole}" "${replace}" last REVERSE)
  if(first EQUAL -1 OR NOT first EQUAL last)
    message(FATAL_ERROR "${case}: whole.json should hold this text once: ${replace}")
  endif()
  string(REPLACE "${replace}" "${with}" edited "${whole}")
  file(WRITE "${file}" "${edited}")
  set(${schema_out} "${schema}" PARENT_SCOPE)
endfunction()
