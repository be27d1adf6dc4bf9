# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0
#
# Turns the checked sections of a matrix file (variables matrix_* of archgrid_expand()) into the
# plan, whose only form is JSON (detail/plan.cmake reads it). Until it is whole, archgrid_expand()
# has its lines in plan_*_JSON, and in plan_SERVE_<smNN> the cells with that label.

include_guard(GLOBAL)
include("${CMAKE_CURRENT_LIST_DIR}/json.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/matrix_placeholders.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/matrix_read.cmake")

# _archgrid_plan_start_toolkit(<i>)
#
# Sets plan_TOOLKIT_* for the cells of the toolkit entry <i>.
function(_archgrid_plan_start_toolkit i)
  string(REGEX MATCH "^[^-]+" labels "${matrix_${i}_BASE}")
  list(APPEND labels "${matrix_${i}_BASE}")
  list(REMOVE_DUPLICATES labels)
  set(host_compiler null)
  if(NOT "${matrix_${i}_HOST_COMPILER}" STREQUAL "")
    _archgrid_json_quote(host_compiler "${matrix_${i}_HOST_COMPILER}")
  endif()
  set(plan_TOOLKIT_LABELS "${labels}" PARENT_SCOPE)
  foreach(field IN ITEMS CUDA BASE ARCHS DEFINITIONS DEFINITION_PATHS DEFINITIONS_JSON)
    set(plan_TOOLKIT_${field} "${matrix_${i}_${field}}" PARENT_SCOPE)
  endforeach()
  set(plan_TOOLKIT_DEVICES "${matrix_PROMISED_${matrix_${i}_CUDA}}" PARENT_SCOPE)
  set(json "\"host_compiler\": ${host_compiler}")
  if(matrix_${i}_LIBRARIES)
    _archgrid_json_quote_list(libraries ${matrix_${i}_LIBRARIES})
    string(APPEND json ", \"libraries\": ${libraries}")
  endif()
  foreach(key IN ITEMS enforce_archs redirect_outputs)
    string(TOUPPER ${key} name)
    if(matrix_${name})
      string(APPEND json ", \"${key}\": true")
    endif()
  endforeach()
  if(matrix_${i}_TARGETS)
    _archgrid_json_quote_list(targets ${matrix_${i}_TARGETS})
    string(APPEND json ", \"targets\": ${targets}")
  endif()
  set(plan_TOOLKIT_JSON "${json}" PARENT_SCOPE)
endfunction()

# Adds the toolkit's fat cell, with all its archs.
function(_archgrid_plan_add_fat)
  set(id "${plan_TOOLKIT_BASE}-fat")
  string(REPLACE "." "" sm "${plan_TOOLKIT_DEVICES}")
  list(TRANSFORM sm PREPEND "sm")
  _archgrid_plan_cell_json(cell ${id} fat "${plan_TOOLKIT_ARCHS}" "${plan_TOOLKIT_LABELS};fat;${sm}")
  foreach(label IN LISTS sm)
    set(plan_SERVE_${label} ${plan_SERVE_${label}} ${id} PARENT_SCOPE)
  endforeach()
  if(plan_TOOLKIT_DEVICES)
    _archgrid_json_quote_list(devices ${plan_TOOLKIT_DEVICES})
    set(plan_AUDITS_JSON "${plan_AUDITS_JSON}    {\"cell\": \"${id}\", \"devices\": ${devices}},\n" PARENT_SCOPE)
  endif()
  set(plan_CELLS_JSON "${plan_CELLS_JSON}${cell}" PARENT_SCOPE)
endfunction()

# Adds the toolkit's single cells, one per arch. Their audits name no device: each is judged for the
# devices that its arch serves.
function(_archgrid_plan_add_singles)
  set(cells "")
  set(audits "")
  foreach(arch IN LISTS plan_TOOLKIT_ARCHS)
    string(REGEX MATCH "^(([0-9]+)[af]?)(-virtual)?" form "${arch}")
    set(label sm${CMAKE_MATCH_2})
    set(id "${plan_TOOLKIT_BASE}-sm${CMAKE_MATCH_1}")
    if(CMAKE_MATCH_3)
      set(id "${plan_TOOLKIT_BASE}-compute${CMAKE_MATCH_1}")
    endif()
    _archgrid_plan_cell_json(cell ${id} single "${arch}" "${plan_TOOLKIT_LABELS};${label}")
    string(APPEND cells "${cell}")
    list(APPEND plan_SERVE_${label} ${id})
    set(plan_SERVE_${label} "${plan_SERVE_${label}}" PARENT_SCOPE)
    if(plan_TOOLKIT_DEVICES)
      string(APPEND audits "    {\"cell\": \"${id}\"},\n")
    endif()
  endforeach()
  set(plan_CELLS_JSON "${plan_CELLS_JSON}${cells}" PARENT_SCOPE)
  set(plan_AUDITS_JSON "${plan_AUDITS_JSON}${audits}" PARENT_SCOPE)
endfunction()

# Sets OUT to the line of JSON of the toolkit's cell ID.
function(_archgrid_plan_cell_json out id kind archs labels)
  set(definitions "${plan_TOOLKIT_DEFINITIONS_JSON}")
  if(definitions MATCHES "@[A-Za-z][A-Za-z0-9_]*@")
    _archgrid_plan_fill_definitions(definitions ${id} ${archs})
  endif()
  _archgrid_json_quote_list(archs ${archs})
  _archgrid_json_quote_list(labels ${labels})
  string(CONCAT line "    {\"id\": \"${id}\", \"cuda\": \"${plan_TOOLKIT_CUDA}\", \"kind\": \"${kind}\","
         " \"archs\": ${archs}, \"labels\": ${labels}, ${plan_TOOLKIT_JSON}, \"definitions\": ${definitions}},\n")
  set(${out} "${line}" PARENT_SCOPE)
endfunction()

# _archgrid_plan_fill_definitions(<out> <cell> <arch>...)
#
# Sets <out> to the toolkit's definitions as a JSON object, with placeholders filled for <cell>,
# which has these archs.
function(_archgrid_plan_fill_definitions out cell)
  _archgrid_matrix_spell_archs(spelled ${ARGN})
  set(members "")
  foreach(definition path IN ZIP_LISTS plan_TOOLKIT_DEFINITIONS plan_TOOLKIT_DEFINITION_PATHS)
    string(REGEX MATCH "^([^=]*)=(.*)$" parts "${definition}")
    set(key "${CMAKE_MATCH_1}")
    set(value "${CMAKE_MATCH_2}")
    _archgrid_matrix_check_sayable("${path}" "${value}" "${plan_TOOLKIT_DEFINITIONS}" ${cell} ${ARGN})
    _archgrid_matrix_fill(value "${value}" spelled)
    _archgrid_json_quote(value "${value}")
    string(APPEND members ", \"${key}\": ${value}")
  endforeach()
  string(REGEX REPLACE "^, " "" members "${members}")
  set(${out} "{${members}}" PARENT_SCOPE)
endfunction()

# Sets plan_JOBS_JSON to a job for each device that has a runner, and plan_UNTESTED to the promised
# devices without one.
function(_archgrid_plan_add_jobs)
  set(jobs_json "")
  foreach(device IN LISTS matrix_RUNNERS)
    string(REPLACE "." "" job "sm${device}")
    if("${plan_SERVE_${job}}" STREQUAL "")
      _archgrid_matrix_fail("runners[\"${device}\"]" "no cell is for the device ${device}, so its job would test nothing"
                            "promise the device, add the arch to a toolkit, or remove the runner")
    endif()
    _archgrid_json_quote_list(runner_json ${matrix_RUNNER_${device}})
    _archgrid_json_quote_list(cells_json ${plan_SERVE_${job}})
    string(APPEND jobs_json "    {\"name\": \"${job}\", \"device\": \"${device}\", \"preset\": \"${job}\","
           " \"runner\": ${runner_json}, \"cells\": ${cells_json}},\n")
  endforeach()
  set(untested ${matrix_PROMISED})
  list(REMOVE_ITEM untested ${matrix_RUNNERS} "")
  set(plan_JOBS_JSON "${jobs_json}" PARENT_SCOPE)
  set(plan_UNTESTED "${untested}" PARENT_SCOPE)
endfunction()

# _archgrid_plan_write(<out>)
#
# Sets <out> to the plan as JSON, archgrid.plan/1.
function(_archgrid_plan_write out)
  _archgrid_json_quote(file "${matrix_file}")
  _archgrid_json_quote_list(untested ${plan_UNTESTED})
  _archgrid_plan_array(cells "${plan_CELLS_JSON}")
  _archgrid_plan_array(excluded "${matrix_EXCLUDED_JSON}")
  _archgrid_plan_array(audits "${plan_AUDITS_JSON}")
  _archgrid_plan_array(jobs "${plan_JOBS_JSON}")
  set(skips "")
  if(NOT matrix_skips_JSON STREQUAL "[]")
    set(skips ",\n  \"skips\": ${matrix_skips_JSON}")
  endif()
  string(CONCAT json
         "{\n  \"schema\": \"archgrid.plan/1\",\n  \"name\": \"${matrix_NAME}\",\n  \"matrix\": ${file},\n"
         "  \"cells\": ${cells},\n  \"excluded\": ${excluded},\n  \"audits\": ${audits},\n  \"jobs\": ${jobs},\n"
         "  \"untested\": ${untested}${skips}\n}\n")
  set(${out} "${json}" PARENT_SCOPE)
endfunction()

# _archgrid_plan_write_github(<out> <limit>)
#
# Sets <out> to the jobs on one line, as GitHub's fromJSON expects them for `strategy.matrix`. Fails
# if there are none, or more than <limit>, the maximum of one workflow's matrix.
function(_archgrid_plan_write_github out limit)
  list(LENGTH matrix_RUNNERS count) # each has a job
  if(count EQUAL 0)
    _archgrid_matrix_fail("runners" "no device has a runner, so there is no job"
                          "add for example \"runners\": {\"9.0\": [\"self-hosted\", \"gpu\", \"sm90\"]}")
  elseif(count GREATER limit)
    _archgrid_matrix_fail("runners" "${count} jobs, and GitHub runs at most ${limit} of one matrix"
                          "split the matrix file")
  endif()
  string(REGEX REPLACE ",\n *" ", " jobs "${plan_JOBS_JSON}")
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
