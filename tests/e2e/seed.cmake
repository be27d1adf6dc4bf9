# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

# A cell whose compilers were detected elsewhere has what a plain configure gives it: the same cache entries
# with the same values, where a project may look for them (CMAKE_STRIP, CMAKE_OBJCOPY, flags, ...).
find_program(STRIP strip REQUIRED)
e2e_matrix(matrix CUDA 13.5 ARCHS 90 DEVICES 9.0 CELLS fat ACCEPT native)
e2e_tree(tree MATRIX "${matrix}" SOURCE "${E2E}/foreign")
e2e_build(matrix)
e2e_expect(pass MATCH "1 cell: 1 built")
e2e_run("${CMAKE_COMMAND}" -C "${TREE}/cells/cu135-fat.cache.cmake" -G Ninja "-DCMAKE_MAKE_PROGRAM=${NINJA}"
  -S "${E2E}/foreign" -B "${WORK}/plain")
e2e_expect(pass)

# Sets OUT to the cache entries of BUILD as NAME=VALUE, those apart that are CMake's own or name the tree.
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
cache_of("${TREE}/cells/cu135-fat" seeded)
set(lacking "${plain}")
list(REMOVE_ITEM lacking ${seeded})
if(lacking)
  message(FATAL_ERROR "a seeded cell lacks what a plain configure has: ${lacking}")
endif()
list(LENGTH plain count)
if(count LESS 40 OR NOT "CMAKE_STRIP=${STRIP}" IN_LIST seeded)
  message(FATAL_ERROR "expected CMAKE_STRIP=${STRIP} among many entries, found ${count}: ${seeded}")
endif()
