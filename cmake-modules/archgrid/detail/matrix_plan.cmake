# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0
#
# Turns the checked sections of a matrix file into the plan, whose only form is JSON
# (detail/plan.cmake reads it). <matrix> names the record of matrix_read.cmake. <plan> names the
# record of a plan that is not whole yet: its lines in <plan>_CELLS_JSON, _AUDITS_JSON and
# _JOBS_JSON, the devices without a job in _UNTESTED, and in _SERVING <smNN>=<cell> for each cell
# with that label.

include_guard(GLOBAL)
include("${CMAKE_CURRENT_LIST_DIR}/json.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/list_syntax.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/matrix_placeholders.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/matrix_read.cmake")

# _archgrid_plan_start(<plan>)
#
# Begins the record of a plan without cells.
function(_archgrid_plan_start plan)
  foreach(field IN ITEMS CELLS_JSON AUDITS_JSON JOBS_JSON UNTESTED SERVING)
    set(${plan}_${field} "" PARENT_SCOPE)
  endforeach()
endfunction()

# _archgrid_plan_describe_toolkit(<toolkit> <matrix> <i>)
#
# Sets the record <toolkit> to what the cells of the toolkit's entry <i> have in common: CUDA, BASE,
# ARCHS, DEVICES, LABELS, JSON and, if each cell fills their placeholders, DEFINITIONS and
# DEFINITION_PATHS.
function(_archgrid_plan_describe_toolkit toolkit matrix i)
  string(REGEX MATCH "^[^-]+" labels "${${matrix}_${i}_BASE}")
  list(APPEND labels "${${matrix}_${i}_BASE}")
  list(REMOVE_DUPLICATES labels)
  set(host_compiler null)
  if(NOT "${${matrix}_${i}_HOST_COMPILER}" STREQUAL "")
    _archgrid_json_quote(host_compiler "${${matrix}_${i}_HOST_COMPILER}")
  endif()
  set(${toolkit}_LABELS "${labels}" PARENT_SCOPE)
  foreach(field IN ITEMS CUDA BASE ARCHS DEFINITIONS DEFINITION_PATHS)
    set(${toolkit}_${field} "${${matrix}_${i}_${field}}" PARENT_SCOPE)
  endforeach()
  set(${toolkit}_DEVICES "${${matrix}_PROMISED_${${matrix}_${i}_CUDA}}" PARENT_SCOPE)
  set(json "\"host_compiler\": ${host_compiler}")
  if(${matrix}_${i}_LIBRARIES)
    _archgrid_json_quote_list(libraries ${${matrix}_${i}_LIBRARIES})
    string(APPEND json ", \"libraries\": ${libraries}")
  endif()
  foreach(key IN ITEMS enforce_archs redirect_outputs)
    string(TOUPPER ${key} name)
    if(${matrix}_${name})
      string(APPEND json ", \"${key}\": true")
    endif()
  endforeach()
  if(${matrix}_${i}_TARGETS)
    _archgrid_json_quote_list(targets ${${matrix}_${i}_TARGETS})
    string(APPEND json ", \"targets\": ${targets}")
  endif()
  if(NOT ${matrix}_${i}_DEFINITIONS_JSON MATCHES "@[A-Za-z][A-Za-z0-9_]*@")
    string(APPEND json ", \"definitions\": ${${matrix}_${i}_DEFINITIONS_JSON}")
    set(${toolkit}_DEFINITIONS "" PARENT_SCOPE)
  endif()
  set(${toolkit}_JSON "${json}" PARENT_SCOPE)
endfunction()

# Adds the fat cell of the record TOOLKIT, with all its archs.
function(_archgrid_plan_add_fat plan toolkit)
  set(id "${${toolkit}_BASE}-fat")
  string(REPLACE "." "" sm "${${toolkit}_DEVICES}")
  list(TRANSFORM sm PREPEND "sm")
  _archgrid_plan_cell_json(cell ${toolkit} ${id} fat "${${toolkit}_ARCHS}" "${${toolkit}_LABELS};fat;${sm}")
  set(${plan}_CELLS_JSON "${${plan}_CELLS_JSON}${cell}" PARENT_SCOPE)
  if(${toolkit}_DEVICES)
    _archgrid_json_quote_list(devices ${${toolkit}_DEVICES})
    set(${plan}_AUDITS_JSON "${${plan}_AUDITS_JSON}    {\"cell\": \"${id}\", \"devices\": ${devices}},\n" PARENT_SCOPE)
  endif()
  list(TRANSFORM sm APPEND "=${id}")
  set(${plan}_SERVING "${${plan}_SERVING};${sm}" PARENT_SCOPE)
endfunction()

# Adds the single cells of the record TOOLKIT, one per arch. Their audits name no device: each is
# judged for the devices that its arch serves.
function(_archgrid_plan_add_singles plan toolkit)
  set(cells "")
  set(audits "")
  set(serving "")
  set(base "${${toolkit}_BASE}") # once: a large matrix spends its time in this loop
  set(labels "${${toolkit}_LABELS}")
  set(devices "${${toolkit}_DEVICES}")
  foreach(arch IN LISTS ${toolkit}_ARCHS)
    string(REGEX MATCH "^(([0-9]+)[af]?)(-virtual)?" form "${arch}")
    set(label sm${CMAKE_MATCH_2})
    set(id "${base}-sm${CMAKE_MATCH_1}")
    if(CMAKE_MATCH_3)
      set(id "${base}-compute${CMAKE_MATCH_1}")
    endif()
    _archgrid_plan_cell_json(cell ${toolkit} ${id} single "${arch}" "${labels};${label}")
    string(APPEND cells "${cell}")
    list(APPEND serving ${label}=${id})
    if(devices)
      string(APPEND audits "    {\"cell\": \"${id}\"},\n")
    endif()
  endforeach()
  set(${plan}_CELLS_JSON "${${plan}_CELLS_JSON}${cells}" PARENT_SCOPE)
  set(${plan}_AUDITS_JSON "${${plan}_AUDITS_JSON}${audits}" PARENT_SCOPE)
  set(${plan}_SERVING "${${plan}_SERVING};${serving}" PARENT_SCOPE)
endfunction()

# Sets OUT to the line of JSON of the cell ID of the record TOOLKIT.
function(_archgrid_plan_cell_json out toolkit id kind archs labels)
  set(definitions "")
  if(NOT ${toolkit}_DEFINITIONS STREQUAL "")
    _archgrid_plan_fill_definitions(definitions ${toolkit} ${id} ${archs})
    string(PREPEND definitions ", \"definitions\": ")
  endif()
  _archgrid_json_quote_list(archs ${archs})
  _archgrid_json_quote_list(labels ${labels})
  string(CONCAT line "    {\"id\": \"${id}\", \"cuda\": \"${${toolkit}_CUDA}\", \"kind\": \"${kind}\","
         " \"archs\": ${archs}, \"labels\": ${labels}, ${${toolkit}_JSON}${definitions}},\n")
  set(${out} "${line}" PARENT_SCOPE)
endfunction()

# _archgrid_plan_fill_definitions(<out> <toolkit> <cell> <arch>...)
#
# Sets <out> to the definitions of the record <toolkit> as a JSON object, with placeholders filled
# for <cell>, which has these archs.
function(_archgrid_plan_fill_definitions out toolkit cell)
  _archgrid_matrix_spell_archs(spelled ${ARGN})
  set(members "")
  foreach(definition path IN ZIP_LISTS ${toolkit}_DEFINITIONS ${toolkit}_DEFINITION_PATHS)
    string(REGEX MATCH "^([^=]*)=(.*)$" parts "${definition}")
    set(key "${CMAKE_MATCH_1}")
    set(value "${CMAKE_MATCH_2}")
    _archgrid_unmask_list_syntax("${path}" path)
    _archgrid_matrix_check_sayable("${path}" "${value}" "${${toolkit}_DEFINITIONS}" ${cell} ${ARGN})
    _archgrid_matrix_fill(value "${value}" spelled)
    _archgrid_json_quote(value "${value}")
    string(APPEND members ", \"${key}\": ${value}")
  endforeach()
  string(REGEX REPLACE "^, " "" members "${members}")
  set(${out} "{${members}}" PARENT_SCOPE)
endfunction()

# Sets <plan>_JOBS_JSON to a job for each device that has a runner, and <plan>_UNTESTED to the
# promised devices without one.
function(_archgrid_plan_add_jobs plan matrix)
  set(jobs_json "")
  foreach(device IN LISTS ${matrix}_RUNNERS)
    string(REPLACE "." "" job "sm${device}")
    set(cells "${${plan}_SERVING}")
    list(FILTER cells INCLUDE REGEX "^${job}=")
    list(TRANSFORM cells REPLACE "^${job}=" "")
    if(cells STREQUAL "")
      _archgrid_matrix_fail("${${matrix}_FILE}: runners[\"${device}\"]"
        "no cell is for the device ${device}, so its job would test nothing"
                            "promise the device, add the arch to a toolkit, or remove the runner")
    endif()
    _archgrid_json_quote_list(runner_json ${${matrix}_RUNNER_${device}})
    _archgrid_json_quote_list(cells_json ${cells})
    string(APPEND jobs_json "    {\"name\": \"${job}\", \"device\": \"${device}\", \"preset\": \"${job}\","
           " \"runner\": ${runner_json}, \"cells\": ${cells_json}},\n")
  endforeach()
  set(untested ${${matrix}_PROMISED})
  list(REMOVE_ITEM untested ${${matrix}_RUNNERS} "")
  set(${plan}_JOBS_JSON "${jobs_json}" PARENT_SCOPE)
  set(${plan}_UNTESTED "${untested}" PARENT_SCOPE)
endfunction()

# _archgrid_plan_write(<out> <plan> <matrix>)
#
# Sets <out> to the plan as JSON, archgrid.plan/1.
function(_archgrid_plan_write out plan matrix)
  _archgrid_json_quote(file "${${matrix}_FILE}")
  _archgrid_json_quote_list(untested ${${plan}_UNTESTED})
  _archgrid_plan_array(cells "${${plan}_CELLS_JSON}")
  _archgrid_plan_array(excluded "${${matrix}_EXCLUDED_JSON}")
  _archgrid_plan_array(audits "${${plan}_AUDITS_JSON}")
  _archgrid_plan_array(jobs "${${plan}_JOBS_JSON}")
  set(skips "")
  if(NOT ${matrix}_skips_JSON STREQUAL "[]")
    set(skips ",\n  \"skips\": ${${matrix}_skips_JSON}")
  endif()
  string(CONCAT json
         "{\n  \"schema\": \"archgrid.plan/1\",\n  \"name\": \"${${matrix}_NAME}\",\n  \"matrix\": ${file},\n"
         "  \"cells\": ${cells},\n  \"excluded\": ${excluded},\n  \"audits\": ${audits},\n  \"jobs\": ${jobs},\n"
         "  \"untested\": ${untested}${skips}\n}\n")
  set(${out} "${json}" PARENT_SCOPE)
endfunction()

# _archgrid_plan_write_github(<out> <plan> <matrix> <limit>)
#
# Sets <out> to the jobs on one line, as GitHub's fromJSON expects them for `strategy.matrix`. Fails
# if there are none, or more than <limit>, the maximum of one workflow's matrix.
function(_archgrid_plan_write_github out plan matrix limit)
  list(LENGTH ${matrix}_RUNNERS count) # each has a job
  if(count EQUAL 0)
    _archgrid_matrix_fail("${${matrix}_FILE}: runners" "no device has a runner, so there is no job"
                          "add for example \"runners\": {\"9.0\": [\"self-hosted\", \"gpu\", \"sm90\"]}")
  elseif(count GREATER limit)
    _archgrid_matrix_fail("${${matrix}_FILE}: runners" "${count} jobs, and GitHub runs at most ${limit} of one matrix"
                          "split the matrix file")
  endif()
  string(REGEX REPLACE ",\n *" ", " jobs "${${plan}_JOBS_JSON}")
  string(REGEX REPLACE "^ +|, $" "" jobs "${jobs}")
  set(${out} "{\"include\": [${jobs}]}\n" PARENT_SCOPE)
endfunction()

# Sets <out> to a JSON array of the lines, each of which ends with a comma.
function(_archgrid_plan_array out lines)
  set(array "[]")
  if(NOT lines STREQUAL "")
    string(REGEX REPLACE ",\n$" "\n" lines "${lines}")
    set(array "[\n${lines}  ]")
  endif()
  set(${out} "${array}" PARENT_SCOPE)
endfunction()
