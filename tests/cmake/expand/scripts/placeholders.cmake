# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

# Checks every placeholder in every kind of cell, in the plan and as its reader returns it, and
# each @ that is literal.
cmake_minimum_required(VERSION 3.25)
include("${ARCHGRID_MODULES}/archgrid/expand.cmake")
include("${ARCHGRID_MODULES}/archgrid/detail/plan.cmake")

file(WRITE "${CASE_BINARY}/m.json" [==[{
  "name": "m",
  "toolkits": [
    {"cuda": "13.0", "archs": ["80-real", "90", "100f-real", "121a"],
     "definitions": {"ONE": "@ARCHS@", "GENCODE": "-O2 @GENCODE@", "OWN": "two words; @SM@", "TEXT": "@AT@ARCHS@AT@ me@x.org @ONLY a @ b@c \"\\d"}},
    {"cuda": "13.0", "variant": "ptx", "archs": ["90", "120-virtual"], "definitions": {"ONE": "@CMAKE_ARCHS@"}}
  ],
  "definitions": {
    "ONE": "overridden",
    "BIN": "@REAL_CAPABILITIES@", "PTX": "@VIRTUAL_CAPABILITIES@", "BINS": "@REAL_ARCHS_COMMA@|@VIRTUAL_ARCHS_SPACE@",
    "FLAGS": "@GENCODE_LIST@"
  }
}]==])
archgrid_expand(MATRIX "${CASE_BINARY}/m.json" RESULT plan)
string(JSON cells GET "${plan}" cells)
set(ids "")
_archgrid_plan_get("${plan}" CELLS planned)
foreach(cell IN LISTS planned)
  _archgrid_plan_get("${cell}" ID id)
  _archgrid_plan_get("${cell}" DEFINITIONS definitions_${id})
  list(APPEND ids ${id})
endforeach()

# Checks the value of NAME in the definitions of CELL, in the plan and as its reader returns it.
function(expect cell name value)
  list(FIND ids "${cell}" place)
  string(JSON found GET "${cells}" ${place} definitions "${name}")
  if(NOT found STREQUAL value)
    message(SEND_ERROR "${cell}: the plan has ${name}=${found} and should have ${value}")
  endif()
  set(seen "")
  foreach(definition IN LISTS definitions_${cell})
    if(definition MATCHES "^${name}=(.*)$")
      set(seen "${CMAKE_MATCH_1}")
    endif()
  endforeach()
  if(NOT seen STREQUAL value)
    message(SEND_ERROR "${cell}: the reader returns ${name}=${seen} and should have ${value}")
  endif()
endfunction()

expect(cu130-fat ONE "80;90;100f;121a")
expect(cu130-fat OWN "two words; sm_80;sm_90;sm_100f;sm_121a")
expect(cu130-fat BIN "8.0;9.0;10.0f;12.1a")
expect(cu130-fat PTX "9.0;12.1a")
expect(cu130-fat BINS "80,90,100f,121a|90 121a")
expect(cu130-fat GENCODE "-O2 -gencode=arch=compute_80,code=sm_80 -gencode=arch=compute_90,code=sm_90 \
-gencode=arch=compute_90,code=compute_90 -gencode=arch=compute_100f,code=sm_100f \
-gencode=arch=compute_121a,code=sm_121a -gencode=arch=compute_121a,code=compute_121a")
expect(cu130-fat TEXT "@ARCHS@ me@x.org @ONLY a @ b@c \"\\d")
expect(cu130-sm80 ONE "80")
expect(cu130-sm80 BIN "8.0")
expect(cu130-sm80 PTX "")
expect(cu130-sm80 FLAGS "-gencode=arch=compute_80,code=sm_80")
expect(cu130-sm100f GENCODE "-O2 -gencode=arch=compute_100f,code=sm_100f")
expect(cu130-ptx-fat ONE "90;120-virtual")
expect(cu130-ptx-fat BIN "9.0")
expect(cu130-ptx-fat PTX "9.0;12.0")
expect(cu130-ptx-compute120 ONE "120-virtual")
expect(cu130-ptx-compute120 BIN "")
expect(cu130-ptx-compute120 PTX "12.0")
expect(cu130-ptx-compute120 BINS "|120")
expect(cu130-ptx-compute120 FLAGS "-gencode=arch=compute_120,code=compute_120")

# Every list, with each separator.
set(lists "")
set(text "")
foreach(list IN ITEMS ARCHS REAL_ARCHS VIRTUAL_ARCHS CAPABILITIES REAL_CAPABILITIES VIRTUAL_CAPABILITIES SM CMAKE_ARCHS)
  foreach(separator IN ITEMS "" _COMMA _SPACE)
    string(APPEND text "@${list}${separator}@|")
  endforeach()
endforeach()
file(WRITE "${CASE_BINARY}/m.json"
     "{\"name\": \"m\", \"cells\": [\"fat\"], \"definitions\": {\"ALL\": \"${text}\"},
       \"toolkits\": [{\"cuda\": \"13.0\", \"archs\": [\"80-real\", \"90a\", \"103\"]}]}")
archgrid_expand(MATRIX "${CASE_BINARY}/m.json" RESULT plan)
_archgrid_plan_get("${plan}" CELLS cell)
_archgrid_plan_get("${cell}" DEFINITIONS definitions)
list(GET definitions 0 all)
string(CONCAT expected "ALL=80;90a;103|80,90a,103|80 90a 103|" "80;90a;103|80,90a,103|80 90a 103|"
  "90a;103|90a,103|90a 103|"
       "8.0;9.0a+PTX;10.3+PTX|8.0,9.0a+PTX,10.3+PTX|8.0 9.0a+PTX 10.3+PTX|" "8.0;9.0a;10.3|8.0,9.0a,10.3|8.0 9.0a 10.3|"
       "9.0a;10.3|9.0a,10.3|9.0a 10.3|" "sm_80;sm_90a;sm_103|sm_80,sm_90a,sm_103|sm_80 sm_90a sm_103|"
       "80-real;90a;103|80-real,90a,103|80-real 90a 103|")
if(NOT all STREQUAL expected)
  message(SEND_ERROR "the lists are\n${all} and should be\n${expected}")
endif()
