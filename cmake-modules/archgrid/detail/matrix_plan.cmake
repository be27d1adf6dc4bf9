# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0
#
# Turns the checked sections of a matrix file (variables matrix_* of the caller) into the plan, in
# variables plan_* of the caller. plan_CELLS, plan_AUDITS and plan_JOBS are lists of names;
# plan_<cell>_* and plan_JOB_<job>_* belong to one cell or job; plan_SERVE_<smNN> lists the cells
# with that label; plan_*_JSON contains the same as lines of JSON.

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
  foreach(field IN ITEMS CUDA BASE ARCHS HOST_COMPILER DEFINITIONS DEFINITION_PATHS DEFINITIONS_JSON LIBRARIES TARGETS)
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
  set(ids "")
  set(cells "")
  string(REPLACE "." "" sm "${plan_TOOLKIT_DEVICES}")
  list(TRANSFORM sm PREPEND "sm")
  set(id "${plan_TOOLKIT_BASE}-fat")
  set(labels ${plan_TOOLKIT_LABELS} fat ${sm})
  set(archs ${plan_TOOLKIT_ARCHS})
  _archgrid_plan_add_cell(fat)
  if(plan_TOOLKIT_DEVICES)
    _archgrid_json_quote_list(devices_json ${plan_TOOLKIT_DEVICES})
    list(APPEND plan_AUDITS ${id})
    string(APPEND plan_AUDITS_JSON "    {\"cell\": \"${id}\", \"devices\": ${devices_json}},\n")
    set(plan_${id}_DEVICES "${plan_TOOLKIT_DEVICES}" PARENT_SCOPE)
  endif()
  _archgrid_plan_hand_up()
endfunction()

# Adds the toolkit's single cells, one per arch. Their audits name no device: each is judged for the
# devices that its arch serves.
function(_archgrid_plan_add_singles)
  set(ids "")
  set(cells "")
  foreach(arch IN LISTS plan_TOOLKIT_ARCHS)
    string(REGEX MATCH "^(([0-9]+)[af]?)(-virtual)?" form "${arch}")
    set(id "${plan_TOOLKIT_BASE}-sm${CMAKE_MATCH_1}")
    if(CMAKE_MATCH_3)
      set(id "${plan_TOOLKIT_BASE}-compute${CMAKE_MATCH_1}")
    endif()
    set(sm sm${CMAKE_MATCH_2})
    set(labels ${plan_TOOLKIT_LABELS} ${sm})
    set(archs ${arch})
    _archgrid_plan_add_cell(single)
    if(plan_TOOLKIT_DEVICES)
      list(APPEND plan_AUDITS ${id})
      string(APPEND plan_AUDITS_JSON "    {\"cell\": \"${id}\"},\n")
    endif()
  endforeach()
  _archgrid_plan_hand_up()
endfunction()

# Adds the cell that the calling function describes by id, archs, labels and sm (those labels that
# are smNN). A macro, so that it sets variables of that function's caller.
macro(_archgrid_plan_add_cell kind)
  list(JOIN archs "\", \"" archs_json)
  list(JOIN labels "\", \"" labels_json)
  set(definitions "${plan_TOOLKIT_DEFINITIONS}")
  set(definitions_json "${plan_TOOLKIT_DEFINITIONS_JSON}")
  if(definitions_json MATCHES "@[A-Za-z][A-Za-z0-9_]*@")
    _archgrid_plan_fill_definitions(definitions definitions_json ${id} ${archs})
  endif()
  list(APPEND ids ${id})
  string(APPEND cells "    {\"id\": \"${id}\", \"cuda\": \"${plan_TOOLKIT_CUDA}\", \"kind\": \"${kind}\","
         " \"archs\": [\"${archs_json}\"], \"labels\": [\"${labels_json}\"], ${plan_TOOLKIT_JSON}, \"definitions\": ${definitions_json}},\n")
  set(plan_${id}_CUDA "${plan_TOOLKIT_CUDA}" PARENT_SCOPE)
  set(plan_${id}_KIND ${kind} PARENT_SCOPE)
  set(plan_${id}_ARCHS "${archs}" PARENT_SCOPE)
  set(plan_${id}_LABELS "${labels}" PARENT_SCOPE)
  set(plan_${id}_HOST_COMPILER "${plan_TOOLKIT_HOST_COMPILER}" PARENT_SCOPE)
  set(plan_${id}_LIBRARIES "${plan_TOOLKIT_LIBRARIES}" PARENT_SCOPE)
  set(plan_${id}_TARGETS "${plan_TOOLKIT_TARGETS}" PARENT_SCOPE)
  set(plan_${id}_DEFINITIONS "${definitions}" PARENT_SCOPE)
  set(plan_${id}_ENFORCE_ARCHS "${matrix_ENFORCE_ARCHS}" PARENT_SCOPE)
  set(plan_${id}_REDIRECT_OUTPUTS "${matrix_REDIRECT_OUTPUTS}" PARENT_SCOPE)
  foreach(label IN LISTS sm)
    list(APPEND plan_SERVE_${label} ${id})
    set(plan_SERVE_${label} "${plan_SERVE_${label}}" PARENT_SCOPE)
  endforeach()
endmacro()

# _archgrid_plan_fill_definitions(<list> <json> <cell> <arch>...)
#
# Sets <list> and <json> to the toolkit's definitions with placeholders filled for <cell>, which has
# these archs.
function(_archgrid_plan_fill_definitions list json cell)
  _archgrid_matrix_spell_archs(spelled ${ARGN})
  set(items "")
  set(members "")
  foreach(definition path IN ZIP_LISTS plan_TOOLKIT_DEFINITIONS plan_TOOLKIT_DEFINITION_PATHS)
    string(REGEX MATCH "^([^=]*)=(.*)$" parts "${definition}")
    set(key "${CMAKE_MATCH_1}")
    set(value "${CMAKE_MATCH_2}")
    _archgrid_matrix_check_sayable("${path}" "${value}" "${plan_TOOLKIT_DEFINITIONS}" ${cell} ${ARGN})
    _archgrid_matrix_fill(value "${value}" spelled)
    _archgrid_matrix_add_definition(items members "${key}" "${value}")
  endforeach()
  set(${list} "${items}" PARENT_SCOPE)
  set(${json} "{${members}}" PARENT_SCOPE)
endfunction()

# Appends the calling function's cells to those of its caller. Once per toolkit, as the lists may be
# long.
macro(_archgrid_plan_hand_up)
  set(plan_CELLS ${plan_CELLS} ${ids} PARENT_SCOPE)
  set(plan_CELLS_JSON "${plan_CELLS_JSON}${cells}" PARENT_SCOPE)
  set(plan_AUDITS "${plan_AUDITS}" PARENT_SCOPE)
  set(plan_AUDITS_JSON "${plan_AUDITS_JSON}" PARENT_SCOPE)
endmacro()

# Sets plan_JOBS to a job for each device that has a runner, and plan_UNTESTED to the promised
# devices without one.
function(_archgrid_plan_add_jobs)
  set(jobs "")
  set(jobs_json "")
  foreach(device IN LISTS matrix_RUNNERS)
    string(REPLACE "." "" job "sm${device}")
    if("${plan_SERVE_${job}}" STREQUAL "")
      _archgrid_matrix_fail("runners[\"${device}\"]" "no cell is for the device ${device}, so its job would test nothing"
                            "promise the device, add the arch to a toolkit, or remove the runner")
    endif()
    _archgrid_json_quote_list(runner_json ${matrix_RUNNER_${device}})
    _archgrid_json_quote_list(cells_json ${plan_SERVE_${job}})
    list(APPEND jobs ${job})
    string(APPEND jobs_json "    {\"name\": \"${job}\", \"device\": \"${device}\", \"preset\": \"${job}\","
           " \"runner\": ${runner_json}, \"cells\": ${cells_json}},\n")
    set(plan_JOB_${job}_DEVICE "${device}" PARENT_SCOPE)
    set(plan_JOB_${job}_RUNNER "${matrix_RUNNER_${device}}" PARENT_SCOPE)
    set(plan_JOB_${job}_CELLS "${plan_SERVE_${job}}" PARENT_SCOPE)
  endforeach()
  set(untested ${matrix_PROMISED})
  list(REMOVE_ITEM untested ${matrix_RUNNERS} "")
  set(plan_JOBS "${jobs}" PARENT_SCOPE)
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
  string(CONCAT json
         "{\n  \"schema\": \"archgrid.plan/1\",\n  \"name\": \"${matrix_NAME}\",\n  \"matrix\": ${file},\n"
         "  \"cells\": ${cells},\n  \"excluded\": ${excluded},\n  \"audits\": ${audits},\n  \"jobs\": ${jobs},\n"
         "  \"untested\": ${untested}\n}\n")
  set(${out} "${json}" PARENT_SCOPE)
endfunction()

# _archgrid_plan_write_github(<out> <limit>)
#
# Sets <out> to the jobs on one line, as GitHub's fromJSON expects them for `strategy.matrix`. Fails
# if there are none, or more than <limit>, the maximum of one workflow's matrix.
function(_archgrid_plan_write_github out limit)
  list(LENGTH plan_JOBS count)
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
