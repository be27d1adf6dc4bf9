# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

include_guard(GLOBAL)
include("${CMAKE_CURRENT_LIST_DIR}/../../cmake-modules/archgrid/detail/data.cmake")

# archgrid_write_large_matrix(<file> <least> <cells>)
#
# Writes a matrix file with at least <least> cells to <file> and sets <cells> to their number. The
# cells are variants of CUDA 12.9, each with every arch that it supports, as SASS and PTX and as PTX
# alone.
function(archgrid_write_large_matrix file least cells)
  _archgrid_data_toolkit(table 12.9)
  set(archs ${table_ARCHS} ${table_SUFFIXED})
  set(virtual ${archs})
  list(TRANSFORM virtual APPEND "-virtual")
  list(APPEND archs ${virtual})
  list(LENGTH archs each)
  list(JOIN archs "\", \"" archs)
  set(toolkits "")
  set(count 0)
  while(count LESS least)
    string(APPEND toolkits ",\n  {\"cuda\": \"12.9\", \"variant\": \"v${count}\", \"archs\": [\"${archs}\"]}")
    math(EXPR count "${count} + ${each} + 1")
  endwhile()
  string(SUBSTRING "${toolkits}" 1 -1 toolkits)
  file(WRITE "${file}" "{\"name\": \"large\", \"toolkits\": [${toolkits}\n],\n"
                       "\"promises\": [{\"devices\": [\"9.0\", \"10.0\"]}],\n"
                       "\"runners\": {\"9.0\": [\"gpu\", \"sm90\"]}}\n")
  set(${cells} ${count} PARENT_SCOPE)
endfunction()
