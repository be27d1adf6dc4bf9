# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0
#
# Replaces placeholders in the values of "definitions": @WORD@ stands for the archs of each cell, in
# one of the spellings that CUDA projects use. docs/matrix-file.md lists them.

include_guard(GLOBAL)
include("${CMAKE_CURRENT_LIST_DIR}/data.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/matrix_json.cmake")

# _archgrid_matrix_lists(<out>)
#
# Sets <out> to the words that stand for lists, each of which also exists with _COMMA and _SPACE.
function(_archgrid_matrix_lists out)
  set(${out} ARCHS REAL_ARCHS VIRTUAL_ARCHS CAPABILITIES REAL_CAPABILITIES VIRTUAL_CAPABILITIES SM
    CMAKE_ARCHS PARENT_SCOPE)
endfunction()

# _archgrid_matrix_check_placeholders(<path> <value>)
#
# Fails for the first @WORD@ of the value that is not a placeholder. Any other @ is literal.
function(_archgrid_matrix_check_placeholders path value)
  _archgrid_matrix_lists(lists)
  string(REGEX MATCHALL "@[A-Za-z][A-Za-z0-9_]*@" words "${value}")
  foreach(word IN LISTS words)
    string(REPLACE "@" "" word "${word}")
    string(REGEX REPLACE "_(COMMA|SPACE)$" "" list "${word}")
    if(NOT list IN_LIST lists AND NOT word MATCHES "^(GENCODE|GENCODE_LIST|AT)$")
      _archgrid_matrix_fail_placeholder("${path}" "${word}" ${lists})
    endif()
  endforeach()
endfunction()

# Ends with an error about an unknown placeholder. ARGN has the words that stand for lists.
function(_archgrid_matrix_fail_placeholder path word)
  set(known ${ARGN} GENCODE GENCODE_LIST AT)
  string(TOUPPER "${word}" upper)
  _archgrid_matrix_nearest(nearest "${upper}" ${known})
  set(suggestion "")
  if(nearest)
    set(suggestion "write @${nearest}@? ")
  endif()
  list(TRANSFORM ARGN REPLACE "(.+)" "@\\1@")
  list(JOIN ARGN " " lists)
  _archgrid_matrix_fail("${path}" "unknown placeholder @${word}@"
                        "${suggestion}known: ${lists}, each also with _COMMA and _SPACE (@ARCHS_COMMA@); @GENCODE@ @GENCODE_LIST@; @AT@ for a literal @")
endfunction()

# _archgrid_matrix_spell_archs(<prefix> <arch>...)
#
# Sets <prefix>_<word> to the value of each placeholder in a cell with these archs.
function(_archgrid_matrix_spell_archs prefix)
  _archgrid_matrix_lists(lists)
  foreach(list IN LISTS lists ITEMS GENCODE_LIST)
    set(list_${list} "")
  endforeach()
  set(list_CMAKE_ARCHS ${ARGN})
  foreach(arch IN LISTS ARGN)
    string(REGEX MATCH "^([0-9]+)([af]?)(-real|-virtual)?$" form "${arch}")
    set(number "${CMAKE_MATCH_1}${CMAKE_MATCH_2}")
    set(suffix "${CMAKE_MATCH_2}")
    set(kind "${CMAKE_MATCH_3}")
    _archgrid_data_architecture(row "${CMAKE_MATCH_1}")
    set(capability "${row_DEVICE}${suffix}")
    set(ptx "+PTX")
    if(kind STREQUAL "-real")
      set(ptx "")
    endif()
    list(APPEND list_ARCHS ${number})
    list(APPEND list_SM sm_${number})
    list(APPEND list_CAPABILITIES ${capability}${ptx})
    if(NOT kind STREQUAL "-virtual")
      list(APPEND list_REAL_ARCHS ${number})
      list(APPEND list_REAL_CAPABILITIES ${capability})
      list(APPEND list_GENCODE_LIST "-gencode=arch=compute_${number},code=sm_${number}")
    endif()
    if(NOT kind STREQUAL "-real")
      list(APPEND list_VIRTUAL_ARCHS ${number})
      list(APPEND list_VIRTUAL_CAPABILITIES ${capability})
      list(APPEND list_GENCODE_LIST "-gencode=arch=compute_${number},code=compute_${number}")
    endif()
  endforeach()
  foreach(list IN LISTS lists)
    set(${prefix}_${list} "${list_${list}}" PARENT_SCOPE)
    list(JOIN list_${list} "," joined)
    set(${prefix}_${list}_COMMA "${joined}" PARENT_SCOPE)
    list(JOIN list_${list} " " joined)
    set(${prefix}_${list}_SPACE "${joined}" PARENT_SCOPE)
  endforeach()
  list(JOIN list_GENCODE_LIST " " joined)
  set(${prefix}_GENCODE "${joined}" PARENT_SCOPE)
  set(${prefix}_GENCODE_LIST "${list_GENCODE_LIST}" PARENT_SCOPE)
  set(${prefix}_AT "@" PARENT_SCOPE)
endfunction()

# _archgrid_matrix_fill(<out> <value> <spelled>)
#
# Sets <out> to <value> with its placeholders, which were validated before, replaced by the
# variables <spelled>_<word> of the caller. Does not replace placeholders in these values.
function(_archgrid_matrix_fill out value spelled)
  set(filled "")
  while(value MATCHES "@([A-Za-z][A-Za-z0-9_]*)@")
    set(placeholder "${CMAKE_MATCH_0}")
    set(word "${CMAKE_MATCH_1}")
    string(FIND "${value}" "${placeholder}" start)
    string(LENGTH "${placeholder}" length)
    math(EXPR end "${start} + ${length}")
    string(SUBSTRING "${value}" 0 ${start} before)
    string(SUBSTRING "${value}" ${end} -1 value)
    string(APPEND filled "${before}${${spelled}_${word}}")
  endwhile()
  set(${out} "${filled}${value}" PARENT_SCOPE)
endfunction()

# _archgrid_matrix_check_sayable(<path> <value> <all_values> <cell> <arch>...)
#
# Fails if the value passes the archs of <cell> in a spelling that cannot express one of them. PTX
# alone cannot be written as a number, as sm_90 or in PyTorch's list. A list of archs with machine
# code omits it, which is an error unless one of <all_values> of the cell names the archs with PTX.
function(_archgrid_matrix_check_sayable path value all_values cell)
  if(NOT ARGN MATCHES "(^|;)([0-9]+[af]?)-virtual")
    return()
  endif()
  set(number "${CMAKE_MATCH_2}")
  string(REGEX MATCHALL "@[A-Za-z][A-Za-z0-9_]*@" words "${value}")
  string(REGEX MATCHALL "@[A-Za-z][A-Za-z0-9_]*@" all_words "${all_values}")
  list(FILTER all_words INCLUDE REGEX "^@(VIRTUAL_|GENCODE|CMAKE_)")
  foreach(word IN LISTS words)
    set(reason "")
    if(word MATCHES "^@(ARCHS|CAPABILITIES|SM)(_COMMA|_SPACE)?@$")
      set(reason "${word} cannot say it")
    elseif(word MATCHES "^@REAL_" AND NOT all_words)
      set(reason "${word} leaves it out, and no other value names it")
    endif()
    if(reason)
      _archgrid_matrix_fail("${path}" "\"${number}-virtual\" of the cell ${cell} is PTX alone: ${reason}"
                            "write \"${number}\" or \"${number}-real\" in \"archs\", or hand it over by @VIRTUAL_ARCHS@, @VIRTUAL_CAPABILITIES@, @GENCODE@ or @CMAKE_ARCHS@")
    endif()
  endforeach()
endfunction()
