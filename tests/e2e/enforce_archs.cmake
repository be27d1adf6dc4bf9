# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

# Checks "enforce_archs": a project that sets its own archs, by variable and by property, also in
# subfolders, is built for the cell's archs, except targets of PTX for one arch. The user's includes
# at the first project() call still work.
file(WRITE "${WORK}/note.cmake" "set(FIXED_ARCHS_NOTE yes)\n")
set(matrix "{
  \"name\": \"enforced\",
  \"toolkits\": [{\"cuda\": \"13.5\", \"archs\": [\"80-real\", \"100f-real\"]}],
  \"cells\": [\"fat\"],
  \"enforce_archs\": true,
  \"definitions\": {\"CMAKE_PROJECT_TOP_LEVEL_INCLUDES\": \"${WORK}/note.cmake\"},
  \"promises\": [{\"devices\": [\"8.0\", \"8.6\", \"10.0\"]},
    {\"devices\": [\"8.0\", \"8.6\", \"10.0\"], \"kernels\": \"loaded*\", \"accept\": [\"jit\"]}]
}
")
e2e_tree(enforced MATRIX "${matrix}" SOURCE "${E2E}/fixed_archs")
e2e_expect(pass)
e2e_build(matrix)
e2e_expect(pass MATCH "1 cell: 1 built")
foreach(artifact IN ITEMS by_variable below/libby_property.so)
  e2e_run("${COMMAND}" list "${TREE}/cells/cu135-fat/${artifact}")
  e2e_expect(pass MATCH "sass  80 " "sass  100f " WITHOUT "sass  75 " "sass  90 ")
endforeach()
file(GLOB_RECURSE ptx "${TREE}/cells/cu135-fat/CMakeFiles/to_ptx.dir/*.ptx")
e2e_run("${COMMAND}" list "${ptx}")
e2e_expect(pass MATCH "ptx +80 ")
file(READ "${TREE}/cells/cu135-fat.log" log)
if(NOT log MATCHES "included before: yes")
  message(FATAL_ERROR "CMAKE_PROJECT_TOP_LEVEL_INCLUDES of the matrix file was lost:\n${log}")
endif()
e2e_ctest(--preset default)
e2e_expect(pass MATCH "note: \"enforce_archs\" replaces the archs that the project sets" "promise holds")
