# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0
#
# Checks the section of a matrix file that limits what is compiled. <matrix> names the record of
# matrix_read.cmake. The audit reports exceeded budgets.

include_guard(GLOBAL)
include("${CMAKE_CURRENT_LIST_DIR}/matrix_promises.cmake")

# Fails if a budget limits nothing, or names archs or toolkits that the matrix does not build.
function(_archgrid_matrix_check_budgets matrix)
  set(of_kernels registers spill_bytes stack_bytes shared_bytes)
  _archgrid_matrix_indices(indices "${${matrix}_budgets}")
  foreach(i IN LISTS indices)
    set(path "${${matrix}_FILE}: budgets[${i}]")
    _archgrid_matrix_get(json found OBJECT "${${matrix}_budgets}" "${path}" ${i})
    _archgrid_matrix_keys("${json}" "${path}" OPTIONAL kernels archs toolkits ${of_kernels} bytes_per_arch reason)
    _archgrid_matrix_check_patterns(has_kernels "${json}" "${path}.kernels" kernels)
    _archgrid_matrix_get(reason found STRING "${json}" "${path}.reason" reason)
    set(limits "")
    foreach(key IN ITEMS ${of_kernels} bytes_per_arch)
      _archgrid_matrix_check_limit(limited "${json}" "${path}.${key}" ${key})
      if(limited)
        list(APPEND limits ${key})
      endif()
    endforeach()
    if(NOT limits)
      list(JOIN of_kernels ", " all)
      _archgrid_matrix_fail("${path}" "it limits nothing" "add one of: ${all}, bytes_per_arch")
    elseif("bytes_per_arch" IN_LIST limits AND (has_kernels OR NOT limits STREQUAL "bytes_per_arch"))
      _archgrid_matrix_fail("${path}"
        "\"bytes_per_arch\" is about files, \"kernels\" and the other limits are about kernels"
                            "make two budgets of them")
    endif()
    _archgrid_matrix_read_promised_toolkits(toolkits ${matrix} "${json}" "${path}.toolkits")
    _archgrid_matrix_check_budget_archs(${matrix} "${json}" "${path}.archs" ${toolkits})
  endforeach()
endfunction()

# Sets <out> to whether the limit exists; fails if it is not a whole number, or if nothing can
# satisfy it.
function(_archgrid_matrix_check_limit out json path key)
  _archgrid_matrix_get(value found NUMBER "${json}" "${path}" ${key})
  set(${out} "${found}" PARENT_SCOPE)
  if(NOT found)
    return()
  elseif(NOT value MATCHES "^[0-9]+$")
    _archgrid_matrix_fail("${path}" "${value} is no whole number" "write it as 128")
  elseif(value EQUAL 0 AND key MATCHES "^(registers|bytes_per_arch)$")
    _archgrid_matrix_fail("${path}" "nothing fits into 0" "write 1 or more")
  endif()
endfunction()

# Fails for an arch for which no cell of the budget's toolkits (ARGN) is built.
function(_archgrid_matrix_check_budget_archs matrix json path)
  _archgrid_matrix_get(array found ARRAY "${json}" "${path}" archs)
  if(NOT found)
    return()
  endif()
  set(built "")
  foreach(i RANGE ${${matrix}_LAST})
    if(${matrix}_${i}_CUDA IN_LIST ARGN)
      list(APPEND built ${${matrix}_${i}_ARCHS})
    endif()
  endforeach()
  list(TRANSFORM built REPLACE "-(real|virtual)$" "")
  list(REMOVE_DUPLICATES built)
  _archgrid_matrix_strings(archs "${array}" "${path}")
  set(place 0)
  foreach(arch IN LISTS archs)
    if(arch MATCHES "^([0-9]+[af]?)-(real|virtual)$")
      _archgrid_matrix_fail("${path}[${place}]"
        "\"${arch}\" says how to build, and a budget is about code that was built"
                            "write \"${CMAKE_MATCH_1}\"")
    elseif(NOT arch IN_LIST built)
      list(JOIN built ", " all)
      _archgrid_matrix_fail("${path}[${place}]" "matches nothing: no cell of its toolkits is built for \"${arch}\""
                            "remove it, or name one of: ${all}")
    endif()
    math(EXPR place "${place} + 1")
  endforeach()
endfunction()
