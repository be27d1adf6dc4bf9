# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

include_guard(GLOBAL)
set_property(GLOBAL PROPERTY archgrid_case_folder "${CMAKE_CURRENT_LIST_DIR}")

# archgrid_add_cmake_cases(<name> [FOLDER <folder>] [LABELS <label>...] [TIMEOUT <seconds>])
#
# Registers a test for each case of a folder; CMakeLists.txt beside this file describes cases. All
# tests have the label `cmake`. Fails for a folder without a case.
function(archgrid_add_cmake_cases name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "FOLDER;TIMEOUT" "LABELS")
  if(DEFINED arg_UNPARSED_ARGUMENTS OR DEFINED arg_KEYWORDS_MISSING_VALUES)
    message(FATAL_ERROR "archgrid_add_cmake_cases(${name}): unknown or empty arguments:"
                        " ${arg_UNPARSED_ARGUMENTS} ${arg_KEYWORDS_MISSING_VALUES}")
  endif()
  get_property(here GLOBAL PROPERTY archgrid_case_folder)
  if(NOT DEFINED arg_FOLDER)
    set(arg_FOLDER "${CMAKE_CURRENT_SOURCE_DIR}/${name}")
  endif()
  if(NOT DEFINED arg_TIMEOUT)
    set(arg_TIMEOUT 120)
  endif()
  file(GLOB cases CONFIGURE_DEPENDS "${arg_FOLDER}/*.cmake" "${arg_FOLDER}/*/CMakeLists.txt")
  if(cases STREQUAL "")
    message(FATAL_ERROR "archgrid_add_cmake_cases(${name}): ${arg_FOLDER} holds no case")
  endif()
  foreach(case IN LISTS cases)
    string(REGEX REPLACE "/CMakeLists.txt$" "" case "${case}")
    get_filename_component(case_name "${case}" NAME_WE)
    add_test(NAME cmake/${name}/${case_name}
             COMMAND "${CMAKE_COMMAND}" "-DCASE=${case}"
             "-DCASE_BINARY=${CMAKE_CURRENT_BINARY_DIR}/cases/${name}/${case_name}"
                     "-DARCHGRID_SOURCE=${here}/../.." -P "${here}/run_case.cmake")
    set_tests_properties(cmake/${name}/${case_name} PROPERTIES LABELS "cmake;${arg_LABELS}" TIMEOUT ${arg_TIMEOUT})
  endforeach()
endfunction()
