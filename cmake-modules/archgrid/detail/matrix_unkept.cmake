# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0
#
# Finds promises of a matrix file that its archs cannot keep, before anything is built. <matrix>
# names the record of matrix_read.cmake.

include_guard(GLOBAL)
include("${CMAKE_CURRENT_LIST_DIR}/data.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/matrix_json.cmake")

# Warns, once per promise, of devices for which no arch of a toolkit can keep it: a build with that
# toolkit that compiles kernels fails its audit. Says nothing about promises with patterns, which
# prebuilt libraries may keep.
function(_archgrid_matrix_warn_of_unkept matrix)
  _archgrid_matrix_indices(indices "${${matrix}_promises}")
  foreach(i IN LISTS indices)
    set(lines "")
    set(fixes "")
    foreach(toolkit IN LISTS ${matrix}_PROMISE_${i}_TOOLKITS)
      _archgrid_matrix_sure_devices(devices ${matrix} ${i} "${toolkit}")
      _archgrid_matrix_describe_unkept(line fix ${matrix} "${toolkit}" "${${matrix}_PROMISE_${i}_ACCEPT}" ${devices})
      if(NOT line STREQUAL "")
        string(APPEND lines "  ${${matrix}_FILE}: promises[${i}]: ${line}\n")
        list(APPEND fixes ${fix})
      endif()
    endforeach()
    if(NOT lines STREQUAL "")
      list(REMOVE_DUPLICATES fixes)
      list(JOIN fixes "\n  fix: " fixes)
      # CMake wraps lines, except indented ones.
      message(WARNING "\n${lines}  fix: ${fixes}\n")
    endif()
  endforeach()
endfunction()

# Sets <out> to the archs of <toolkit> in all its variants.
function(_archgrid_matrix_archs_of out matrix toolkit)
  set(archs "")
  foreach(i RANGE ${${matrix}_LAST})
    if(${matrix}_${i}_CUDA STREQUAL toolkit)
      list(APPEND archs ${${matrix}_${i}_ARCHS})
    endif()
  endforeach()
  list(REMOVE_DUPLICATES archs)
  set(${out} "${archs}" PARENT_SCOPE)
endfunction()

# Sets <out> to the devices on which promise <i>, if it has no patterns, promises kernels in builds
# of <toolkit>: without those of an ignore, which may match every kernel; without those for which
# the archs can keep another promise with patterns, which may match every kernel that the project
# compiles; none if such a pattern is "*". A promise without patterns promises some kernel on its
# other devices.
function(_archgrid_matrix_sure_devices out matrix i toolkit)
  set(${out} "" PARENT_SCOPE)
  if(${matrix}_PROMISE_${i}_PATTERNS)
    return()
  endif()
  set(devices "${${matrix}_PROMISE_${i}_DEVICES}")
  _archgrid_matrix_archs_of(archs ${matrix} "${toolkit}")
  _archgrid_matrix_indices(indices "${${matrix}_ignore}")
  foreach(entry IN LISTS indices)
    string(JSON pattern GET "${${matrix}_ignore}" ${entry} kernel)
    if(pattern MATCHES "^[a-z-]+:([^:]|$)"
        AND NOT pattern MATCHES "^(compatible|jit|unknown|wrong-suffix|ptx-too-new|missing):")
      continue() # another error
    endif()
    string(JSON ignored ERROR_VARIABLE everywhere GET "${${matrix}_ignore}" ${entry} devices)
    if(everywhere AND NOT pattern MATCHES "@([^@/*?!:<>()]*)$")
      return()
    elseif(everywhere)
      string(REPLACE "," ";" ignored "${CMAKE_MATCH_1}")
    else()
      _archgrid_matrix_strings(ignored "${ignored}" "${${matrix}_FILE}: ignore[${entry}].devices")
    endif()
    list(REMOVE_ITEM devices ${ignored})
  endforeach()
  _archgrid_matrix_indices(indices "${${matrix}_promises}")
  foreach(other IN LISTS indices)
    if(${matrix}_PROMISE_${other}_PATTERNS AND toolkit IN_LIST ${matrix}_PROMISE_${other}_TOOLKITS)
      string(JSON patterns GET "${${matrix}_promises}" ${other} kernels)
      if(patterns MATCHES "(^|\")\\*(\"|$)")
        return()
      endif()
      foreach(device IN LISTS ${matrix}_PROMISE_${other}_DEVICES)
        _archgrid_matrix_may_serve(served "${device}" "${${matrix}_PROMISE_${other}_ACCEPT}" ${archs})
        if(served)
          list(REMOVE_ITEM devices "${device}")
        endif()
      endforeach()
    endif()
  endforeach()
  set(${out} "${devices}" PARENT_SCOPE)
endfunction()

# _archgrid_matrix_describe_unkept(<line> <fix> <matrix> <toolkit> <accept> <device>...)
#
# Sets <line> to a sentence about the devices for which no arch of <toolkit> can keep a promise, and
# <fix> to the list of remedies; both to nothing if there are no such devices.
function(_archgrid_matrix_describe_unkept line fix matrix toolkit accept)
  _archgrid_matrix_archs_of(archs ${matrix} "${toolkit}")
  _archgrid_data_toolkit(table "${toolkit}")
  set(named "")
  set(added "")
  set(excluded "")
  set(exempted "")
  set(removed "")
  foreach(device IN LISTS ARGN)
    _archgrid_matrix_may_serve(served "${device}" "${accept}" ${archs})
    if(served)
      continue()
    endif()
    string(REPLACE "." "" number "${device}")
    _archgrid_data_architecture(row "${number}")
    string(REGEX REPLACE "^([^;]+).*" " (\\1)" product "${row_PRODUCTS}")
    string(APPEND named ", ${device}${product}")
    set(candidates "${${matrix}_EXCLUDE}")
    list(FILTER candidates INCLUDE REGEX "^${toolkit}/${number}[af]?(-|$)")
    list(TRANSFORM candidates REPLACE "^.*/" "")
    _archgrid_matrix_may_serve(served "${device}" "${accept}" ${candidates})
    if(served)
      list(JOIN candidates ", " candidates)
      string(APPEND excluded ", ${candidates}")
      string(APPEND exempted ", ${device}")
    elseif(number IN_LIST table_ARCHS)
      string(APPEND added ", ${number}")
    else()
      string(APPEND removed ", ${device}")
    endif()
  endforeach()
  list(JOIN archs " " archs)
  string(REGEX REPLACE "^, (.+)$" "no arch of CUDA ${toolkit} (${archs}) can keep it for \\1" named "${named}")
  string(REGEX REPLACE "^, (.+)$" "add \\1 to the archs of CUDA ${toolkit}" added "${added}")
  string(REGEX REPLACE "^, (.+)$" "remove \\1 of CUDA ${toolkit} from \"exclude\"" excluded "${excluded}")
  string(REGEX REPLACE "^, (.+)$" "${excluded}, or \\1 from the promise" excluded "${exempted}")
  string(REGEX REPLACE "^, (.+)$"
    "remove \\1, or use a promise whose \"toolkits\" leave out CUDA ${toolkit}" removed "${removed}")
  set(${line} "${named}" PARENT_SCOPE)
  set(${fix} ${added} ${excluded} ${removed} PARENT_SCOPE)
endfunction()

# _archgrid_matrix_may_serve(<out> <device> <accept> <arch>...)
#
# Sets <out> to whether cells for these archs may contain code for the device with an accepted
# verdict. Assumes the best case of everything that the project decides: PTX for an arch, another
# variant beside it, a kernel with an empty body.
function(_archgrid_matrix_may_serve out device accept)
  set(${out} TRUE PARENT_SCOPE)
  if("unknown" IN_LIST accept)
    return()
  endif()
  string(REGEX REPLACE "\\.[0-9]+$" "" major "${device}")
  foreach(arch IN LISTS ARGN)
    string(REGEX MATCH "^[0-9]+" number "${arch}")
    _archgrid_data_architecture(row "${number}")
    if(row_DEVICE VERSION_EQUAL device AND NOT arch MATCHES "-virtual$")
      return()
    elseif(row_DEVICE VERSION_LESS_EQUAL device AND accept MATCHES "(^|;)(jit|empty)(;|$)")
      return()
    elseif(row_DEVICE VERSION_LESS device AND row_DEVICE MATCHES "^${major}\\." AND "compatible" IN_LIST accept
        AND NOT arch MATCHES "-virtual$")
      return()
    elseif("${row_DEVICE};${device}" MATCHES "^(10\\.1;11\\.0|11\\.0;10\\.1)$") # both: one GPU
      return()
    endif()
  endforeach()
  set(${out} FALSE PARENT_SCOPE)
endfunction()
