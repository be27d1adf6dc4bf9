# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

include_guard(GLOBAL)

# Enables tests in the calling folder and in those above it, each when CMake has finished that
# folder: without enable_testing(), which projects easily forget, ctest at the top of the build tree
# finds no test and passes.
function(_archgrid_enable_testing)
  set(folder "${CMAKE_CURRENT_SOURCE_DIR}")
  while(folder)
    get_property(is_enabled DIRECTORY "${folder}" PROPERTY ARCHGRID_TESTING)
    if(NOT is_enabled)
      set_property(DIRECTORY "${folder}" PROPERTY ARCHGRID_TESTING TRUE)
      cmake_language(DEFER DIRECTORY "${folder}" CALL enable_testing)
    endif()
    get_property(folder DIRECTORY "${folder}" PROPERTY PARENT_DIRECTORY)
  endwhile()
endfunction()
