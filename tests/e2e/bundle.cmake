# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

# Checks that built cells can be bundled: after unpacking at another path, with the original tree
# hidden and a PATH with ctest but no toolkit or compiler, `ctest --preset sm90` runs, and failures
# stay failures.
e2e_matrix(matrix CUDA 13.5 ARCHS 75 90 DEVICES 7.5 9.0 CELLS single fat ACCEPT native compatible)

# Packs PROJECT's cells, hides the project, and unpacks the archive to WORK/<name>/runner.
macro(travel name)
  e2e_run("${CMAKE_COMMAND}" "-DTREE=${TREE}" "-DOUTPUT=${WORK}/${name}.tar.zst" ${ARGN}
    -P "${ROOT}/cmake-modules/archgrid/bundle.cmake")
  e2e_expect(pass MATCH "cells, [0-9]+ kB")
  file(RENAME "${PROJECT}" "${PROJECT}.hidden")
  set(runner "${WORK}/elsewhere/${name}")
  file(ARCHIVE_EXTRACT INPUT "${WORK}/${name}.tar.zst" DESTINATION "${runner}")
endmacro()
# Runs ctest at the runner, with a clean environment.
macro(runner_ctest)
  execute_process(COMMAND /usr/bin/env -i "PATH=${WORK}/bin" "${WORK}/bin/ctest" ${ARGV} WORKING_DIRECTORY "${runner}"
    OUTPUT_VARIABLE output ERROR_VARIABLE output RESULT_VARIABLE result)
endmacro()
file(MAKE_DIRECTORY "${WORK}/bin")
file(CREATE_LINK "${CTEST}" "${WORK}/bin/ctest" SYMBOLIC)

e2e_tree(good MATRIX "${matrix}" SOURCE "${E2E}/tiny")
e2e_build(matrix)
e2e_run("${CMAKE_COMMAND}" "-DTREE=${TREE}" "-DOUTPUT=${WORK}/part.tar.zst" -DLABEL=sm90
  -P "${ROOT}/cmake-modules/archgrid/bundle.cmake")
file(WRITE "${WORK}/broken/zstd" "#!/bin/sh\necho 'no space left' >&2\nexit 1\n")
file(CHMOD "${WORK}/broken/zstd" PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE)
e2e_run("${CMAKE_COMMAND}" -E env "PATH=${WORK}/broken:$ENV{PATH}"
  "${CMAKE_COMMAND}" "-DTREE=${TREE}" "-DOUTPUT=${WORK}/broken.tar.zst"
  -P "${ROOT}/cmake-modules/archgrid/bundle.cmake")
e2e_expect(fail MATCH "broken.tar.zst could not be written: [^\n]*no space left")
file(GLOB left "${WORK}/broken.tar.zst*")
if(left)
  message(FATAL_ERROR "a bundle that could not be written left ${left}")
endif()
file(WRITE "${WORK}/good.tar.zst.stage/mine" "a folder of the user's")
travel(good)
file(GLOB left "${WORK}/good.tar.zst*")
if(NOT EXISTS "${WORK}/good.tar.zst.stage/mine"
    OR NOT "${left}" STREQUAL "${WORK}/good.tar.zst;${WORK}/good.tar.zst.stage")
  message(FATAL_ERROR "packing removed a folder of the user's, or left files behind: ${left}")
endif()
runner_ctest(--preset sm90)
e2e_expect(pass MATCH "cu135-fat/AUDIT/sm90 \\.+ +Passed" "cu135-sm90/runs \\.+ +Passed"
  "promise holds" WITHOUT "good\\.hidden" "cu135-sm75")
runner_ctest(--preset sm75)
e2e_expect(pass MATCH "cu135-sm75/runs \\.+ +Passed")

# The runner's ctest may be newer than the CMake that packed.
include("${ROOT}/tests/cmake_releases/find.cmake")
archgrid_find_cmake_release(newest cmake)
if(NOT cmake)
  message(FATAL_ERROR
    "CMake ${cmake_VERSION}, the newest that is tested, is not in the folder of toolkits\n  Fix: ./setup --dev")
endif()
cmake_path(REPLACE_FILENAME cmake ctest OUTPUT_VARIABLE newest_ctest)
execute_process(COMMAND "${newest_ctest}" --preset sm90 WORKING_DIRECTORY "${runner}"
  OUTPUT_VARIABLE output ERROR_VARIABLE output RESULT_VARIABLE result)
e2e_expect(pass MATCH "cu135-fat/AUDIT/sm90 \\.+ +Passed" "promise holds" WITHOUT "CMake Warning" "CMake Error")

# With only some of the cells, findings that need all cells are omitted.
set(runner "${WORK}/elsewhere/part")
file(ARCHIVE_EXTRACT INPUT "${WORK}/part.tar.zst" DESTINATION "${runner}")
runner_ctest(--preset matrix)
e2e_expect(pass MATCH "cu135-fat/AUDIT/sm90 \\.+ +Passed" "promise holds" WITHOUT "not-built" "PROMISES" "cu135-sm75")
runner_ctest(--preset sm120)
e2e_expect(fail MATCH
  "\nsm120: nothing to build or test in this bundle: no single cell has this arch, and no fat cell is promised to serve it\n")
if(EXISTS "${runner}/build/matrix/cells/cu135-sm75")
  message(FATAL_ERROR "LABEL=sm90 took cu135-sm75 along")
endif()

# Archives of different cells are joined. With all cells, PROMISES compares them again.
set(PROJECT "${WORK}/good.hidden")
file(RENAME "${PROJECT}" "${WORK}/good")
foreach(part IN ITEMS fat sm75 sm90)
  e2e_run("${CMAKE_COMMAND}" "-DTREE=${TREE}" "-DOUTPUT=${WORK}/${part}.tar.zst" -DCELLS=cu135-${part}
    -P "${ROOT}/cmake-modules/archgrid/bundle.cmake")
  e2e_expect(pass MATCH "1 cells, [0-9]+ kB")
endforeach()
e2e_run("${CMAKE_COMMAND}" "-DTREE=${TREE}" "-DOUTPUT=${WORK}/no.tar.zst" -DCELLS=cu135-sm120
  -P "${ROOT}/cmake-modules/archgrid/bundle.cmake")
e2e_expect(fail MATCH "no cell cu135-sm120 among those of")
file(RENAME "${WORK}/good" "${PROJECT}")
macro(join name) # archives...
  set(archives "${ARGN}")
  list(TRANSFORM archives REPLACE "(.+)" "${WORK}/\\1.tar.zst")
  set(runner "${WORK}/elsewhere/${name}")
  # e2e_run() would split the list.
  execute_process(COMMAND "${CMAKE_COMMAND}" "-DARCHIVE=${archives}" "-DOUTPUT=${runner}"
    -P "${ROOT}/cmake-modules/archgrid/unbundle.cmake"
    OUTPUT_VARIABLE output ERROR_VARIABLE output RESULT_VARIABLE result)
endmacro()
join(joined fat sm75 sm90)
e2e_expect(pass)
runner_ctest(--preset matrix)
e2e_expect(pass MATCH "PROMISES \\.+ +Passed" "cu135-sm75/runs \\.+ +Passed" "cu135-fat/AUDIT/sm90 \\.+ +Passed"
  "promise holds")
join(two fat sm90)
e2e_expect(pass)
runner_ctest(--preset sm90)
e2e_expect(pass MATCH "cu135-sm90/runs \\.+ +Passed" WITHOUT "PROMISES" "cu135-sm75")
join(twice fat sm75 fat)
e2e_expect(fail MATCH "fat.tar.zst: another archive has the cell cu135-fat, too")
file(GLOB left "${WORK}/elsewhere/twice*")
if(left)
  message(FATAL_ERROR "refused archives left ${left}")
endif()

e2e_matrix(fat CUDA 13.5 ARCHS 75 90 DEVICES 7.5 9.0 CELLS fat ACCEPT native compatible)
e2e_tree(bad MATRIX "${fat}" SOURCE "${E2E}/tiny" DEFINITIONS "TINY_SECOND_ARCHS=75-real")
e2e_build(matrix)
travel(bad -DLABEL=sm90)
runner_ctest(--preset sm90)
e2e_expect(fail MATCH "cu135-fat/AUDIT/sm90 \\.+\\*\\*\\*Failed" "second_kernel")

join(mixed sm75 bad)
e2e_expect(fail MATCH "bad.tar.zst: it is of another matrix file")

# Tests that use files outside their cell are not run, and messages on both sides say so.
e2e_tree(foreign MATRIX "${matrix}" SOURCE "${E2E}/foreign")
e2e_build(matrix)
e2e_run("${CMAKE_COMMAND}" "-DTREE=${TREE}" "-DOUTPUT=${WORK}/foreign.tar.zst"
  -P "${ROOT}/cmake-modules/archgrid/bundle.cmake")
e2e_expect(pass MATCH "cu135-fat/nested does not travel: it uses [^\n]*nested/CMakeLists.txt")
file(RENAME "${PROJECT}" "${PROJECT}.hidden")
set(runner "${WORK}/elsewhere/foreign")
file(ARCHIVE_EXTRACT INPUT "${WORK}/foreign.tar.zst" DESTINATION "${runner}")
file(CREATE_LINK "${CMAKE_COMMAND}" "${WORK}/bin/cmake" SYMBOLIC)
runner_ctest(--preset sm90)
e2e_expect(pass MATCH "cu135-fat/use \\.+ +Passed" "cu135-fat/odd name \\.+ +Passed"
  "cu135-fat/nested \\.+\\*\\*\\*Skipped")
file(READ "${runner}/build/matrix/Testing/Temporary/LastTest.log" log)
if(NOT log MATCHES "not run here: it uses [^\n]*nested/CMakeLists.txt, which did not travel")
  message(FATAL_ERROR "the reason of a skipped test is missing:\n${log}")
endif()

# Errors.
e2e_run("${CMAKE_COMMAND}" "-DTREE=${WORK}/nowhere" "-DOUTPUT=${WORK}/x.tar.zst"
  -P "${ROOT}/cmake-modules/archgrid/bundle.cmake")
e2e_expect(fail MATCH "is no tree of")
e2e_tree(unbuilt MATRIX "${matrix}" SOURCE "${E2E}/tiny")
e2e_run("${CMAKE_COMMAND}" "-DTREE=${TREE}" "-DOUTPUT=${WORK}/x.tar.zst"
  -P "${ROOT}/cmake-modules/archgrid/bundle.cmake")
e2e_expect(fail MATCH "is not built")
file(GLOB left "${WORK}/x.tar.zst*")
if(left)
  message(FATAL_ERROR "a refused bundle left files behind")
endif()
