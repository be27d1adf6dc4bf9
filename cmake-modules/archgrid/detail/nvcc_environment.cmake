# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

# Flags that nvcc, and CMake for it, take from the environment, unseen by whoever reads a command. Cells are built without
# them: -gencode among them would add architectures on this machine that the project does not ship.
include_guard(GLOBAL)
set(_archgrid_nvcc_variables NVCC_PREPEND_FLAGS NVCC_APPEND_FLAGS CUDAFLAGS CUDAARCHS)

# Removes the variables from the environment of this script and of what it runs.
function(_archgrid_drop_nvcc_flags)
  foreach(variable IN LISTS _archgrid_nvcc_variables)
    unset(ENV{${variable}})
  endforeach()
endfunction()

# Notes the variables that are set.
function(_archgrid_note_nvcc_flags)
  foreach(variable IN LISTS _archgrid_nvcc_variables)
    if(NOT "$ENV{${variable}}" STREQUAL "")
      set(instead "Flags for cells stand in the matrix file: \"definitions\": {\"CMAKE_CUDA_FLAGS\": \"...\"}")
      if(variable STREQUAL "CUDAARCHS")
        set(instead "Architectures of cells stand in the matrix file: \"archs\"")
      endif()
      message(STATUS "${variable}=$ENV{${variable}} of the environment is ignored in cells. ${instead}")
    endif()
  endforeach()
endfunction()
