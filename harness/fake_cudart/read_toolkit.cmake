# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0
#
# Generates the parts of the fake runtime that depend on its toolkit.

# _archgrid_read_cudart(<libcudart.so> <p>)
#
# Sets <p>_SONAME, and writes into the binary folder:
# - `functions.inc`, the names of the functions of its API
# - `unsupported.cpp`, weak definitions of all exported functions that return cudaErrorNotSupported,
#   which implemented functions override
# - `aliases.txt`, which makes the functions for per-thread default streams aliases of the others
# - `fake_cudart.map`, the symbol versions
function(_archgrid_read_cudart library p)
  execute_process(COMMAND "${CMAKE_NM}" -D --defined-only "${library}"
    OUTPUT_VARIABLE symbols COMMAND_ERROR_IS_FATAL ANY)
  string(REGEX MATCHALL "[TWi] [A-Za-z_0-9]+@+[A-Za-z_.0-9]+" symbols "${symbols}")
  set(names "")
  set(versions "")
  foreach(symbol IN LISTS symbols)
    string(REGEX MATCH "^. ([A-Za-z_0-9]+)@+(.+)$" symbol "${symbol}")
    list(APPEND names "${CMAKE_MATCH_1}")
    list(APPEND versions "${CMAKE_MATCH_2}")
  endforeach()
  list(REMOVE_DUPLICATES versions)
  list(LENGTH versions count)
  if(NOT count EQUAL 1)
    message(FATAL_ERROR "${library}: expected symbols of one version, found those of: ${versions}")
  endif()

  set(exported "archgrid_fake_runtime")
  set(functions "")
  set(unsupported "")
  set(aliases "")
  foreach(name IN LISTS names)
    string(APPEND exported "; ${name}")
    string(REGEX REPLACE "_pt(sz|ds)$" "" plain "${name}")
    if(NOT plain STREQUAL name AND plain IN_LIST names)
      string(APPEND aliases "--defsym=${name}=${plain}\n")
    else()
      string(APPEND unsupported "ARCHGRID_UNSUPPORTED(${name})\n")
      if(NOT name MATCHES "^__")
        string(APPEND functions "\"${name}\",\n")
      endif()
    endif()
  endforeach()
  file(CONFIGURE OUTPUT functions.inc CONTENT "${functions}" @ONLY)
  file(CONFIGURE OUTPUT unsupported.cpp CONTENT "#include \"unsupported.hpp\"\n${unsupported}" @ONLY)
  file(CONFIGURE OUTPUT aliases.txt CONTENT "${aliases}" @ONLY)
  file(CONFIGURE OUTPUT fake_cudart.map @ONLY
    CONTENT "${versions} { global: ${exported}; local: *; };\n")
  set(${p}_SONAME "${versions}" PARENT_SCOPE)
endfunction()

# _archgrid_read_errors(<include folder>...)
#
# Writes `errors.inc` into the binary folder: the numbers and names of the errors of driver_types.h.
function(_archgrid_read_errors)
  find_file(ARCHGRID_DRIVER_TYPES driver_types.h PATHS ${ARGN} NO_DEFAULT_PATH REQUIRED)
  file(STRINGS "${ARCHGRID_DRIVER_TYPES}" lines REGEX "^ *cuda(Success|Error[A-Za-z0-9]+) *= *[0-9]+,?")
  set(errors "")
  foreach(line IN LISTS lines)
    string(REGEX MATCH "(cuda[A-Za-z0-9]+) *= *([0-9]+)" line "${line}")
    string(APPEND errors "{${CMAKE_MATCH_2}, \"${CMAKE_MATCH_1}\"},\n")
  endforeach()
  if(NOT errors MATCHES "cudaSuccess" OR NOT errors MATCHES "cudaErrorUnknown")
    message(FATAL_ERROR "${ARCHGRID_DRIVER_TYPES}: found no enum of errors")
  endif()
  file(CONFIGURE OUTPUT errors.inc CONTENT "${errors}" @ONLY)
endfunction()
