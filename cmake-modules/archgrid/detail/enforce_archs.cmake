# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

# Included by the first project() call of a cell whose matrix file says "enforce_archs": true. Gives every target of the
# project the archs of the cell (ARCHGRID_ENFORCED_ARCHS, a cache entry), when the project has defined all its targets.
include_guard(GLOBAL)

# Sets CUDA_ARCHITECTURES of every target that is defined in FOLDER or below it.
function(_archgrid_enforce_archs folder)
  get_property(targets DIRECTORY "${folder}" PROPERTY BUILDSYSTEM_TARGETS)
  foreach(target IN LISTS targets)
    get_target_property(type "${target}" TYPE)
    if(type MATCHES "^(EXECUTABLE|(STATIC|SHARED|MODULE|OBJECT)_LIBRARY)$")
      set_target_properties("${target}" PROPERTIES CUDA_ARCHITECTURES "$CACHE{ARCHGRID_ENFORCED_ARCHS}")
    endif()
  endforeach()
  get_property(subfolders DIRECTORY "${folder}" PROPERTY SUBDIRECTORIES)
  foreach(subfolder IN LISTS subfolders)
    _archgrid_enforce_archs("${subfolder}")
  endforeach()
endfunction()

cmake_language(DEFER DIRECTORY "${CMAKE_SOURCE_DIR}" CALL _archgrid_enforce_archs "${CMAKE_SOURCE_DIR}")
