# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

# Masks foreign text in CMake lists, where brackets, semicolons and backslashes would join or split
# items.
include_guard(GLOBAL)

# Sets OUT to TEXT with control characters instead of the characters that are list syntax.
function(_archgrid_mask_list_syntax text out)
  foreach(code IN ITEMS 1 2 3 4)
    string(ASCII ${code} mask_${code})
  endforeach()
  string(REPLACE "[" "${mask_1}" text "${text}")
  string(REPLACE "]" "${mask_2}" text "${text}")
  string(REPLACE ";" "${mask_3}" text "${text}")
  string(REPLACE "\\" "${mask_4}" text "${text}")
  set(${out} "${text}" PARENT_SCOPE)
endfunction()

# Sets OUT to the text from which _archgrid_mask_list_syntax() made TEXT.
function(_archgrid_unmask_list_syntax text out)
  foreach(code IN ITEMS 1 2 3 4)
    string(ASCII ${code} mask_${code})
  endforeach()
  string(REPLACE "${mask_1}" "[" text "${text}")
  string(REPLACE "${mask_2}" "]" text "${text}")
  string(REPLACE "${mask_3}" ";" text "${text}")
  string(REPLACE "${mask_4}" "\\" text "${text}")
  set(${out} "${text}" PARENT_SCOPE)
endfunction()
