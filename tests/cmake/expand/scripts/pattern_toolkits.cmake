# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

# Checks that a promise with patterns and without "toolkits" adds its devices to the builds that the
# other promises name for them, and to all builds where none does.
cmake_minimum_required(VERSION 3.25)
include("${ARCHGRID_MODULES}/archgrid/expand.cmake")

# Checks that fat builds are audited for the devices "<toolkit>=<device>,...", by these promises.
function(expect_audited promises)
  file(WRITE "${CASE_BINARY}/m.json" "{\"name\": \"m\", \"cells\": [\"fat\"], \"promises\": [${promises}],
    \"toolkits\": [{\"cuda\": \"12.4\", \"archs\": [\"75\"]}, {\"cuda\": \"13.0\", \"archs\": [\"75\"]}]}")
  archgrid_expand(MATRIX "${CASE_BINARY}/m.json" OUTPUT "${CASE_BINARY}/plan.json")
  file(READ "${CASE_BINARY}/plan.json" plan)
  set(audited "")
  string(JSON last LENGTH "${plan}" audits)
  math(EXPR last "${last} - 1")
  foreach(i RANGE ${last})
    string(JSON cell GET "${plan}" audits ${i} cell)
    string(JSON devices GET "${plan}" audits ${i} devices)
    string(REGEX REPLACE "[]\" \n[]" "" devices "${devices}")
    string(REGEX REPLACE "^cu([0-9]+)([0-9])-fat$" "\\1.\\2" toolkit "${cell}")
    list(APPEND audited "${toolkit}=${devices}")
  endforeach()
  if(NOT audited STREQUAL "${ARGN}")
    message(SEND_ERROR "${promises}: audited ${audited}, expected ${ARGN}")
  endif()
endfunction()

set(general "{\"devices\": [\"7.5\"]}, {\"devices\": [\"12.0\"], \"toolkits\": [\"13.0\"]}")
set(pattern "\"kernels\": \"*fp8*\", \"devices\"")
expect_audited("${general}, {${pattern}: [\"7.5\", \"12.0\"]}" "12.4=7.5" "13.0=7.5,12.0")
expect_audited("${general}, {${pattern}: [\"9.0\"]}" "12.4=7.5,9.0" "13.0=7.5,9.0,12.0")
expect_audited("${general}, {${pattern}: [\"12.0\"], \"toolkits\": [\"12.4\"]}" "12.4=7.5,12.0" "13.0=7.5,12.0")
expect_audited("{${pattern}: [\"12.0\"]}, ${general}" "12.4=7.5" "13.0=7.5,12.0")
