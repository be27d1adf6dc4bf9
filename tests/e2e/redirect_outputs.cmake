# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

# Checks "redirect_outputs": outputs that a project would put into its source tree, or elsewhere
# outside its build tree, go to the cell's tree and are audited there. Without it the cell fails.
# Outputs that are outside for another reason also fail it.
foreach(case IN ITEMS true false name)
  set(redirect true)
  set(name "")
  if(case STREQUAL "false")
    set(redirect false)
  elseif(case STREQUAL "name")
    set(name ", \"OUTSIDE_NAME\": \"../../named\"")
  endif()
  set(matrix "{
  \"name\": \"redirected\",
  \"toolkits\": [{\"cuda\": \"13.5\", \"archs\": [\"80-real\"]}],
  \"cells\": [\"fat\"],
  \"redirect_outputs\": ${redirect},
  \"definitions\": {\"OUTSIDE_FOLDER\": \"${WORK}/elsewhere\"${name}},
  \"promises\": [{\"devices\": [\"8.0\"]}]
}
")
  file(COPY "${E2E}/outside_outputs" "${E2E}/tiny" DESTINATION "${WORK}/${case}")
  e2e_tree(tree_${case} MATRIX "${matrix}" SOURCE "${WORK}/${case}/outside_outputs")
  e2e_expect(pass)
  e2e_build(matrix)
  if(case STREQUAL "true")
    e2e_expect(pass MATCH "1 cell: 1 built")
    if(EXISTS "${WORK}/true/outside_outputs/package" OR EXISTS "${WORK}/true/outside_outputs/bin"
        OR EXISTS "${WORK}/elsewhere"
        OR EXISTS "${TREE}/cells/relative")
      message(FATAL_ERROR "the project still writes outside the cell's tree")
    endif()
    file(READ "${TREE}/cells/cu135-fat.json" status)
    foreach(artifact IN ITEMS redirected/package/libpackage_library.so
      "redirected/[^\"]*elsewhere/program" redirected/bin/in_source
        "redirected/[^\"]*elsewhere/other/elsewhere" kept/inside
        "redirected/[^\"]*cells/relative/relative" relatively/relative_inside)
      if(NOT status MATCHES "\"${artifact}\"")
        message(FATAL_ERROR "${artifact} is not an artifact: ${status}")
      endif()
    endforeach()
    e2e_ctest(--preset default)
    e2e_expect(pass MATCH "promise holds")
  elseif(case STREQUAL "false")
    e2e_expect(pass MATCH "1 cell: 0 built, 1 failed"
      "target (package_library|program|in_source|elsewhere|relative) writes [^\n]*, outside the cell's tree"
      "\"redirect_outputs\": true")
    file(READ "${TREE}/cells/cu135-fat.log" log)
    foreach(line IN ITEMS "package_library 11 LIBRARY" "program 15 RUNTIME" "in_source 21 RUNTIME"
      "relative 25 RUNTIME")
      separate_arguments(line)
      list(POP_FRONT line target number kind)
      if(NOT log MATCHES "target ${target} writes [^:]*: CMakeLists\\.txt:${number} sets ${kind}_OUTPUT_DIRECTORY\\.")
        message(FATAL_ERROR "the line for ${target} is not ${number}: ${log}")
      endif()
    endforeach()
    file(GLOB_RECURSE objects "${TREE}/cells/cu135-fat/*.o")
    if(EXISTS "${WORK}/false/outside_outputs/package/libpackage_library.so" OR objects)
      message(FATAL_ERROR "it was compiled before it was refused: ${objects}")
    endif()
    if(EXISTS "${TREE}/cells/cu135-fat.log.ninja")
      message(FATAL_ERROR "the refused cell leaves cells/cu135-fat.log.ninja behind")
    endif()
  else()
    e2e_expect(pass MATCH "1 cell: 0 built, 1 failed" "target inside writes [^\n]*named, outside the cell's tree"
      "Name a folder below CMAKE_BINARY_DIR there[\n ]" WITHOUT "\"redirect_outputs\"")
  endif()
endforeach()

# An edit of a cell that was built before also fails before anything is compiled.
file(COPY "${E2E}/outside_outputs" "${E2E}/tiny" DESTINATION "${WORK}/edited")
set(project "${WORK}/edited/outside_outputs")
file(READ "${project}/CMakeLists.txt" edited)
string(REPLACE "set_target_properties(package_library"
  "return()\nset_target_properties(package_library" inside "${edited}")
file(WRITE "${project}/CMakeLists.txt" "${inside}")
e2e_tree(tree_edited MATRIX "{
  \"name\": \"edited\",
  \"toolkits\": [{\"cuda\": \"13.5\", \"archs\": [\"80-real\"]}],
  \"cells\": [\"fat\"],
  \"definitions\": {\"OUTSIDE_FOLDER\": \"${WORK}/edited/elsewhere\"},
  \"promises\": [{\"devices\": [\"8.0\"]}]
}
" SOURCE "${project}")
e2e_expect(pass)
e2e_build(matrix)
e2e_expect(pass MATCH "1 cell: 1 built")
file(WRITE "${project}/CMakeLists.txt" "${edited}")
e2e_build(matrix)
e2e_expect(pass MATCH "1 cell: 0 built, 1 failed" "target [a-z_]+ writes [^\n]*, outside the cell's tree")
file(GLOB_RECURSE written LIST_DIRECTORIES false "${project}/package/*" "${project}/bin/*" "${WORK}/edited/elsewhere/*")
if(written)
  message(FATAL_ERROR "it was compiled before it was refused: ${written}")
endif()
