# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

# Checks files with device code whose formats and names do not show it: installed ones are audited
# or noted, intermediate ones are not.
e2e_cache_by_hand()
e2e_matrix(matrix CUDA 13.5 ARCHS 80-real 90-real DEVICES 8.0 9.0 CELLS fat ACCEPT native compatible)

# Sets OUT to LIST of the status of the cell, its items joined by |; files that are not audited are
# "<why>:<path>".
function(status_list list out)
  file(READ "${TREE}/cells/cu135-fat.json" status)
  string(JSON count LENGTH "${status}" ${list})
  set(items "")
  foreach(index RANGE ${count})
    if(index LESS count)
      string(JSON item GET "${status}" ${list} ${index})
      string(JSON why ERROR_VARIABLE error GET "${item}" why)
      if(NOT error)
        string(JSON path GET "${item}" path)
        set(item "${why}:${path}")
      endif()
      list(APPEND items "${item}")
    endif()
  endforeach()
  list(SORT items)
  list(JOIN items "|" items)
  set(${out} "${items}" PARENT_SCOPE)
endfunction()

# expect_list(<list> <items joined by |>)
function(expect_list list expected)
  status_list(${list} found)
  if(NOT found STREQUAL expected)
    message(FATAL_ERROR "${list} of ${TREE}: ${found}, not ${expected}")
  endif()
endfunction()

set(shipped "dist/ops.pyz|dist/plugin.o|dist/script.lo|fatbin.gz|hidden/CMakeFiles/liblinked.so|ops.bin|program")
foreach(archs IN ITEMS 80 "80 90")
  string(REPLACE " " "_" name "installed_${archs}")
  e2e_tree(${name} MATRIX "${matrix}" SOURCE "${E2E}/unusual" DEFINITIONS "UNUSUAL=installed" "UNUSUAL_ARCHS=${archs}")
  e2e_build(matrix)
  e2e_expect(pass MATCH "cu135-fat +built")
  expect_list(artifacts "${shipped}")
  expect_list(unaudited "opaque:dist/k.ltoir|opaque:dist/k.optixir|opaque:dist/ops.pack")
  e2e_run("${COMMAND}" audit --tree "${TREE}" --all)
  if(archs STREQUAL "80")
    e2e_expect(fail MATCH "3 files, the first [^\n]*: not audited: install\\(\\) names it")
    foreach(kernel IN ITEMS zipped plugin script fatbin linked tarred)
      e2e_expect(fail MATCH "missing: ${kernel}_kernel\\(float\\*\\) on 9\\.0")
    endforeach()
  else()
    e2e_expect(pass MATCH "promise holds: 7 kernels")
  endif()
endforeach()
# PTX with an unusual name.
e2e_tree(ptx MATRIX "${matrix}" SOURCE "${E2E}/unusual" DEFINITIONS "UNUSUAL=ptx")
e2e_build(matrix)
expect_list(artifacts "kernels.txt|program")
e2e_run("${COMMAND}" audit --tree "${TREE}")
e2e_expect(fail MATCH "jit: ptx_kernel\\(float\\*\\) on 8\\.0 and 9\\.0" "kernels\\.txt")

# Sets of cubins from which host code selects one: a file with the bytes of another still belongs to
# its set.
e2e_tree(sets MATRIX "${matrix}" SOURCE "${E2E}/unusual" DEFINITIONS "UNUSUAL=sets misnamed")
e2e_build(matrix)
expect_list(artifacts
  "EXACT/sm80.cubin|EXACT/sm90.cubin|FAST/sm80.cubin|FAST/sm90.cubin|program|sm_80.cubin|sm_86.cubin|sm_90.cubin")
e2e_run("${COMMAND}" audit --tree "${TREE}")
e2e_expect(pass MATCH "promise holds")
e2e_tree(lacking MATRIX "${matrix}" SOURCE "${E2E}/unusual" DEFINITIONS "UNUSUAL=sets lacking")
e2e_build(matrix)
expect_list(artifacts "EXACT/sm80.cubin|FAST/sm80.cubin|FAST/sm90.cubin|program")
e2e_run("${COMMAND}" audit --tree "${TREE}")
e2e_expect(fail MATCH "missing: set_kernel\\(float\\*\\) on 9\\.0" "EXACT/sm80\\.cubin"
  WITHOUT "FAST/sm80\\.cubin\n  no image")

# Fat binaries in one file: an image of one program does not serve another one of the same name.
e2e_tree(programs MATRIX "${matrix}" SOURCE "${E2E}/unusual" DEFINITIONS "UNUSUAL=programs")
e2e_build(matrix)
expect_list(artifacts "libprograms.so|program")
e2e_run("${COMMAND}" audit --tree "${TREE}")
e2e_expect(pass MATCH "promise holds")
e2e_tree(programs_lacking MATRIX "${matrix}" SOURCE "${E2E}/unusual" DEFINITIONS "UNUSUAL=programs lacking")
e2e_build(matrix)
e2e_run("${COMMAND}" audit --tree "${TREE}")
e2e_expect(fail MATCH "missing: programs_kernel\\(float\\*\\) on 9\\.0" "hold 2 programs of this name")

# Libraries with one name, of which a loader picks one. A linked program without device code fixes
# the choice.
e2e_tree(picked MATRIX "${matrix}" SOURCE "${E2E}/unusual" DEFINITIONS "UNUSUAL=picked")
e2e_build(matrix)
expect_list(artifacts "program|sm80/libops.so|sm90/libops.so")
e2e_run("${COMMAND}" audit --tree "${TREE}" --all)
e2e_expect(pass MATCH "promise holds" "the first is sm90/libops\\.so" "the first is sm80/libops\\.so")
e2e_tree(linked MATRIX "${matrix}" SOURCE "${E2E}/unusual" DEFINITIONS "UNUSUAL=picked linked")
e2e_build(matrix)
e2e_run("${COMMAND}" audit --tree "${TREE}")
e2e_expect(fail MATCH "missing: picked_kernel\\(float\\*\\) on 9\\.0" "missing: picked_kernel\\(float\\*\\) on 8\\.0")

# Device code hidden in LTO data of the host compiler: the linked file contains it.
e2e_tree(lto MATRIX "${matrix}" SOURCE "${E2E}/unusual" DEFINITIONS "UNUSUAL=lto")
e2e_build(matrix)
expect_list(artifacts "host|libhidden.a|program")
expect_list(unaudited "linked:libtaken.a")
e2e_run("${COMMAND}" audit --tree "${TREE}" --all)
e2e_expect(fail MATCH "libhidden\\.a![^\n]*: its device code is hidden in the host compiler's LTO data" "taken_kernel"
  "libtaken\\.a: not audited: a static library that the host" WITHOUT "libplain\\.a")

# A wheel that is older than the build although a command makes it, and files installed from
# elsewhere.
include("${ROOT}/cmake-modules/ArchGrid.cmake")
archgrid_find_toolkit(13.5 RESULT toolkit)
set(elsewhere "${WORK}/elsewhere")
file(MAKE_DIRECTORY "${elsewhere}/toolkit/lib" "${elsewhere}/conda/lib" "${elsewhere}/conda/conda-meta")
file(WRITE "${elsewhere}/toolkit/bin/nvcc" "")
file(WRITE "${elsewhere}/conda/bin/nvcc" "")
e2e_run("${toolkit_NVCC}" -DKERNEL=elsewhere -shared -Xcompiler -fPIC -arch=sm_75
  -o "${elsewhere}/libelsewhere.so" "${E2E}/unusual/kernel.cu")
e2e_expect(pass)
foreach(name IN ITEMS toolkit/lib/libtool conda/lib/libconda liblinked)
  file(COPY_FILE "${elsewhere}/libelsewhere.so" "${elsewhere}/${name}.so")
endforeach()
foreach(archs IN ITEMS 80 "80 90")
  set(kinds "dated")
  set(noted "prebuilt:${elsewhere}/conda/lib/libconda.so|prebuilt:${elsewhere}/libelsewhere.so")
  if(archs STREQUAL "80")
    string(APPEND kinds " installing")
    string(PREPEND noted "installing:${E2E}/unusual/CMakeLists.txt|")
    string(APPEND noted "|prebuilt:${elsewhere}/liblinked.so") # with the library that it links
  endif()
  string(REPLACE " " "_" name "dated_${archs}")
  e2e_tree(${name} MATRIX "${matrix}" SOURCE "${E2E}/unusual"
    DEFINITIONS "UNUSUAL=${kinds}" "UNUSUAL_ARCHS=${archs}" "UNUSUAL_ELSEWHERE=${elsewhere}")
  e2e_build(matrix)
  expect_list(artifacts "dist/unusual-1.0-py3-none-any.whl|program")
  expect_list(unaudited "${noted}")
  e2e_run("${COMMAND}" audit --tree "${TREE}" --all)
  if(archs STREQUAL "80")
    e2e_expect(fail MATCH "missing: dated_kernel\\(float\\*\\) on 9\\.0" "not audited: install\\(CODE\\) or")
  else()
    e2e_expect(pass MATCH "promise holds: 2 kernels")
  endif()
endforeach()

# A file that an earlier build left is judged, as a script may still make it, and the fix mentions
# that.
set(sources "${WORK}/versions sources")
file(COPY "${E2E}/unusual/" DESTINATION "${sources}")
file(WRITE "${sources}/version" "1.0")
e2e_tree(versions MATRIX "${matrix}" SOURCE "${sources}" DEFINITIONS "UNUSUAL=versions")
e2e_build(matrix)
file(WRITE "${sources}/version" "1.1")
e2e_build(matrix)
set(wheels "unusual-1.0.whl|unusual-1.1.whl")
expect_list(artifacts "program|${wheels}")
expect_list(unnamed "${wheels}")
e2e_run("${COMMAND}" audit --tree "${TREE}")
e2e_expect(fail MATCH "missing: versions_kernel[^\n]* on 9\\.0"
  "or delete unusual-1\\.0\\.whl, if an earlier build left it" WITHOUT "or delete unusual-1\\.1")
file(REMOVE "${TREE}/cells/cu135-fat/unusual-1.0.whl")
e2e_build(matrix)
e2e_run("${COMMAND}" audit --tree "${TREE}")
e2e_expect(pass MATCH "promise holds: 2 kernels")
# The same if nothing is due.
file(READ "${sources}/CMakeLists.txt" lines)
string(REPLACE "add_custom_target(versions ALL" "add_custom_target(versions" rare "${lines}")
file(WRITE "${sources}/CMakeLists.txt" "${rare}")
e2e_build(matrix)
expect_list(artifacts "program|unusual-1.1.whl")
file(REMOVE "${TREE}/cells/cu135-fat/unusual-1.1.whl")
e2e_build(matrix)
expect_list(artifacts "program")
file(WRITE "${sources}/CMakeLists.txt" "${lines}")

# Names that CMake lists cannot contain.
file(WRITE "${sources}/version" "1.1")
file(APPEND "${sources}/CMakeLists.txt" "
add_custom_target(odd ALL COMMAND \${nvcc} -DKERNEL=odd \${shared} -o libodd.so
  COMMAND sh -c \"cp libodd.so 'lib;1.so' && cp libodd.so 'lib[.so' && mv libodd.so 'lib].so'\" VERBATIM)
")
e2e_build(matrix)
e2e_expect(pass MATCH "1 built")
expect_list(artifacts "program|unusual-1.1.whl")
e2e_run("${COMMAND}" audit --tree "${TREE}")
e2e_expect(pass MATCH "3 files, the first [^\n]*: not audited: no command" "promise holds: 2 kernels")
