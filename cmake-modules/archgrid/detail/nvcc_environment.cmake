# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

# Removes flags that nvcc, and CMake for nvcc, read from the environment and that no command line
# shows. Cells are built without them: a -gencode there would add architectures on this machine that
# the project does not ship.
include_guard(GLOBAL)
# A property, as functions are called in other scopes than the module was included in.
set_property(GLOBAL PROPERTY ARCHGRID_NVCC_VARIABLES NVCC_PREPEND_FLAGS NVCC_APPEND_FLAGS CUDAFLAGS CUDAARCHS)

# Removes the variables from the environment of this script and its child processes.
function(_archgrid_drop_nvcc_flags)
  get_property(variables GLOBAL PROPERTY ARCHGRID_NVCC_VARIABLES)
  foreach(variable IN LISTS variables)
    unset(ENV{${variable}})
  endforeach()
endfunction()

# Reports the variables that are set.
function(_archgrid_note_nvcc_flags)
  get_property(variables GLOBAL PROPERTY ARCHGRID_NVCC_VARIABLES)
  foreach(variable IN LISTS variables)
    if(NOT "$ENV{${variable}}" STREQUAL "")
      set(instead "Flags for cells stand in the matrix file: \"definitions\": {\"CMAKE_CUDA_FLAGS\": \"...\"}")
      if(variable STREQUAL "CUDAARCHS")
        set(instead "Architectures of cells stand in the matrix file: \"archs\"")
      endif()
      message(STATUS "${variable}=$ENV{${variable}} of the environment is ignored in cells. ${instead}")
    endif()
  endforeach()
endfunction()
