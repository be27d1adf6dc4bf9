# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0
#
#   cmake -DFOLDER=<folder> -P write_edits.cmake
#
# Writes whole.json with the edit of each case of refused/ to <folder>/refuses/<case>.json, or to
# <folder>/cannot-know/<case>.json if the JSON Schema cannot detect the error.

cmake_minimum_required(VERSION 3.25...4.0)
include("${CMAKE_CURRENT_LIST_DIR}/edit_case.cmake")

file(GLOB cases "${CMAKE_CURRENT_LIST_DIR}/refused/*.cmake")
foreach(case IN LISTS cases)
  get_filename_component(name "${case}" NAME_WE)
  archgrid_edit_case("${case}" "${FOLDER}/edited.json" schema)
  string(REPLACE " " "-" folder "${schema}")
  file(MAKE_DIRECTORY "${FOLDER}/${folder}")
  file(RENAME "${FOLDER}/edited.json" "${FOLDER}/${folder}/${name}.json")
endforeach()
