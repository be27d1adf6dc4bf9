# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

# Runs the core with the oldest supported CMake and with the newest one: configure, build, passing
# and failing tests, closing check.
include("${ROOT}/tests/cmake_releases/find.cmake")
foreach(release IN ITEMS oldest newest)
  archgrid_find_cmake_release(${release} cmake)
  if(NOT cmake)
    message(FATAL_ERROR
      "CMake ${cmake_VERSION}, the ${release} that is tested, is not in the folder of toolkits\n  Fix: ./setup --dev")
  endif()
  set(ninja "${NINJA}")
  if(cmake_NINJA)
    set(ninja "${cmake_NINJA}")
  endif()
  e2e_run("${cmake}" -DCASE=ctest_log "-DWORK=${WORK}/${release}/trees" "-DROOT=${ROOT}" "-DCOMMAND=${COMMAND}"
    "-DNINJA=${ninja}" -P "${E2E}/e2e.cmake")
  e2e_expect(pass)
  file(STRINGS "${WORK}/${release}/trees/tree/build/matrix/CMakeCache.txt" major
    REGEX "^CMAKE_CACHE_(MAJOR|MINOR|PATCH)_VERSION")
  string(REGEX REPLACE "[^;=]*=([0-9]+)" "\\1" major "${major}")
  list(JOIN major "." version)
  if(NOT version STREQUAL cmake_VERSION)
    message(FATAL_ERROR "the tree was configured by CMake ${version}, not ${cmake_VERSION}")
  endif()
endforeach()
