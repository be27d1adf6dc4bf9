# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

include_guard(GLOBAL)

# Writes ArchGridConfig.cmake and ArchGridTargets.cmake to FOLDER, with which ArchGrid_DIR=FOLDER
# lets a cell find the host libraries TARGETS, and adds the target archgrid_package, which builds
# them.
function(_archgrid_write_package folder)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "TARGETS")
  if(arg_UNPARSED_ARGUMENTS OR NOT arg_TARGETS)
    message(FATAL_ERROR "_archgrid_write_package(<folder> TARGETS <target>...): got '${ARGV}'")
  endif()
  cmake_path(SET modules NORMALIZE "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/../..")
  set(harness "${PROJECT_SOURCE_DIR}/harness")
  configure_file("${modules}/ArchGridConfig.cmake.in" "${folder}/ArchGridConfig.cmake" @ONLY)
  export(TARGETS ${arg_TARGETS} NAMESPACE archgrid:: FILE "${folder}/ArchGridTargets.cmake")
  add_custom_target(archgrid_package)
  foreach(target IN LISTS arg_TARGETS)
    get_target_property(type ${target} TYPE)
    if(NOT type STREQUAL "INTERFACE_LIBRARY")
      add_dependencies(archgrid_package ${target})
    endif()
  endforeach()
endfunction()
