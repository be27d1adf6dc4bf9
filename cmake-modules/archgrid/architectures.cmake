# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

include_guard(GLOBAL)
include("${CMAKE_CURRENT_LIST_DIR}/expand.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/promise.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/detail/arch_lists.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/detail/data.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/detail/host_compiler.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/detail/probe_toolkit.cmake")

#[=======================================================================[.rst:
archgrid_architectures
----------------------

Sets a variable to the architectures that keep a promise, in the form of CMAKE_CUDA_ARCHITECTURES::

  archgrid_architectures(<variable> [DEVICES <GPU>...] [TOOLKIT <X.Y>] [PTX <newest|none|all>])

For example, before CUDA is enabled::

  project(mylib LANGUAGES CXX)
  find_package(ArchGrid REQUIRED)
  archgrid_promise(DEVICES 8.0 8.6 9.0)
  archgrid_architectures(CMAKE_CUDA_ARCHITECTURES)   # 80-real;86-real;90
  enable_language(CUDA)

``DEVICES``
  GPUs as in :command:`archgrid_promise`; default: those that this folder promises. A promise of a
  matrix file has the GPUs that it promises for the toolkit.
``TOOLKIT``
  Default: the CUDA compiler's, else that of the nvcc in CMAKE_CUDA_COMPILER or CUDACXX, else (also
  if that is clang) that of the nvcc in CUDAToolkit_ROOT, on PATH, in CUDA_PATH or in
  /usr/local/cuda.
``PTX``
  ``newest``, the default, adds PTX for the newest architecture, so that later GPUs run; ``all``
  adds it for each, ``none`` for none.

The user's own choice comes first: CMAKE_CUDA_ARCHITECTURES as given to cmake (``-D``, a preset, or
by a cell of a matrix), then CUDAARCHS, then TORCH_CUDA_ARCH_LIST of the environment, in all
spellings that PyTorch accepts (``8.0;8.6+PTX``, ``8.0 9.0a``, ``Ampere``). The build tree remembers
these two, as CMake remembers CUDAARCHS. A warning names the promised GPUs for which this choice
gives no accepted code.

An architecture of its own for each GPU: ``archgrid suggest`` prints the shortest list instead, and
what each entry costs. A GPU that the toolkit cannot compile for is left out, with a warning that
names the first toolkit that can; its audit fails. Errors: no promise and no DEVICES, an unknown
GPU, no toolkit, a CUDA compiler that does not exist, an entry of TORCH_CUDA_ARCH_LIST that does
not exist or that the toolkit cannot compile.
#]=======================================================================]
function(archgrid_architectures out)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "TOOLKIT;PTX" "DEVICES")
  if(arg_UNPARSED_ARGUMENTS OR arg_KEYWORDS_MISSING_VALUES)
    message(FATAL_ERROR
      "archgrid_architectures: unknown or empty arguments: ${arg_UNPARSED_ARGUMENTS} ${arg_KEYWORDS_MISSING_VALUES}. Known: DEVICES <GPU>..., TOOLKIT <X.Y>, PTX <newest|none|all>.")
  endif()
  if("${arg_PTX}" STREQUAL "")
    set(arg_PTX newest)
  elseif(NOT arg_PTX MATCHES "^(newest|none|all)$")
    message(FATAL_ERROR "archgrid_architectures: PTX: unknown value \"${arg_PTX}\". Known: newest, none, all.")
  endif()
  _archgrid_toolkit_at_hand("${arg_TOOLKIT}" toolkit)
  _archgrid_devices_at_hand("${arg_DEVICES}" "${toolkit}" devices accept)
  _archgrid_chosen_architectures("${toolkit}" archs source)
  if(source STREQUAL "")
    _archgrid_architectures_for("${devices}" "${toolkit}" ${arg_PTX} archs)
  else()
    _archgrid_warn_of_unserved("${devices}" "${accept}" "${archs}" "${source}" "${toolkit}")
  endif()
  set(${out} "${archs}" PARENT_SCOPE)
endfunction()

# Sets OUT to the toolkit <X.Y>: ASKED, or the one that will compile CUDA here.
function(_archgrid_toolkit_at_hand asked out)
  if(NOT asked)
    _archgrid_enabled_toolkit(asked)
  endif()
  if(NOT asked)
    _archgrid_toolkit_of_chosen_compiler(asked)
  endif()
  if(NOT asked)
    unset(_archgrid_nvcc) # find_program searches only for an unset variable
    find_program(_archgrid_nvcc nvcc HINTS "${CUDAToolkit_ROOT}/bin" "$ENV{CUDAToolkit_ROOT}/bin" PATHS
      "$ENV{CUDA_PATH}/bin" /usr/local/cuda/bin
      NO_CACHE)
    if(_archgrid_nvcc)
      _archgrid_nvcc_release("${_archgrid_nvcc}" asked)
    endif()
  endif()
  if(NOT asked)
    message(FATAL_ERROR
      "archgrid_architectures: no CUDA compiler is on PATH, in CUDACXX, CUDA_PATH or /usr/local/cuda to name the toolkit. Set CUDACXX, or write TOOLKIT <X.Y>.")
  endif()
  _archgrid_data_toolkit(row "${asked}")
  if(NOT row_FOUND)
    _archgrid_data_toolkits(known)
    list(JOIN known " " known)
    message(FATAL_ERROR "archgrid_architectures: unknown toolkit ${asked}. Known: ${known}")
  endif()
  set(${out} "${asked}" PARENT_SCOPE)
endfunction()

# Sets OUT to the release of the nvcc that CMAKE_CUDA_COMPILER or CUDACXX names; to nothing if
# neither is set or if it is clang, which compiles with the toolkit of an nvcc elsewhere. Fails for
# another program.
function(_archgrid_toolkit_of_chosen_compiler out)
  set(${out} "" PARENT_SCOPE)
  set(variable CMAKE_CUDA_COMPILER)
  set(compiler "${CMAKE_CUDA_COMPILER}")
  if(NOT compiler)
    set(variable CUDACXX)
    separate_arguments(words UNIX_COMMAND PROGRAM "$ENV{CUDACXX}") # may have arguments
    list(POP_FRONT words compiler)
    if(NOT compiler) # it does not exist
      set(compiler "$ENV{CUDACXX}")
    endif()
  endif()
  if("${compiler}" STREQUAL "")
    return()
  endif()
  _archgrid_program("${compiler}" program)
  if(NOT program)
    message(FATAL_ERROR
      "archgrid_architectures: ${variable} is ${compiler}, and there is no such program. Set it to nvcc, or unset it.")
  endif()
  _archgrid_nvcc_release("${program}" release)
  if(NOT release)
    execute_process(COMMAND "${program}" --version OUTPUT_VARIABLE text ERROR_VARIABLE text RESULT_VARIABLE result)
    if(NOT text MATCHES "clang version")
      message(FATAL_ERROR
        "archgrid_architectures: ${variable} is ${compiler}, which is neither nvcc nor clang: ${compiler} --version names no release (${result}). Set it to nvcc, or write TOOLKIT <X.Y>.")
    endif()
  endif()
  set(${out} "${release}" PARENT_SCOPE)
endfunction()

# Sets OUT to the devices that DEVICES name, or else that this folder promises with TOOLKIT,
# ascending, and ACCEPT_OUT to the accepted verdicts.
function(_archgrid_devices_at_hand devices toolkit out accept_out)
  set(accept native compatible)
  set(promise "")
  if(NOT devices)
    _archgrid_find_promise(promise folder)
  endif()
  if(devices)
    _archgrid_read_devices("archgrid_architectures: DEVICES" "${devices}" devices)
  elseif(promise MATCHES "--devices;([^;]*).*--accept;([^;]*)")
    string(REPLACE "," ";" devices "${CMAKE_MATCH_1}")
    string(REPLACE "," ";" accept "${CMAKE_MATCH_2}")
  elseif(promise MATCHES "--matrix;([^;]*);--toolkit;([^;]*)")
    set(matrix "${CMAKE_MATCH_1}")
    set(toolkit "${CMAKE_MATCH_2}") # whose promises the audits judge
    _archgrid_matrix_read_promised("${matrix}" "${toolkit}" devices accept)
    if(NOT devices)
      message(FATAL_ERROR "archgrid_architectures: ${matrix} promises no GPU for CUDA ${toolkit}.")
    endif()
  else()
    message(FATAL_ERROR
      "archgrid_architectures: this folder promises no GPU. Call archgrid_promise(DEVICES <GPU>...) before, or write DEVICES <GPU>...")
  endif()
  list(SORT devices COMPARE NATURAL)
  list(REMOVE_DUPLICATES devices)
  set(${out} "${devices}" PARENT_SCOPE)
  set(${accept_out} "${accept}" PARENT_SCOPE)
endfunction()

# Sets OUT to the devices that the matrix FILE promises in builds of TOOLKIT, and ACCEPT_OUT to the
# verdicts that any of these promises accepts.
function(_archgrid_matrix_read_promised file toolkit out accept_out)
  _archgrid_matrix_read_sections(matrix "${file}")
  _archgrid_matrix_read_exclude(matrix)
  foreach(i RANGE ${matrix_LAST})
    _archgrid_matrix_read_toolkit(matrix ${i})
  endforeach()
  _archgrid_matrix_read_promises(matrix)
  set(accept "")
  _archgrid_matrix_indices(indices "${matrix_promises}")
  foreach(i IN LISTS indices)
    if(toolkit IN_LIST matrix_PROMISE_${i}_TOOLKITS)
      list(APPEND accept ${matrix_PROMISE_${i}_ACCEPT})
    endif()
  endforeach()
  list(REMOVE_DUPLICATES accept)
  set(${out} "${matrix_PROMISED_${toolkit}}" PARENT_SCOPE)
  set(${accept_out} "${accept}" PARENT_SCOPE)
endfunction()

# Sets ARCHS_OUT to the architectures that the user chose, and SOURCE_OUT to the variable that has
# them; both to nothing if it is the project's choice.
function(_archgrid_chosen_architectures toolkit archs_out source_out)
  set(archs "")
  set(source "")
  # CMake itself stores its default, or CUDAARCHS, in the cache with this text.
  get_property(help CACHE CMAKE_CUDA_ARCHITECTURES PROPERTY HELPSTRING)
  set(cached "$CACHE{CMAKE_CUDA_ARCHITECTURES}")
  if(NOT cached STREQUAL "" AND NOT help STREQUAL "CUDA architectures")
    set(archs "${cached}")
    set(source CMAKE_CUDA_ARCHITECTURES)
  else()
    foreach(name IN ITEMS CUDAARCHS TORCH_CUDA_ARCH_LIST)
      string(STRIP "$ENV{${name}}" value)
      if(value STREQUAL "")
        set(value "$CACHE{ARCHGRID_ENVIRONMENT_${name}}")
      endif()
      if(NOT value STREQUAL "" AND source STREQUAL "")
        set(source ${name})
        set(archs "${value}")
        set(ARCHGRID_ENVIRONMENT_${name} "${value}" CACHE INTERNAL "The first configure had it in the environment")
      endif()
    endforeach()
  endif()
  if(source STREQUAL "TORCH_CUDA_ARCH_LIST")
    set(text "${archs}")
    _archgrid_read_torch_list("${text}" archs error)
    if(error STREQUAL "")
      _archgrid_refuse_archs("${archs}" "${toolkit}" error)
    endif()
    if(NOT error STREQUAL "")
      message(FATAL_ERROR "archgrid_architectures: TORCH_CUDA_ARCH_LIST=${text}: ${error}")
    endif()
  endif()
  set(${archs_out} "${archs}" PARENT_SCOPE)
  set(${source_out} "${source}" PARENT_SCOPE)
endfunction()

# Sets OUT to one architecture for each of DEVICES that TOOLKIT can compile for, with PTX. Warns of
# the others.
function(_archgrid_architectures_for devices toolkit ptx out)
  _archgrid_data_toolkit(row "${toolkit}")
  set(archs "")
  foreach(device IN LISTS devices)
    string(REPLACE "." "" number "${device}")
    if(number IN_LIST row_ARCHS)
      list(APPEND archs "${number}")
      continue()
    endif()
    _archgrid_data_toolkits_for(others "${number}")
    list(JOIN others ", " others)
    message(WARNING
      "archgrid_architectures: CUDA ${toolkit} cannot compile for ${device}, which is promised: its audit fails. Toolkits that can: ${others}")
  endforeach()
  if(NOT archs)
    message(FATAL_ERROR "archgrid_architectures: CUDA ${toolkit} can compile for no promised GPU.")
  endif()
  if(ptx STREQUAL "none")
    list(TRANSFORM archs APPEND "-real")
  elseif(ptx STREQUAL "newest")
    list(POP_BACK archs newest)
    list(TRANSFORM archs APPEND "-real")
    list(APPEND archs ${newest})
  endif()
  set(${out} "${archs}" PARENT_SCOPE)
endfunction()

# Sets OUT to whether code for ARCH runs on DEVICE with a verdict of ACCEPT. Source of the rules:
# docs/audit.md, Verdicts.
function(_archgrid_arch_serves arch device accept out)
  set(${out} FALSE PARENT_SCOPE)
  string(REGEX MATCH "^([0-9]+)([af]?)(-real|-virtual)?$" form "${arch}")
  set(suffix "${CMAKE_MATCH_2}")
  set(kind "${CMAKE_MATCH_3}")
  _archgrid_data_architecture(own "${CMAKE_MATCH_1}")
  string(REPLACE "." "" number "${device}")
  _archgrid_data_architecture(asked "${number}")
  string(REGEX MATCH "^[0-9]+" own_major "${own_DEVICE}")
  string(REGEX MATCH "^[0-9]+" major "${device}")
  set(is_exact FALSE)
  if(own_DEVICE VERSION_EQUAL device)
    set(is_exact TRUE)
  endif()
  set(is_later FALSE) # of the same generation
  if(own_major STREQUAL major AND own_DEVICE VERSION_LESS device AND NOT suffix STREQUAL "a")
    set(is_later TRUE)
  endif()
  if(NOT kind STREQUAL "-virtual" AND (is_exact AND "native" IN_LIST accept
      OR is_later AND "compatible" IN_LIST accept AND own_INTEGRATED STREQUAL asked_INTEGRATED))
    set(${out} TRUE PARENT_SCOPE)
  elseif(NOT kind STREQUAL "-real" AND "jit" IN_LIST accept
      AND (is_exact OR is_later OR suffix STREQUAL "" AND own_DEVICE VERSION_LESS device))
    set(${out} TRUE PARENT_SCOPE)
  endif()
endfunction()

# Warns if ARCHS, which the variable SOURCE has, serve some of DEVICES with no verdict of ACCEPT.
function(_archgrid_warn_of_unserved devices accept archs source toolkit)
  if(archs MATCHES "^(all|all-major|native|OFF)$")
    return()
  endif()
  _archgrid_data_toolkit(row "${toolkit}")
  set(unserved "")
  set(added "")
  set(impossible "")
  foreach(device IN LISTS devices)
    set(served FALSE)
    foreach(arch IN LISTS archs)
      if(NOT served)
        _archgrid_arch_serves("${arch}" "${device}" "${accept}" served)
      endif()
    endforeach()
    string(REPLACE "." "" number "${device}")
    if(served)
      continue()
    elseif(NOT number IN_LIST row_ARCHS)
      string(APPEND impossible ", ${device}")
    elseif(source STREQUAL "TORCH_CUDA_ARCH_LIST")
      string(APPEND added ", ${device}")
    else()
      string(APPEND added ", ${number}")
    endif()
    string(APPEND unserved ", ${device}")
  endforeach()
  if(unserved)
    list(JOIN archs " " archs)
    string(REGEX REPLACE "^, " "" unserved "${unserved}")
    string(REGEX REPLACE "^, (.+)" " Add \\1, or leave ${source} out." added "${added}")
    string(REGEX REPLACE "^, (.+)" " CUDA ${toolkit} cannot compile for \\1." impossible "${impossible}")
    message(WARNING
      "archgrid_architectures: ${source} (${archs}) gives no accepted code for ${unserved}: audits of these promised GPUs fail.${added}${impossible}")
  endif()
endfunction()
