# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

# Makes foreign text valid UTF-8. CMake's strings are bytes, and output of compilers may have any
# encoding.
include_guard(GLOBAL)

# Sets OUT to a regular expression's class of the bytes FIRST to LAST, hexadecimal numbers.
function(_archgrid_byte_class first last out)
  math(EXPR first "0x${first}")
  math(EXPR last "0x${last}")
  string(ASCII ${first} first)
  string(ASCII ${last} last)
  set(${out} "[${first}-${last}]" PARENT_SCOPE)
endfunction()

# Sets OUT to TEXT, which must not contain U+0001, with U+FFFD in place of each byte that is not
# UTF-8.
function(_archgrid_replace_invalid_utf8 text out)
  _archgrid_byte_class(80 FF high)
  if(text MATCHES "${high}")
    # Mark every byte beyond ASCII, then remove the marks from well-formed sequences: table 3-7 of
    # the Unicode Standard.
    string(ASCII 1 mark)
    string(REGEX REPLACE "(${high})" "${mark}\\1" text "${text}")
    foreach(form IN ITEMS "C2-DF 80-BF" "E0-E0 A0-BF 80-BF" "E1-EC 80-BF 80-BF" "ED-ED 80-9F 80-BF" "EE-EF 80-BF 80-BF"
        "F0-F0 90-BF 80-BF 80-BF" "F1-F3 80-BF 80-BF 80-BF" "F4-F4 80-8F 80-BF 80-BF")
      set(regex "")
      set(bytes "")
      string(REGEX MATCHALL "[^ ]+" ranges "${form}")
      set(number 0)
      foreach(range IN LISTS ranges)
        math(EXPR number "${number} + 1")
        string(REGEX MATCH "(.*)-(.*)" range "${range}")
        _archgrid_byte_class(${CMAKE_MATCH_1} ${CMAKE_MATCH_2} class)
        string(APPEND regex "${mark}(${class})")
        string(APPEND bytes "\\${number}")
      endforeach()
      string(REGEX REPLACE "${regex}" "${bytes}" text "${text}")
    endforeach()
    string(ASCII 239 191 189 replacement)
    string(REGEX REPLACE "${mark}${high}" "${replacement}" text "${text}")
  endif()
  set(${out} "${text}" PARENT_SCOPE)
endfunction()

# Sets OUT to TEXT without the incomplete UTF-8 character at its end that a cut may have left.
function(_archgrid_drop_partial_utf8 text out)
  _archgrid_byte_class(80 BF next)
  _archgrid_byte_class(C2 DF two)
  _archgrid_byte_class(E0 EF three)
  _archgrid_byte_class(F0 F4 four)
  string(REGEX REPLACE "(${two}|${three}${next}?|${four}${next}?${next}?)$" "" text "${text}")
  set(${out} "${text}" PARENT_SCOPE)
endfunction()
