# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

# Checks that a cell whose compilers were detected elsewhere has the same cache entries and values
# as after a plain configure, where a project may read them (CMAKE_STRIP, CMAKE_OBJCOPY, flags,
# ...).
find_program(STRIP strip REQUIRED)
set(ENV{ARCHGRID_COMPILERS} "${WORK}/compilers")
e2e_matrix(matrix CUDA 13.5 ARCHS 90 DEVICES 9.0 CELLS fat ACCEPT native)
e2e_tree(tree MATRIX "${matrix}" SOURCE "${E2E}/foreign")
e2e_build(matrix)
e2e_expect(pass MATCH "detecting the compilers" "1 cell: 1 built")
set(first "${TREE}")
e2e_run("${CMAKE_COMMAND}" -C "${first}/cells/cu135-fat.cache.cmake" -G Ninja "-DCMAKE_MAKE_PROGRAM=${NINJA}"
  -S "${E2E}/foreign" -B "${WORK}/plain")
e2e_expect(pass)

# `all` and `all-major` mean what this toolkit builds, whatever this CMake assumes.
file(GLOB compiler "${first}/cells/cu135-fat/CMakeFiles/*/CMakeCUDACompiler.cmake")
file(STRINGS "${compiler}" lists REGEX "CMAKE_CUDA_ARCHITECTURES_ALL")
if(NOT lists MATCHES "_ALL \"75-real\\\\?;80-real\\\\?;86-real.*120-real\\\\?;121\"" OR NOT lists MATCHES
    "_ALL_MAJOR \"75-real\\\\?;80-real\\\\?;90-real\\\\?;100-real\\\\?;110-real\\\\?;120\"")
  message(FATAL_ERROR "`all` is not what CUDA 13.5 builds: ${lists}")
endif()

# Sets OUT to the cache entries of BUILD as NAME=VALUE, except CMake's own and those that contain
# the tree's path.
function(cache_of build out)
  file(STRINGS "${build}/CMakeCache.txt" lines REGEX "^[A-Za-z_0-9]+:[A-Z]+=")
  set(entries "")
  foreach(line IN LISTS lines)
    if(NOT line MATCHES "^[^:]+:(INTERNAL|STATIC)=" AND NOT line MATCHES "^CMAKE_MAKE_PROGRAM:")
      string(REGEX REPLACE "^([^:]+):[A-Z]+=" "\\1=" line "${line}")
      list(APPEND entries "${line}")
    endif()
  endforeach()
  set(${out} "${entries}" PARENT_SCOPE)
endfunction()
cache_of("${WORK}/plain" plain)
cache_of("${first}/cells/cu135-fat" seeded)
set(lacking "${plain}")
list(REMOVE_ITEM lacking ${seeded})
if(lacking)
  message(FATAL_ERROR "a seeded cell lacks what a plain configure has: ${lacking}")
endif()
list(LENGTH plain count)
if(count LESS 40 OR NOT "CMAKE_STRIP=${STRIP}" IN_LIST seeded)
  message(FATAL_ERROR "expected CMAKE_STRIP=${STRIP} among many entries, found ${count}: ${seeded}")
endif()

# Another tree reuses the detection, and gets the same cache entries.
e2e_tree(second MATRIX "${matrix}" SOURCE "${E2E}/foreign")
e2e_build(matrix)
e2e_expect(pass MATCH "the compilers are known from another tree" "1 cell: 1 built" WITHOUT "detecting the compilers")
cache_of("${TREE}/cells/cu135-fat" taken_over)
list(FILTER seeded EXCLUDE REGEX "${first}")
list(FILTER taken_over EXCLUDE REGEX "${TREE}")
if(NOT taken_over STREQUAL seeded)
  message(FATAL_ERROR "taken over from another tree: ${taken_over}\ndetected: ${seeded}")
endif()
# No reuse if the environment changes flags or tools of the compilers, or if it is disabled.
set(ENV{CXXFLAGS} "-g1")
e2e_tree(other_flags MATRIX "${matrix}" SOURCE "${E2E}/foreign")
e2e_build(matrix)
e2e_expect(pass MATCH "detecting the compilers" "1 cell: 1 built")
unset(ENV{CXXFLAGS})
file(GLOB kept "${WORK}/compilers/*")
list(LENGTH kept count)
set(ENV{ARCHGRID_COMPILERS} OFF)
e2e_tree(unshared MATRIX "${matrix}" SOURCE "${E2E}/foreign")
e2e_build(matrix)
e2e_expect(pass MATCH "detecting the compilers" "1 cell: 1 built")
if(NOT count EQUAL 2)
  message(FATAL_ERROR "expected two detections in ${WORK}/compilers, found: ${kept}")
endif()

# A failed detection fails only the cells of its own toolkit.
set(matrix [[{"name": "two", "cells": ["single"], "promises": [{"devices": ["7.5"]}],
  "toolkits": [{"cuda": "11.8", "archs": ["75"]}, {"cuda": "13.5", "archs": ["75"]}]}]])
e2e_tree(broken MATRIX "${matrix}" SOURCE "${E2E}/tiny")
file(GLOB detection "${TREE}/detect/detect-cu118-*.config.cmake")
file(APPEND "${detection}" "if(WORK)\n  message(FATAL_ERROR \"planted\")\nendif()\n")
e2e_build(matrix)
e2e_expect(pass MATCH "detect-cu118-[0-9a-f]+: failed: [^\n]*planted" "cu118-sm75 +failed"
  "cu135-sm75 +built" "2 cells: 1 built, 1 failed")
e2e_run("${CTEST}" --test-dir "${TREE}" -R BUILT --output-on-failure)
e2e_expect(fail MATCH "the detection of compilers ended with" "planted" "1 tests failed out of 2")
