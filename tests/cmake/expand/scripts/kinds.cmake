# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

# Checks that every cell is audited, also single ones beside fat ones, and that nothing is audited
# without promises.
cmake_minimum_required(VERSION 3.25)
include("${ARCHGRID_MODULES}/archgrid/expand.cmake")
include("${ARCHGRID_MODULES}/archgrid/detail/plan.cmake")

function(expect_plan top cells audits)
  file(WRITE "${CASE_BINARY}/m.json"
    "{\"name\": \"m\", \"toolkits\": [{\"cuda\": \"12.4\", \"archs\": [\"80\", \"90a\"]}]${top}}")
  archgrid_expand(MATRIX "${CASE_BINARY}/m.json" OUTPUT "${CASE_BINARY}/plan.json" RESULT plan)
  file(READ "${CASE_BINARY}/plan.json" json)
  foreach(list IN ITEMS CELLS AUDITS)
    set(ids_${list} "")
    _archgrid_plan_get("${plan}" ${list} items)
    foreach(item IN LISTS items)
      _archgrid_plan_get("${item}" ID id CELL cell)
      list(APPEND ids_${list} ${id}${cell})
    endforeach()
  endforeach()
  if(NOT ids_CELLS STREQUAL "${cells}" OR NOT ids_AUDITS STREQUAL "${audits}" OR NOT plan STREQUAL json)
    message(SEND_ERROR "${top}: cells ${ids_CELLS}, audits ${ids_AUDITS}, RESULT ${plan}")
  endif()
  list(LENGTH audits count)
  string(JSON length LENGTH "${json}" audits)
  if(NOT count EQUAL length)
    message(SEND_ERROR "${top}: audits in the plan: ${json}")
  endif()
endfunction()

set(promise ", \"promises\": [{\"devices\": [\"9.0\"]}]")
expect_plan("${promise}, \"cells\": [\"single\"]" "cu124-sm80;cu124-sm90a" "cu124-sm80;cu124-sm90a")
expect_plan("${promise}, \"cells\": [\"fat\"]" "cu124-fat" "cu124-fat")
expect_plan("${promise}" "cu124-fat;cu124-sm80;cu124-sm90a" "cu124-fat;cu124-sm80;cu124-sm90a")
expect_plan(", \"cells\": [\"fat\"]" "cu124-fat" "")
