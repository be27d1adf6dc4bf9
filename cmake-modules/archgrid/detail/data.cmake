# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0
#
# Reads the data table (data/*.json) for CMake code. Each function loads the files on first use.

include_guard(GLOBAL)
cmake_policy(VERSION 3.25...4.0)
include("${CMAKE_CURRENT_LIST_DIR}/json.cmake")

set_property(GLOBAL PROPERTY _archgrid_data_folder "${CMAKE_CURRENT_LIST_DIR}/../data")

# _archgrid_data_toolkits(<out>)
#
# Sets <out> to the versions of all toolkits of the table, oldest first.
function(_archgrid_data_toolkits out)
  _archgrid_data_load()
  get_property(versions GLOBAL PROPERTY _archgrid_data_toolkits)
  set(${out} "${versions}" PARENT_SCOPE)
endfunction()

# _archgrid_data_toolkit(<prefix> <version>)
#
# Sets <prefix>_FOUND and, for a toolkit of the table, <prefix>_ARCHS (plain numbers), _SUFFIXED
# (90a, 100f, ...), _PTX_ISA, _MAX_GCC, _MAX_CLANG, _MIN_DRIVER (a driver branch), _FETCH_FROM
# (pypi, debian or empty), _FETCH_SUITE (the Debian suite or empty) and _FETCH_PACKAGES
# (requirements for pip, or empty).
function(_archgrid_data_toolkit prefix version)
  _archgrid_data_load()
  get_property(row GLOBAL PROPERTY "_archgrid_data_toolkit_${version}")
  set(${prefix}_FOUND FALSE PARENT_SCOPE)
  if("${row}" STREQUAL "")
    return()
  endif()
  _archgrid_json_list(archs "${row}" archs)
  _archgrid_json_list(suffixed "${row}" suffixed)
  foreach(field IN ITEMS ptx_isa max_gcc max_clang min_driver)
    string(JSON value GET "${row}" ${field})
    string(TOUPPER "${field}" upper)
    set(${prefix}_${upper} "${value}" PARENT_SCOPE)
  endforeach()
  string(JSON from ERROR_VARIABLE absent GET "${row}" fetch from)
  if(absent)
    set(from "")
  endif()
  string(JSON suite ERROR_VARIABLE absent GET "${row}" fetch suite)
  if(absent)
    set(suite "")
  endif()
  set(${prefix}_FOUND TRUE PARENT_SCOPE)
  set(${prefix}_ARCHS "${archs}" PARENT_SCOPE)
  set(${prefix}_SUFFIXED "${suffixed}" PARENT_SCOPE)
  set(packages "")
  if(from STREQUAL "pypi")
    _archgrid_json_list(packages "${row}" fetch packages)
  endif()
  set(${prefix}_FETCH_PACKAGES "${packages}" PARENT_SCOPE)
  set(${prefix}_FETCH_FROM "${from}" PARENT_SCOPE)
  set(${prefix}_FETCH_SUITE "${suite}" PARENT_SCOPE)
endfunction()

# _archgrid_data_toolkits_for(<out> <arch>)
#
# Sets <out> to the versions of the toolkits that can build <arch>: a number with or without suffix
# (90, 90a).
function(_archgrid_data_toolkits_for out arch)
  _archgrid_data_load()
  get_property(versions GLOBAL PROPERTY "_archgrid_data_toolkits_for_${arch}")
  set(${out} "${versions}" PARENT_SCOPE)
endfunction()

# _archgrid_data_libraries(<out>)
#
# Sets <out> to the names of all libraries of the table (cublas, ...), ascending.
function(_archgrid_data_libraries out)
  _archgrid_data_load()
  get_property(names GLOBAL PROPERTY _archgrid_data_libraries)
  set(${out} "${names}" PARENT_SCOPE)
endfunction()

# _archgrid_data_library(<prefix> <name>)
#
# Sets <prefix>_FOUND and, for a library of the table, <prefix>_SINCE (the first toolkit that has
# it), _HEADER (below include/), _FILES (names for the linker), _MEGABYTES (approximate size), _PYPI
# (packages, including those of libraries that it needs) and _DEBIAN (names of packages, without the
# number at their end).
function(_archgrid_data_library prefix name)
  _archgrid_data_load()
  get_property(row GLOBAL PROPERTY "_archgrid_data_library_${name}")
  set(${prefix}_FOUND FALSE PARENT_SCOPE)
  if("${row}" STREQUAL "")
    return()
  endif()
  foreach(field IN ITEMS since header megabytes)
    string(JSON value GET "${row}" ${field})
    string(TOUPPER "${field}" upper)
    set(${prefix}_${upper} "${value}" PARENT_SCOPE)
  endforeach()
  foreach(field IN ITEMS files pypi debian)
    _archgrid_json_list(values "${row}" ${field})
    string(TOUPPER "${field}" upper)
    set(${prefix}_${upper} "${values}" PARENT_SCOPE)
  endforeach()
  set(${prefix}_FOUND TRUE PARENT_SCOPE)
endfunction()

# _archgrid_data_architectures(<out>)
#
# Sets <out> to the numbers of all architectures (35 ... 121), ascending.
function(_archgrid_data_architectures out)
  _archgrid_data_load()
  get_property(numbers GLOBAL PROPERTY _archgrid_data_architectures)
  set(${out} "${numbers}" PARENT_SCOPE)
endfunction()

# _archgrid_data_architecture(<prefix> <number>)
#
# Sets <prefix>_FOUND and, for a number of the table (90), <prefix>_DEVICE (9.0), _GENERATION,
# _PRODUCTS, _SUFFIXES (those that exist in any toolkit: a, f) and _INTEGRATED (ON for the Tegra
# devices).
function(_archgrid_data_architecture prefix number)
  _archgrid_data_load()
  get_property(row GLOBAL PROPERTY "_archgrid_data_architecture_${number}")
  set(${prefix}_FOUND FALSE PARENT_SCOPE)
  if("${row}" STREQUAL "")
    return()
  endif()
  foreach(field IN ITEMS device generation integrated)
    string(JSON value GET "${row}" ${field})
    string(TOUPPER "${field}" upper)
    set(${prefix}_${upper} "${value}" PARENT_SCOPE)
  endforeach()
  _archgrid_json_list(products "${row}" products)
  _archgrid_json_list(suffixes "${row}" suffixes)
  set(${prefix}_FOUND TRUE PARENT_SCOPE)
  set(${prefix}_PRODUCTS "${products}" PARENT_SCOPE)
  set(${prefix}_SUFFIXES "${suffixes}" PARENT_SCOPE)
endfunction()

# _archgrid_data_devices(<out>)
#
# Sets <out> to all devices of the table (3.5 ... 12.1), ascending.
function(_archgrid_data_devices out)
  _archgrid_data_load()
  get_property(devices GLOBAL PROPERTY _archgrid_data_devices)
  set(${out} "${devices}" PARENT_SCOPE)
endfunction()

# _archgrid_data_device_named(<out> <text>)
#
# Sets <out> to the device (9.0) that the text means: 9.0, 90, sm_90, sm_90a or the name of a
# product in any case, H100 or "RTX 4090"; to nothing if there is no such device, or several.
function(_archgrid_data_device_named out text)
  _archgrid_data_load()
  string(TOLOWER "${text}" text)
  get_property(devices GLOBAL PROPERTY _archgrid_data_devices)
  string(REGEX REPLACE "^(sm_?|compute_?)?([0-9]+)([0-9])[af]?$" "\\2.\\3" device "${text}")
  if(NOT device IN_LIST devices)
    _archgrid_data_product_key(product "${text}")
    get_property(device GLOBAL PROPERTY "_archgrid_data_product_${product}")
    if(NOT device AND product MATCHES "^[rg]tx[0-9]+[a-z]+$")
      string(REGEX REPLACE "(ti|super|d|laptop|gpu)+$" "" product "${product}")
      get_property(device GLOBAL PROPERTY "_archgrid_data_product_${product}")
    endif()
    # The table has series, RTX 40 and GTX 9xx, and products that are none of their series, RTX
    # 2050.
    if(NOT device AND product MATCHES "^([rg]tx[0-9][0-9]|gtx9)[1-9]0$")
      get_property(device GLOBAL PROPERTY "_archgrid_data_product_${CMAKE_MATCH_1}")
    endif()
    if(device MATCHES ";")
      set(device "")
    endif()
  endif()
  set(${out} "${device}" PARENT_SCOPE)
endfunction()

# _archgrid_data_product_meant(<out> <device_out> <text>)
#
# Sets <out> to the name of a product with the number of the text and another brand, "RTX 5090" for
# 5090 and "GTX 5090", and <device_out> to its device; to nothing if there is none.
function(_archgrid_data_product_meant out device_out text)
  set(${out} "" PARENT_SCOPE)
  set(${device_out} "" PARENT_SCOPE)
  string(REGEX REPLACE "^([Nn][Vv][Ii][Dd][Ii][Aa]|[Gg]e[Ff]orce|[RrGg][Tt][Xx]|[ -])+" "" number "${text}")
  if(NOT number MATCHES "^[0-9][0-9 A-Za-z]*$")
    return()
  endif()
  foreach(brand IN ITEMS RTX GTX)
    _archgrid_data_device_named(device "${brand} ${number}")
    if(device)
      set(${out} "${brand} ${number}" PARENT_SCOPE)
      set(${device_out} "${device}" PARENT_SCOPE)
      return()
    endif()
  endforeach()
endfunction()

# _archgrid_data_product_key(<out> <name>)
#
# Sets <out> to the name in small letters, without spaces, dashes, the maker, and "xx" for any
# digits.
function(_archgrid_data_product_key out name)
  string(TOLOWER "${name}" name)
  string(REGEX REPLACE "nvidia|geforce|[ -]|xx$" "" name "${name}")
  set(${out} "${name}" PARENT_SCOPE)
endfunction()

# _archgrid_data_drivers(<out>)
#
# Sets <out> to the driver branches of the table, oldest first (450 ... 615).
function(_archgrid_data_drivers out)
  _archgrid_data_load()
  get_property(branches GLOBAL PROPERTY _archgrid_data_drivers)
  set(${out} "${branches}" PARENT_SCOPE)
endfunction()

# Splits the files into rows once: string(JSON) parses its whole input at each call.
function(_archgrid_data_load)
  get_property(loaded GLOBAL PROPERTY _archgrid_data_loaded)
  if(loaded)
    return()
  endif()
  _archgrid_data_load_architectures()
  _archgrid_data_load_toolkits()
  _archgrid_data_load_libraries()
  _archgrid_data_load_drivers()
  set_property(GLOBAL PROPERTY _archgrid_data_loaded TRUE)
endfunction()

function(_archgrid_data_load_architectures)
  _archgrid_data_rows(rows architectures)
  foreach(i RANGE 1 ${rows})
    string(JSON number GET "${rows_${i}}" number)
    string(JSON device GET "${rows_${i}}" device)
    set_property(GLOBAL APPEND PROPERTY _archgrid_data_architectures ${number})
    set_property(GLOBAL APPEND PROPERTY _archgrid_data_devices ${device})
    set_property(GLOBAL PROPERTY "_archgrid_data_architecture_${number}" "${rows_${i}}")
    _archgrid_json_list(products "${rows_${i}}" products)
    foreach(product IN LISTS products)
      _archgrid_data_product_key(product "${product}")
      set_property(GLOBAL APPEND PROPERTY "_archgrid_data_product_${product}" ${device})
    endforeach()
  endforeach()
endfunction()

function(_archgrid_data_load_toolkits)
  _archgrid_data_rows(rows toolkits)
  foreach(i RANGE 1 ${rows})
    string(JSON version GET "${rows_${i}}" cuda)
    set_property(GLOBAL APPEND PROPERTY _archgrid_data_toolkits ${version})
    set_property(GLOBAL PROPERTY "_archgrid_data_toolkit_${version}" "${rows_${i}}")
    _archgrid_json_list(archs "${rows_${i}}" archs)
    _archgrid_json_list(suffixed "${rows_${i}}" suffixed)
    foreach(arch IN LISTS archs suffixed)
      set_property(GLOBAL APPEND PROPERTY "_archgrid_data_toolkits_for_${arch}" ${version})
    endforeach()
  endforeach()
endfunction()

function(_archgrid_data_load_libraries)
  _archgrid_data_rows(rows libraries)
  foreach(i RANGE 1 ${rows})
    string(JSON name GET "${rows_${i}}" name)
    set_property(GLOBAL APPEND PROPERTY _archgrid_data_libraries ${name})
    set_property(GLOBAL PROPERTY "_archgrid_data_library_${name}" "${rows_${i}}")
  endforeach()
endfunction()

function(_archgrid_data_load_drivers)
  _archgrid_data_rows(rows drivers)
  foreach(i RANGE 1 ${rows})
    string(JSON branch GET "${rows_${i}}" branch)
    set_property(GLOBAL APPEND PROPERTY _archgrid_data_drivers ${branch})
  endforeach()
endfunction()

# _archgrid_data_rows(<out> <table>)
#
# Sets <out> to the number of rows of data/<table>.json and <out>_1 ... to the rows.
function(_archgrid_data_rows out table)
  get_property(folder GLOBAL PROPERTY _archgrid_data_folder)
  file(READ "${folder}/${table}.json" json)
  string(JSON schema GET "${json}" schema)
  if(NOT schema STREQUAL "archgrid.${table}/1")
    message(FATAL_ERROR "${folder}/${table}.json: schema is \"${schema}\", and these modules read"
                        " \"archgrid.${table}/1\": install modules and data of one archgrid release")
  endif()
  string(JSON rows GET "${json}" ${table})
  string(JSON count LENGTH "${rows}")
  math(EXPR last "${count} - 1")
  foreach(i RANGE ${last})
    math(EXPR place "${i} + 1")
    string(JSON row GET "${rows}" ${i})
    set(${out}_${place} "${row}" PARENT_SCOPE)
  endforeach()
  set(${out} ${count} PARENT_SCOPE)
endfunction()
