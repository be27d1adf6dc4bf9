# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

# Proves, with the archgrid command, that a cell contains what it should: before compiling, from the
# commands that Ninja would run; after compiling, from the device code in the outputs and from the
# headers that were included.
include_guard(GLOBAL)
include("${CMAKE_CURRENT_LIST_DIR}/list_syntax.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/nvcc_environment.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/write_file.cmake")

# Lets everything that this script runs find the toolkit at ROOT first, independent of the user's
# environment, and lets its nvcc run without flags of the environment.
function(_archgrid_enter_toolkit root)
  foreach(variable IN ITEMS CUDA_HOME CUDA_PATH CUDA_ROOT CUDA_BIN_PATH CUDA_TOOLKIT_ROOT_DIR CUDAToolkit_ROOT)
    set(ENV{${variable}} "${root}")
  endforeach()
  set(ENV{CUDACXX} "${root}/bin/nvcc")
  set(ENV{PATH} "${root}/bin:$ENV{PATH}")
  _archgrid_drop_nvcc_flags()
endfunction()

# Writes what `archgrid prove-cell` reads of the tree BUILD beside it, with FOUND as below. Sets OUT
# to the options that name these files.
function(_archgrid_write_proof_files ninja build found out)
  execute_process(COMMAND "${ninja}" -C "${build}" -t deps OUTPUT_FILE "${build}.deps" COMMAND_ERROR_IS_FATAL ANY)
  set(beside_packages ${${found}_ARTIFACTS})
  if(${found}_PACKAGES)
    list(REMOVE_ITEM beside_packages ${${found}_PACKAGES})
  endif()
  set(members "")
  foreach(file IN LISTS ${found}_UNAUDITED)
    if(file MATCHES "^(nvidia|foreign|copy):(.*)$")
      _archgrid_unmask_list_syntax("${CMAKE_MATCH_2}" member)
      string(APPEND members "${member}\n")
    endif()
  endforeach()
  _archgrid_write_lines("${build}.strays" ${${found}_STRAYS})
  _archgrid_write_lines("${build}.packages" ${${found}_PACKAGES})
  _archgrid_write_lines("${build}.beside_packages" ${beside_packages})
  file(WRITE "${build}.unaudited" "${members}")
  set(${out} --deps "${build}.deps" --artifacts "${build}.strays" --packages "${build}.packages"
    --beside-packages "${build}.beside_packages" --unaudited "${build}.unaudited" PARENT_SCOPE)
endfunction()

# _archgrid_prove_cell(<cell> <command> <configured|built> <found> <prefix>)
#
# Judges the cell of the record <cell> of build_cell.cmake (its fields cuda, archs, root, source,
# ninja, build and goals). For a built cell, <found> is the prefix of the
# results of _archgrid_find_artifacts(). Sets <prefix>_STEP and <prefix>_REASON to the error, or to
# nothing; <prefix>_NOTES; <prefix>_OUTSIDE to the files with device code that the build wrote
# outside the cell's tree, masked by _archgrid_mask_list_syntax(); <prefix>_DEVICE_CODE to a hash of
# the device code that it compiled.
function(_archgrid_prove_cell cell command stage found prefix)
  set(build "${${cell}_build}")
  set(files "")
  execute_process(COMMAND "${${cell}_ninja}" -C "${build}" -t commands ${${cell}_goals}
    OUTPUT_FILE "${build}.commands" COMMAND_ERROR_IS_FATAL ANY)
  if(stage STREQUAL "built")
    _archgrid_write_proof_files("${${cell}_ninja}" "${build}" ${found} files)
  endif()
  list(JOIN ${cell}_archs "," archs)
  execute_process(
    COMMAND "${command}" prove-cell --toolkit "${${cell}_cuda}" --archs "${archs}"
    --root "${${cell}_root}" --build "${build}"
      --source "${${cell}_source}" --commands "${build}.commands" ${files}
    OUTPUT_VARIABLE json ERROR_VARIABLE error RESULT_VARIABLE result)
  file(REMOVE "${build}.commands" "${build}.deps" "${build}.strays" "${build}.packages" "${build}.beside_packages"
    "${build}.unaudited")
  if(NOT result EQUAL 0)
    string(REGEX REPLACE "[ \n]+" " " error "${error}") # the command wraps its messages
    string(STRIP "${error}" error)
    set(${prefix}_STEP architectures PARENT_SCOPE)
    set(${prefix}_REASON "what it compiles could not be judged (${result}): ${error}" PARENT_SCOPE)
    return()
  endif()
  foreach(key IN ITEMS step reason device_code)
    string(JSON value GET "${json}" ${key})
    string(TOUPPER "${key}" name)
    set(${prefix}_${name} "${value}" PARENT_SCOPE)
  endforeach()
  foreach(key IN ITEMS notes outside)
    set(items "")
    string(JSON count LENGTH "${json}" ${key})
    foreach(index RANGE ${count})
      if(index LESS count)
        string(JSON item GET "${json}" ${key} ${index})
        if(key STREQUAL "outside")
          _archgrid_mask_list_syntax("${item}" item)
        else()
          string(REPLACE ";" "\\;" item "${item}")
        endif()
        list(APPEND items "${item}")
      endif()
    endforeach()
    string(TOUPPER "${key}" name)
    set(${prefix}_${name} "${items}" PARENT_SCOPE)
  endforeach()
endfunction()
