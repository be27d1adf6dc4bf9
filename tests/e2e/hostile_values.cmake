# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

# Checks that values of a matrix file that look like CMake code arrive unchanged, and are never
# executed: definitions, patterns of skipped tests, and the folder of the tree.
set(owned "${WORK}/owned")
set(definition "[[x]==] CACHE STRING \"\") file(TOUCH ${owned}) set(y [==[y]] $<1:genex> @cell_id@ \${HOME} \\n")
set(deeper "[=[x]=====]) file(TOUCH ${owned}) set(y [=====[y]=]")
set(skipped "]==]) file(TOUCH ${owned}) set(y [==[$<ANGLE-R>\${HOME}@cell_id@")
set(json "{\"name\": \"hostile\", \"toolkits\": [{\"cuda\": \"13.5\", \"archs\": [\"90\"]}], \"cells\": [\"single\"],
\"promises\": [{\"devices\": [\"9.0\"], \"accept\": [\"native\"]}]}")
foreach(name IN ITEMS definition deeper skipped)
  string(REPLACE "\\" "\\\\" quoted "${${name}}")
  string(REPLACE "\"" "\\\"" quoted_${name} "${quoted}")
endforeach()
# The spelling of a literal @ in definitions.
string(REPLACE "@" "@AT@" quoted_definition "${quoted_definition}")
string(JSON json SET "${json}" definitions "{\"FIRST\": \"${quoted_definition}\", \"SECOND\": \"${quoted_deeper}\"}")
string(JSON json SET "${json}" skips
  "[{\"devices\": [\"9.0\"], \"tests\": \"${quoted_skipped}\", \"reason\": \"planted\"}]")
e2e_tree("odd 'folder' \$HOME" MATRIX "${json}" SOURCE "${E2E}/tiny")
e2e_expect(pass)

# Fails unless VARIABLE, set by a file of the tree, has the value EXPECTED.
function(expect_value variable expected)
  if(NOT "${${variable}}" STREQUAL "${expected}")
    message(FATAL_ERROR "${variable} is\n${${variable}}\nand should be\n${expected}")
  endif()
endfunction()
include("${ROOT}/cmake-modules/archgrid/detail/plan.cmake")
file(READ "${TREE}/plan.json" plan)
_archgrid_plan_get("${plan}" SKIPS skips)
_archgrid_unmask_list_syntax("${skips}" skips)
expect_value(skips "${skipped}")
include("${TREE}/command.cmake")
expect_value(matrix_command "${COMMAND}")
include("${TREE}/cells/cu135-sm90.config.cmake")
expect_value(cell_source "${E2E}/tiny")
file(WRITE "${WORK}/cache.cmake" "${cell_cache}")
include("${WORK}/cache.cmake")
expect_value(FIRST "${definition}")
expect_value(SECOND "${deeper}")
e2e_run("${CTEST}" --test-dir "${TREE}")
e2e_expect(fail MATCH "cu135-sm90/BUILT" "GPU tests|never built|promise broken")
if(EXISTS "${owned}")
  message(FATAL_ERROR "a value of the matrix file ran as CMake code")
endif()
