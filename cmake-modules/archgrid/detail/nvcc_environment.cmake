# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

# Flags that nvcc takes from the environment, unseen by CMake and by whoever reads a command. Cells are built without
# them: -gencode among them would add architectures on this machine that the project does not ship.
include_guard(GLOBAL)

# Removes the variables from the environment of this script and of what it runs.
function(_archgrid_drop_nvcc_flags)
  foreach(variable IN ITEMS NVCC_PREPEND_FLAGS NVCC_APPEND_FLAGS)
    unset(ENV{${variable}})
  endforeach()
endfunction()

# Notes the variables that are set.
function(_archgrid_note_nvcc_flags)
  foreach(variable IN ITEMS NVCC_PREPEND_FLAGS NVCC_APPEND_FLAGS)
    if(NOT "$ENV{${variable}}" STREQUAL "")
      message(STATUS "${variable}=$ENV{${variable}} of the environment is ignored in cells. Flags for cells stand in the matrix file: \"definitions\": {\"CMAKE_CUDA_FLAGS\": \"...\"}")
    endif()
  endforeach()
endfunction()
