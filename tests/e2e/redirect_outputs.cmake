# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

# "redirect_outputs": what a project would put into its source tree, or anywhere else outside its build tree, lies in the
# cell's tree and is audited there; without it the cell is refused.
foreach(redirect IN ITEMS true false)
  set(matrix "{
  \"name\": \"redirected\",
  \"toolkits\": [{\"cuda\": \"13.5\", \"archs\": [\"80-real\"]}],
  \"cells\": [\"fat\"],
  \"redirect_outputs\": ${redirect},
  \"definitions\": {\"OUTSIDE_FOLDER\": \"${WORK}/elsewhere\"},
  \"promises\": [{\"devices\": [\"8.0\"]}]
}
")
  file(COPY "${E2E}/outside_outputs" "${E2E}/tiny" DESTINATION "${WORK}/${redirect}")
  e2e_tree(tree_${redirect} MATRIX "${matrix}" SOURCE "${WORK}/${redirect}/outside_outputs")
  e2e_expect(pass)
  e2e_build(matrix)
  if(redirect STREQUAL "true")
    e2e_expect(pass MATCH "1 cell: 1 built")
    if(EXISTS "${WORK}/true/outside_outputs/package" OR EXISTS "${WORK}/elsewhere")
      message(FATAL_ERROR "the project still writes outside the cell's tree")
    endif()
    file(READ "${TREE}/cells/cu135-fat.json" status)
    if(NOT status MATCHES "redirected/package/libpackage_library.so" OR NOT status MATCHES "redirected/[^\"]*elsewhere/program")
      message(FATAL_ERROR "other artifacts than expected: ${status}")
    endif()
    e2e_ctest(--preset default)
    e2e_expect(pass MATCH "promise holds")
  else()
    e2e_expect(pass MATCH "1 cell: 0 built, 1 failed" "target (package_library|program) writes /[^\n]*, outside the cell's tree"
      "CMakeLists\\.txt:1[0-9] sets (LIBRARY|RUNTIME)_OUTPUT_DIRECTORY" "\"redirect_outputs\": true")
    file(GLOB_RECURSE objects "${TREE}/cells/cu135-fat/*.o")
    if(EXISTS "${WORK}/false/outside_outputs/package/libpackage_library.so" OR objects)
      message(FATAL_ERROR "it was compiled before it was refused: ${objects}")
    endif()
    if(EXISTS "${TREE}/cells/cu135-fat.log.ninja")
      message(FATAL_ERROR "the refused cell leaves cells/cu135-fat.log.ninja behind")
    endif()
  endif()
endforeach()
