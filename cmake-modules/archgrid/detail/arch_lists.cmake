# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

# Reads lists of architectures in the spellings of other build systems.
include_guard(GLOBAL)
include("${CMAKE_CURRENT_LIST_DIR}/data.cmake")

# Sets OUT to the devices that TEXTS name, each one or several with commas between them. WHAT begins
# the error for one that does not exist.
function(_archgrid_read_devices what texts out)
  set(devices "")
  string(REPLACE "," ";" texts "${texts}")
  foreach(text IN LISTS texts)
    string(STRIP "${text}" text)
    if(text STREQUAL "")
      continue()
    endif()
    _archgrid_data_device_named(device "${text}")
    if(NOT device)
      _archgrid_unknown_gpu(fix "${text}")
      message(FATAL_ERROR "${what}: there is no GPU \"${text}\". ${fix}")
    endif()
    list(APPEND devices ${device})
  endforeach()
  set(${out} "${devices}" PARENT_SCOPE)
endfunction()

# Reports whether each of TEXTS names GPUs, with commas between them.
function(_archgrid_are_devices texts out)
  set(${out} TRUE PARENT_SCOPE)
  string(REPLACE "," ";" texts "${texts}")
  foreach(text IN LISTS texts)
    string(STRIP "${text}" text)
    _archgrid_data_device_named(device "${text}")
    if(NOT device)
      set(${out} FALSE PARENT_SCOPE)
    endif()
  endforeach()
endfunction()

# Sets OUT to what to write instead of TEXT, which names no GPU.
function(_archgrid_unknown_gpu out text)
  _archgrid_data_product_meant(product device "${text}")
  if(product)
    set(${out} "Write \"${product}\" or ${device}." PARENT_SCOPE)
    return()
  endif()
  _archgrid_data_devices(known)
  list(JOIN known " " known)
  set(${out} "Write a compute capability or a name like H100. Compute capabilities: ${known}" PARENT_SCOPE)
endfunction()

# Sets OUT to CMake's form of a value of TORCH_CUDA_ARCH_LIST, and ERROR_OUT to the error or to
# nothing. Entries are separated by semicolons, commas or spaces: 8.0, 9.0a, 8.6+PTX, a name of
# PyTorch's like Ampere or Volta+Tegra, All, Common or Auto.
# Source: torch/utils/cpp_extension.py, _get_cuda_arch_flags; cmake/Modules_CUDA_fix,
# select_compute_arch.
function(_archgrid_read_torch_list text out error_out)
  set(names Kepler+Tesla Kepler Maxwell+Tegra Maxwell Pascal Volta+Tegra Volta Turing Ampere+Tegra Ampere Ada Hopper
    Blackwell+Tegra Blackwell)
  set(meanings 3.7 "3.5+PTX" 5.3 "5.0 5.2+PTX" "6.0 6.1+PTX" 7.2 "7.0+PTX" "7.5+PTX"
    8.7 "8.0 8.6+PTX" "8.9+PTX" "9.0+PTX" 11.0 "10.0 10.3 12.0 12.1+PTX")
  set(${out} "" PARENT_SCOPE)
  set(${error_out} "" PARENT_SCOPE)
  string(TOLOWER "${text}" whole)
  string(STRIP "${whole}" whole)
  if(whole MATCHES "^(all|common|auto)$")
    string(REPLACE "common" "all-major" whole "${whole}")
    string(REPLACE "auto" "native" whole "${whole}")
    set(${out} "${whole}" PARENT_SCOPE)
    return()
  endif()
  foreach(name meaning IN ZIP_LISTS names meanings)
    string(REGEX REPLACE "[+]" "[+]" regex "${name}")
    string(REGEX REPLACE "(^|[ ;,])${regex}([ ;,]|$)" "\\1${meaning}\\2" text "${text}")
  endforeach()
  string(REGEX MATCHALL "[^ \t;,]+" entries "${text}")
  set(archs "")
  foreach(entry IN LISTS entries)
    if(NOT entry MATCHES "^([0-9]+)\\.([0-9])([af]?)(\\+PTX)?$")
      list(JOIN names " " names)
      set(${error_out}
        "\"${entry}\" is no entry of it. Write 8.0, 9.0a, 8.6+PTX or a name: ${names} All Common Auto" PARENT_SCOPE)
      return()
    endif()
    set(arch "${CMAKE_MATCH_1}${CMAKE_MATCH_2}${CMAKE_MATCH_3}")
    if(NOT CMAKE_MATCH_4)
      string(APPEND arch "-real")
    endif()
    list(APPEND archs "${arch}")
  endforeach()
  list(REMOVE_DUPLICATES archs)
  set(${out} "${archs}" PARENT_SCOPE)
endfunction()

# Sets ERROR_OUT to the first of ARCHS that TOOLKIT cannot compile, with the toolkits that can, or
# to nothing.
function(_archgrid_refuse_archs archs toolkit error_out)
  set(${error_out} "" PARENT_SCOPE)
  foreach(arch IN LISTS archs)
    if(arch MATCHES "^([0-9]+[af]?)(-real|-virtual)?$")
      set(name "${CMAKE_MATCH_1}")
      _archgrid_data_toolkits_for(toolkits "${name}")
      if(NOT toolkit IN_LIST toolkits)
        list(JOIN toolkits ", " toolkits)
        string(REGEX REPLACE "^$" "none" toolkits "${toolkits}")
        set(${error_out} "CUDA ${toolkit} cannot compile for ${name}. Toolkits that can: ${toolkits}" PARENT_SCOPE)
        return()
      endif()
    endif()
  endforeach()
endfunction()
