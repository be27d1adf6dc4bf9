# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

include_guard(GLOBAL)
include("${CMAKE_CURRENT_LIST_DIR}/../compare.cmake")

# archgrid_edit_case(<case> <file> <schema>)
#
# Writes whole.json with the edit of <case> to <file>, and sets <schema> to whether the JSON Schema
# can reject it, too: `refuses`, or `cannot know` if only the data table or other parts of the file
# reveal the error. The case sets `replace`, a text that occurs once in whole.json, `with`, and
# `schema` unless it is `refuses`.
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
