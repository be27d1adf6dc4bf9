# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

# Finds the packages of a built cell that contain device code.
include_guard(GLOBAL)
include("${CMAKE_CURRENT_LIST_DIR}/device_code.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/foreign_files.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/json.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/list_syntax.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/write_file.cmake")

# Finds packages with device code that the build wrote below BUILD (wheels, other archives and
# compressed files), and the files in INSTALLED that COMMAND can read. Skips downloads in the
# folders of FetchContent and ExternalProject. Sets UNAUDITED_OUT to "<why>:<path>" of packages, and
# of files in them, that COMMAND cannot read, whose names are those of other projects, or that have
# the bytes of one of ARTIFACTS. Includes packages that are older than the build, whose origin is
# unknown.
function(_archgrid_find_packages build command artifacts installed out unaudited_out)
  _archgrid_survey_packages("${build}" "${command}" "${artifacts}" "${installed}" found unaudited)
  _archgrid_take_odd_paths(found unreadable odd)
  list(TRANSFORM odd APPEND "\tits path has a semicolon or a bracket")
  set(${out} "${found}" PARENT_SCOPE)
  set(${unaudited_out} ${unaudited} ${odd} PARENT_SCOPE)
endfunction()

# Sets OUT to the packages below BUILD and the files in INSTALLED that contain device code of the
# project, according to COMMAND, masked by _archgrid_mask_list_syntax(). Sets UNAUDITED_OUT like
# _archgrid_find_packages().
function(_archgrid_survey_packages build command artifacts installed out unaudited_out)
  # All files are surveyed: only their contents identify packages.
  _archgrid_find_unsearched(unsearched)
  execute_process(
    COMMAND find . ( ${unsearched} -o -path ./_deps/*-subbuild
      -o -path ./_deps/*-src/* -type f ! -newer archgrid.signature ) -prune -o -type f -size +0 -printf %P\n
    COMMAND sort
    WORKING_DIRECTORY "${build}" OUTPUT_FILE "${build}.files" ERROR_VARIABLE error RESULTS_VARIABLE results)
  if(NOT results STREQUAL "0;0")
    message(FATAL_ERROR "find could not search ${build} for packages: ${error}")
  endif()
  _archgrid_write_lines("${build}.installed" ${installed})
  _archgrid_write_lines("${build}.artifacts" ${artifacts})
  file(STRINGS "${build}/CMakeCache.txt" project REGEX "^CMAKE_PROJECT_NAME:[A-Z]+=")
  string(REGEX REPLACE "^[^=]*=" "" project "${project}")
  execute_process(
    COMMAND "${command}" survey-packages --build "${build}" --files "${build}.files" --installed "${build}.installed"
      --artifacts "${build}.artifacts" "--library=${_archgrid_nvidia_library}"
      "--package=${_archgrid_foreign_distribution}"
      "--project=${project}"
    OUTPUT_VARIABLE json ERROR_VARIABLE error RESULT_VARIABLE result)
  file(REMOVE "${build}.files" "${build}.installed" "${build}.artifacts")
  if(NOT result EQUAL 0)
    message(FATAL_ERROR "the packages in ${build} could not be surveyed (${result}): ${error}")
  endif()
  _archgrid_read_survey("${json}" packages unaudited)
  set(${out} "${packages}" PARENT_SCOPE)
  set(${unaudited_out} "${unaudited}" PARENT_SCOPE)
endfunction()

# Reads JSON of `archgrid survey-packages`: sets OUT to the audited packages, and UNAUDITED_OUT to
# "<why>:<path>" or "<why>:<path><tab><reason>" of the others, all masked by
# _archgrid_mask_list_syntax().
function(_archgrid_read_survey json out unaudited_out)
  set(packages "")
  string(JSON count LENGTH "${json}" audited)
  foreach(index RANGE ${count})
    if(index LESS count)
      string(JSON path GET "${json}" audited ${index})
      _archgrid_mask_list_syntax("${path}" path)
      list(APPEND packages "${path}")
    endif()
  endforeach()
  set(unaudited "")
  _archgrid_json_items(files "${json}" unaudited)
  foreach(file IN LISTS files)
    _archgrid_unmask_list_syntax("${file}" file)
    string(JSON path GET "${file}" path)
    string(JSON why GET "${file}" why)
    string(JSON reason GET "${file}" reason)
    set(file "${why}:${path}")
    if(NOT reason STREQUAL "")
      string(APPEND file "\t${reason}")
    endif()
    _archgrid_mask_list_syntax("${file}" file)
    list(APPEND unaudited "${file}")
  endforeach()
  set(${out} "${packages}" PARENT_SCOPE)
  set(${unaudited_out} "${unaudited}" PARENT_SCOPE)
endfunction()
