# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

include_guard(GLOBAL)
cmake_policy(VERSION 3.25...4.0)

include("${CMAKE_CURRENT_LIST_DIR}/detail/host_compiler.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/detail/probe_toolkit.cmake")

#[[
archgrid_find_toolkit(<X.Y> [LIBRARIES <name>...] RESULT <prefix>)

Finds a whole CUDA Toolkit of release X.Y on this machine. Searches, in this order, CUDAToolkit_ROOT
(variable, then environment), CUDA_HOME, CUDA_PATH, every folder of PATH, /usr/local/cuda-X.Y,
/usr/local/cuda, /opt/cuda*, and the shared cache: `$ARCHGRID_TOOLKITS/cuda-X.Y`, default
`${XDG_CACHE_HOME:-~/.cache}/archgrid/toolkits`. Runs nvcc to determine its release, and does not
trust names of folders.

With LIBRARIES (cublas, cufft, cupti, curand, cusolver, cusparse, npp, nvjitlink, nvjpeg, nvrtc,
nvtx) a toolkit is whole only if a program compiles and links with all of them. In the cache such a
toolkit is in `cuda-X.Y-<name>-<name>`.

A toolkit of the right release that is not whole (a part is missing, or its nvcc cannot compile and
link a program with its own runtime) is passed over, with a message. So are a toolkit of the shared
cache that somebody else could have put or changed there, and Debian's own nvidia-cuda-toolkit
package, which is spread over /usr.

Sets in the caller:
  <prefix>_FOUND    TRUE or FALSE
  <prefix>_ROOT     the toolkit's folder, links resolved
  <prefix>_NVCC     <root>/bin/nvcc
  <prefix>_REASON   if not found, why: one line for each place that was passed over; or, with the
                    fix, an unknown release or a missing host compiler (every attempt needs one)

Fast if nothing has changed: the cache stores positive answers, keyed by path, size and time of the
toolkit's parts and of the host compiler.
]]
function(archgrid_find_toolkit version)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "RESULT" "LIBRARIES")
  if(NOT arg_RESULT)
    message(FATAL_ERROR "archgrid_find_toolkit(${version}): RESULT <prefix> is missing")
  endif()
  if(arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "archgrid_find_toolkit(${version}): cannot read \"${arg_UNPARSED_ARGUMENTS}\"; "
      "takes [LIBRARIES <name>...] RESULT <prefix>")
  endif()
  set(root "")
  set(nvcc "")
  set(reasons "")
  _archgrid_pick_host_compiler("${version}" "" host)
  set(refusal "${host_REASON}")
  if(refusal STREQUAL "")
    _archgrid_refuse_libraries("${version}" "${arg_LIBRARIES}" refusal)
  endif()
  _archgrid_toolkit_label("${version}" "${arg_LIBRARIES}" label)
  if(refusal STREQUAL "")
    _archgrid_pick_toolkit("${version}" "${host_CXX}" "${arg_LIBRARIES}" nvcc reasons)
    if(nvcc)
      cmake_path(GET nvcc PARENT_PATH root)
      cmake_path(GET root PARENT_PATH root)
    endif()
  endif()
  set(${arg_RESULT}_FOUND FALSE PARENT_SCOPE)
  set(${arg_RESULT}_ROOT "${root}" PARENT_SCOPE)
  set(${arg_RESULT}_NVCC "${nvcc}" PARENT_SCOPE)
  set(${arg_RESULT}_REASON "" PARENT_SCOPE)
  if(refusal)
    set(${arg_RESULT}_REASON "${refusal}" PARENT_SCOPE)
  elseif(nvcc)
    set(${arg_RESULT}_FOUND TRUE PARENT_SCOPE)
  else()
    list(PREPEND reasons "no ${label} on this machine")
    list(JOIN reasons "\n  " reasons)
    set(${arg_RESULT}_REASON "${reasons}" PARENT_SCOPE)
  endif()
endfunction()

# Sets NVCC_OUT to the first nvcc of release VERSION that is whole: compiles by HOST_CXX, and has
# LIBRARIES beside it; or to nothing. Sets REASONS_OUT to why others were passed over.
function(_archgrid_pick_toolkit version host_cxx libraries nvcc_out reasons_out)
  set(nvcc "")
  set(reasons "")
  _archgrid_toolkit_candidates("${version}" "${libraries}" candidates)
  foreach(candidate IN LISTS candidates)
    _archgrid_refuse_shared("${version}" "${candidate}" reason)
    if(reason)
      message(STATUS "archgrid: passed over ${candidate}: ${reason}")
      list(APPEND reasons "${candidate} is not run: ${reason}")
      continue()
    endif()
    _archgrid_nvcc_release("${candidate}" release)
    if(release STREQUAL version)
      _archgrid_probe_toolkit("${candidate}" "${host_cxx}" "${libraries}" reason)
      if(reason STREQUAL "")
        set(nvcc "${candidate}")
        break()
      endif()
      message(STATUS "archgrid: passed over ${candidate} (CUDA ${version}): ${reason}")
      list(APPEND reasons "${candidate} is CUDA ${version}, but not whole: ${reason}")
    elseif(release STREQUAL "")
      message(STATUS "archgrid: passed over ${candidate}: it does not say its release when run with --version")
      list(APPEND reasons "${candidate} does not say its release when run with --version")
    else()
      list(APPEND reasons "${candidate} is CUDA ${release}")
    endif()
  endforeach()
  set(${nvcc_out} "${nvcc}" PARENT_SCOPE)
  set(${reasons_out} "${reasons}" PARENT_SCOPE)
endfunction()
