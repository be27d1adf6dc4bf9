# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

# Compares the benchmarks PROGRAMS, patterns of paths in the cell CELL, with those of base/, which has
# the same cell of an earlier commit: both run in turn on this GPU.
include("${CMAKE_CURRENT_LIST_DIR}/common.cmake")
matrix_variable(cell CELL)
matrix_variable(patterns PROGRAMS)
file(REMOVE_RECURSE results head)
set(here "${CMAKE_CURRENT_BINARY_DIR}")

# unpack(<name> <bundles>): unpacks the cells of the folder <bundles> into <name>/.
function(unpack name bundles)
  file(REMOVE_RECURSE cells)
  file(GLOB archives ${bundles}/*/cells.tar.zst)
  if(NOT archives)
    matrix_finish("${name}: no cells arrived: the jobs that build them failed")
  endif()
  execute_process(COMMAND "${CMAKE_COMMAND}" "-DARCHIVE=${archives}" "-DOUTPUT=${here}/${name}"
    -P "${ARCHGRID_ROOT}/cmake-modules/archgrid/unbundle.cmake" RESULT_VARIABLE result)
  if(NOT result EQUAL 0 OR NOT EXISTS "${here}/${name}/build/matrix/cells/${cell}.json")
    matrix_finish("${name}: the cell ${cell} cannot be unpacked, or was not built")
  endif()
endfunction()

# starter(<out> <name> <program>): sets <out> to a script that runs a program of <name>/ with its own
# libraries.
function(starter out name program)
  set(tree "${here}/${name}/build/matrix")
  cmake_path(GET program PARENT_PATH folder)
  string(MD5 id "${program}")
  set(script "${here}/${name}/run-${id}.sh")
  file(GLOB_RECURSE libraries "${tree}/cells/${cell}/*.so*")
  set(folders "${tree}/cells/${cell}/archgrid-lib" "${tree}/lib")
  foreach(library IN LISTS libraries)
    cmake_path(GET library PARENT_PATH folder)
    list(PREPEND folders "${folder}")
  endforeach()
  list(REMOVE_DUPLICATES folders)
  list(JOIN folders ":" path)
  file(WRITE "${script}" "#!/bin/sh\nLD_LIBRARY_PATH='${path}' exec '${tree}/cells/${cell}/${program}' \"$@\"\n")
  file(CHMOD "${script}" PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE)
  set(${out} "${script}" PARENT_SCOPE)
endfunction()

file(REMOVE_RECURSE base head)
unpack(base base-bundles)
unpack(head bundles)
string(REGEX REPLACE "[ \n]+" ";" patterns "${patterns}")
set(programs "")
foreach(pattern IN LISTS patterns)
  file(GLOB found RELATIVE "${here}/head/build/matrix/cells/${cell}" "${here}/head/build/matrix/cells/${cell}/${pattern}")
  if(NOT found)
    matrix_finish("perf: ${cell} has no program ${pattern}")
  endif()
  list(APPEND programs ${found})
endforeach()
set(problems "")
file(MAKE_DIRECTORY results)
foreach(program IN LISTS programs)
  if(NOT EXISTS "${here}/base/build/matrix/cells/${cell}/${program}")
    message("${program}: new, the base lacks it")
    continue()
  endif()
  starter(old base ${program})
  starter(new head ${program})
  string(REPLACE "/" "-" name "${program}")
  execute_process(COMMAND "${CMAKE_COMMAND}" -E env "LD_LIBRARY_PATH=${here}/head/build/matrix/lib"
    "${here}/head/build/matrix/bin/archgrid" perf run --base "${old}" --new "${new}" --github
    --markdown "${here}/results/${name}.md" --save-base "${here}/results/${name}-base.json"
    --save-new "${here}/results/${name}-new.json" RESULT_VARIABLE result)
  if(result EQUAL 1)
    list(APPEND problems "${program}: slower, or without data")
  elseif(NOT result EQUAL 0)
    list(APPEND problems "${program}: not measured, see above")
  endif()
endforeach()
matrix_finish(${problems})
