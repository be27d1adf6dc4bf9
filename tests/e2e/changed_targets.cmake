# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

# Checks what an audit reads after the project, or somebody by hand, changed how a file is made.
e2e_matrix(matrix CUDA 13.5 ARCHS 75 80 90 DEVICES 8.0 9.0 CELLS fat ACCEPT native compatible)

# Audits the tree: two kernels keep the promise or, for a planted defect, KERNEL breaks it. The
# output matches ARGN.
function(expect_kernel kernel)
  e2e_run("${COMMAND}" audit --tree "${TREE}")
  if(kind STREQUAL "planted")
    e2e_expect(fail MATCH "missing: ${kernel}_kernel\\(float\\*\\) on 8\\.0" ${ARGN})
  else()
    e2e_expect(pass MATCH "promise holds: 2 kernels" ${ARGN})
  endif()
endfunction()

# Each step runs once with machine code for 7.5 only, and once with everything that is promised.
foreach(kind IN ITEMS planted green)
  set(archs "")
  set(turned_advice "")
  set(gencode "-gencode arch=compute_75,code=sm_75")
  if(kind STREQUAL "planted")
    set(archs "SHAPES_ARCHS=75-real")
    set(turned_advice "or delete libturned\\.so")
  else()
    string(APPEND gencode " -gencode arch=compute_80,code=sm_80 -gencode arch=compute_90,code=sm_90")
  endif()
  set(sources "${WORK}/sources_${kind}")
  file(COPY "${E2E}/shapes/" DESTINATION "${sources}")
  file(READ "${sources}/CMakeLists.txt" lines)

  # A target outside `all` that is built by hand, after its cell.
  e2e_tree(${kind} MATRIX "${matrix}" SOURCE "${sources}" DEFINITIONS "SHAPES=program excluded" ${archs})
  e2e_build(matrix)
  e2e_run("${COMMAND}" audit --tree "${TREE}")
  e2e_expect(pass MATCH "promise holds: 1 kernel ")
  e2e_run("${NINJA}" -C "${TREE}/cells/cu135-fat" excluded)
  e2e_expect(pass)
  e2e_build(matrix)
  expect_kernel(excluded)
  # A nested build makes it, and it depends on a command that always runs, so it is never up to
  # date: it is reported, or audited if it is installed.
  string(CONCAT nested "${lines}"
    "add_custom_target(always COMMAND \${CMAKE_COMMAND} -E true)\n"
    "add_dependencies(excluded always)\n"
    "add_custom_target(nested ALL COMMAND \${CMAKE_COMMAND} --build . --target excluded)\n")
  file(WRITE "${sources}/CMakeLists.txt" "${nested}")
  e2e_build(matrix)
  e2e_run("${COMMAND}" audit --tree "${TREE}")
  e2e_expect(pass MATCH "libexcluded\\.so: not audited: its target is not part" "promise holds: 1 kernel "
    WITHOUT "not built, so")
  file(WRITE "${sources}/CMakeLists.txt" "${nested}install(FILES \$<TARGET_FILE:excluded> DESTINATION lib)\n")
  e2e_build(matrix)
  expect_kernel(excluded "libexcluded\\.so: audited as it is: it may be older than its sources")
  file(WRITE "${sources}/CMakeLists.txt" "${lines}")
  file(REMOVE "${TREE}/cells/cu135-fat/libexcluded.so")

  # A new target, when its whole cell was built by hand: nothing is due.
  file(WRITE "${sources}/CMakeLists.txt" "${lines}
add_library(added SHARED \${kernel})
target_compile_definitions(added PRIVATE KERNEL=added)
")
  e2e_run("${NINJA}" -C "${TREE}/cells/cu135-fat")
  e2e_expect(pass)
  e2e_build(matrix)
  expect_kernel(added)
  e2e_build(matrix)
  e2e_expect(pass MATCH "cu135-fat +built" WITHOUT "built in")

  # An option whose default the project changes, and a cache entry set by hand.
  set(option "option(ADDED \"\" OFF)\n")
  string(CONCAT optional "${lines}" "if(ADDED)\n  add_library(added SHARED \${kernel})\n"
    "  target_compile_definitions(added PRIVATE KERNEL=added)\nendif()\n")
  file(WRITE "${sources}/CMakeLists.txt" "${option}${optional}")
  e2e_build(matrix)
  e2e_run("${COMMAND}" audit --tree "${TREE}")
  e2e_expect(pass MATCH "promise holds: 1 kernel ")
  string(REPLACE OFF ON option "${option}")
  file(WRITE "${sources}/CMakeLists.txt" "${option}${optional}")
  foreach(by IN ITEMS default hand)
    if(by STREQUAL "hand")
      e2e_run("${CMAKE_COMMAND}" -DADDED=OFF -S "${sources}" -B "${TREE}/cells/cu135-fat")
      e2e_expect(pass)
    endif()
    e2e_build(matrix)
    expect_kernel(added)
  endforeach()

  # A custom command now makes the file of a former target, at the same path.
  file(WRITE "${sources}/CMakeLists.txt" "${lines}
add_library(turned SHARED \${kernel})
target_compile_definitions(turned PRIVATE KERNEL=turned)
set_target_properties(turned PROPERTIES CUDA_ARCHITECTURES \"75;80;90\")
")
  e2e_build(matrix)
  e2e_run("${COMMAND}" audit --tree "${TREE}")
  e2e_expect(pass MATCH "promise holds: 2 kernels")
  file(WRITE "${sources}/CMakeLists.txt" "${lines}
add_custom_command(OUTPUT libturned.so COMMAND \${CMAKE_CUDA_COMPILER} -ccbin \${CMAKE_CUDA_HOST_COMPILER} ${gencode}
  -DKERNEL=turned -shared -Xcompiler -fPIC -o libturned.so \${kernel})
add_custom_target(turned ALL DEPENDS libturned.so)
")
  e2e_build(matrix)
  e2e_expect(pass MATCH "1 built")
  expect_kernel(turned)

  # Leftovers of a target that the project no longer has are ignored.
  file(WRITE "${sources}/CMakeLists.txt" "${lines}")
  e2e_build(matrix)
  e2e_run("${COMMAND}" audit --tree "${TREE}")
  e2e_expect(pass MATCH "promise holds: 1 kernel ")

  # They are audited if they are installed anyway.
  file(WRITE "${sources}/CMakeLists.txt" "${lines}
install(FILES \${CMAKE_BINARY_DIR}/libturned.so DESTINATION lib)
")
  e2e_build(matrix)
  expect_kernel(turned ${turned_advice})

  # A script now makes the file of such a target, and no command names it.
  file(WRITE "${sources}/CMakeLists.txt" "${lines}
add_custom_target(script ALL COMMAND \${CMAKE_CUDA_COMPILER} -ccbin \${CMAKE_CUDA_HOST_COMPILER} ${gencode}
  -DKERNEL=turned -shared -Xcompiler -fPIC -o libturned.so \${kernel})
")
  e2e_build(matrix)
  expect_kernel(turned)
endforeach()
