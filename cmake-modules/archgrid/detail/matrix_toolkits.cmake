# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

# What a matrix file needs on the machine before anything of it can be expanded or built.
include_guard(GLOBAL)

# Sets <prefix>_TOOLKITS to the CUDA releases that the matrix file FILE names, each once, and
# <prefix>_HOST_COMPILERS to `<release>=<compiler>` for every compiler that it asks for. Fatal where FILE cannot
# be read; whether the file is a right matrix file is archgrid_expand()'s to say.
function(_archgrid_matrix_toolkits file prefix)
  cmake_path(ABSOLUTE_PATH file NORMALIZE OUTPUT_VARIABLE path)
  if(NOT EXISTS "${path}" OR IS_DIRECTORY "${path}")
    message(FATAL_ERROR "archgrid: matrix file ${file} does not exist")
  endif()
  file(READ "${path}" json)
  string(JSON toolkits ERROR_VARIABLE error GET "${json}" toolkits)
  if(NOT error)
    string(JSON count ERROR_VARIABLE error LENGTH "${toolkits}")
  endif()
  if(error)
    message(FATAL_ERROR "archgrid: ${file}: ${error}")
  endif()
  if(count EQUAL 0)
    message(FATAL_ERROR "archgrid: ${file}: toolkits: is empty; name at least one, {\"cuda\": \"13.0\", \"archs\": [\"90\"]}")
  endif()
  math(EXPR last "${count} - 1")
  set(versions "")
  set(compilers "")
  foreach(index RANGE ${last})
    string(JSON type ERROR_VARIABLE error TYPE "${toolkits}" ${index} cuda)
    if(error OR NOT type STREQUAL "STRING")
      message(FATAL_ERROR "archgrid: ${file}: toolkits[${index}].cuda: must be a release in quotes, \"13.0\"")
    endif()
    string(JSON version GET "${toolkits}" ${index} cuda)
    list(APPEND versions "${version}")
    string(JSON compiler ERROR_VARIABLE none GET "${toolkits}" ${index} host_compiler)
    if(NOT none)
      list(APPEND compilers "${version}=${compiler}")
    endif()
  endforeach()
  list(REMOVE_DUPLICATES versions)
  set(${prefix}_TOOLKITS "${versions}" PARENT_SCOPE)
  set(${prefix}_HOST_COMPILERS "${compilers}" PARENT_SCOPE)
endfunction()
