# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0
#
# Checks the words of a matrix file that the data table defines: toolkits, archs, devices.

include_guard(GLOBAL)
include("${CMAKE_CURRENT_LIST_DIR}/data.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/matrix_json.cmake")

# _archgrid_matrix_check_toolkit(<path> <version>)
#
# Fails unless the toolkit is in the table.
function(_archgrid_matrix_check_toolkit path version)
  _archgrid_data_toolkits(known)
  if(version IN_LIST known)
    return()
  endif()
  list(JOIN known ", " all)
  set(fix "use one of: ${all}")
  string(REGEX MATCH "^[0-9]+\\.[0-9]+" release "${version}")
  if(release IN_LIST known)
    set(fix "write the release alone, \"${release}\"")
  endif()
  _archgrid_matrix_fail("${path}" "unknown toolkit \"${version}\"" "${fix}")
endfunction()

# _archgrid_matrix_check_library(<path> <toolkit> <library>)
#
# Fails unless the library is in the table and the toolkit has it.
function(_archgrid_matrix_check_library path toolkit library)
  _archgrid_data_library(row "${library}")
  if(NOT row_FOUND)
    _archgrid_data_libraries(known)
    _archgrid_matrix_fail_unknown("${path}" "library" "${library}" ${known})
  elseif(toolkit VERSION_LESS row_SINCE)
    _archgrid_matrix_fail("${path}" "CUDA ${toolkit} has no ${library}, which came with CUDA ${row_SINCE}"
                          "list \"libraries\" in the entries of the toolkits that have it")
  endif()
endfunction()

# _archgrid_matrix_check_device(<path> <device>)
#
# Fails unless the device is in the table.
function(_archgrid_matrix_check_device path device)
  _archgrid_data_devices(known)
  if(device IN_LIST known)
    return()
  endif()
  _archgrid_data_device_named(meant "${device}")
  if(NOT meant)
    _archgrid_data_product_meant(product meant "${device}")
  endif()
  if(meant)
    _archgrid_matrix_fail("${path}" "\"${device}\" is no compute capability" "write \"${meant}\"")
  endif()
  list(JOIN known ", " all)
  _archgrid_matrix_fail("${path}" "no device has the compute capability \"${device}\"" "use one of: ${all}")
endfunction()

# _archgrid_matrix_check_reason(<path> <reason>)
#
# Fails if the text is no reason: empty, or the place of one, like the REASON of examples.
function(_archgrid_matrix_check_reason path reason)
  string(STRIP "${reason}" text)
  string(TOLOWER "${text}" text)
  string(ASCII 226 128 166 ellipsis)
  if(text MATCHES "^(reason|\\.\\.\\.|${ellipsis}|todo|fixme|tbd)?$")
    _archgrid_matrix_fail("${path}" "\"${reason}\" is no reason" "say why, as \"not shipped\"")
  endif()
endfunction()

# _archgrid_matrix_fail_arch(<path> <toolkit> <archs> <buildable>...)
#
# Ends with an error about the first of <archs> (CMake's spelling: 90, 90a-real) that <toolkit>
# cannot build.
function(_archgrid_matrix_fail_arch path toolkit archs)
  set(place 0)
  foreach(arch IN LISTS archs)
    string(REGEX REPLACE "-(real|virtual)$" "" form "${arch}")
    if(NOT form IN_LIST ARGN)
      _archgrid_matrix_fail_one_arch("${path}[${place}]" "${toolkit}" "${arch}" "${form}")
    endif()
    math(EXPR place "${place} + 1")
  endforeach()
endfunction()

# Ends with an error that names the reason: another spelling, an unknown number, an unknown suffix,
# or an unsuitable toolkit.
function(_archgrid_matrix_fail_one_arch path toolkit arch form)
  if(NOT arch MATCHES "^([0-9]+)([a-z]?)(-real|-virtual)?$")
    _archgrid_matrix_fail_arch_form("${path}" "${arch}")
  endif()
  set(number "${CMAKE_MATCH_1}")
  set(suffix "${CMAKE_MATCH_2}")
  _archgrid_data_architecture(row "${number}")
  if(NOT row_FOUND)
    _archgrid_data_architectures(known)
    _archgrid_matrix_fail_unknown("${path}" "arch" "${arch}" ${known})
  elseif(suffix AND NOT suffix IN_LIST row_SUFFIXES)
    list(TRANSFORM row_SUFFIXES PREPEND "${number}" OUTPUT_VARIABLE forms)
    list(PREPEND forms "${number}")
    list(JOIN forms "\" or \"" forms)
    _archgrid_matrix_fail("${path}" "\"${form}\" does not exist" "write \"${forms}\"")
  endif()
  _archgrid_data_toolkits_for(able "${form}")
  list(JOIN able ", " able)
  _archgrid_matrix_fail("${path}" "CUDA ${toolkit} cannot build \"${form}\""
                        "remove it, or list it for a toolkit that can: ${able}")
endfunction()

# _archgrid_matrix_fail_all_major(<path> <toolkit> <arch>...)
#
# Ends with an error about CMake's word all-major, and names the first arch of each major version
# that <toolkit> has.
function(_archgrid_matrix_fail_all_major path toolkit)
  set(archs "")
  set(majors "")
  foreach(arch IN LISTS ARGN)
    string(REGEX REPLACE ".$" "" major "${arch}")
    if(NOT major IN_LIST majors)
      list(APPEND majors "${major}")
      list(APPEND archs "${arch}")
    endif()
  endforeach()
  list(JOIN archs "\", \"" archs)
  _archgrid_matrix_fail("${path}" "\"all-major\" is for one build, and each arch has a cell here"
                        "write those that it means for CUDA ${toolkit}: \"archs\": [\"${archs}\"]")
endfunction()

# Ends with an error about an arch that is not in CMake's spelling, and shows that spelling.
function(_archgrid_matrix_fail_arch_form path arch)
  set(fix "write it as CMake does: 90, 90a, 100f, 90-real, 90-virtual")
  string(TOLOWER "${arch}" lower)
  if(lower MATCHES "^(sm_?|compute_?)?([0-9]+)(\\.([0-9]))?([af]?)(\\+ptx)?$")
    set(plain "${CMAKE_MATCH_2}${CMAKE_MATCH_4}${CMAKE_MATCH_5}")
    set(kind "")
    if(lower MATCHES "^compute")
      set(kind "-virtual")
    endif()
    set(fix "write \"${plain}${kind}\"")
  elseif(lower MATCHES "^(all|all-major|native)$")
    set(fix "name the archs, or write \"archs\": \"all\" for every plain arch of the toolkit")
  endif()
  _archgrid_matrix_fail("${path}" "\"${arch}\" is no arch" "${fix}")
endfunction()
