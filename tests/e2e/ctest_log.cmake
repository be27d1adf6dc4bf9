# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

# Checks that the closing check of a ctest run judges this run, not an earlier or killed one,
# starting with the first run in a fresh tree. e2e.cmake_releases runs this case with other releases
# of CMake.
set(sources "${WORK}/sources")
file(COPY "${E2E}/tiny/" DESTINATION "${sources}")
file(APPEND "${sources}/CMakeLists.txt" "
add_test(NAME gpu COMMAND sh \"\${CMAKE_CURRENT_SOURCE_DIR}/gpu.sh\")
set_tests_properties(gpu PROPERTIES SKIP_RETURN_CODE 77)
")
set(with_gpu "archgrid: gpu     NVIDIA H100, 9.0, device 0 of 1\narchgrid: passed: 1 test\n")
file(WRITE "${sources}/gpu.sh" "case $PLANTED_GPU in
  yes) printf '${with_gpu}' ;;
  *) echo 'archgrid: skipped: no-gpu: none is planted'; exit 77 ;;
esac
")
e2e_matrix(matrix CUDA 13.5 ARCHS 90 DEVICES 9.0 CELLS single ACCEPT native compatible)
e2e_tree(tree MATRIX "${matrix}" SOURCE "${sources}")
e2e_expect(pass)
e2e_build(matrix)
e2e_expect(pass MATCH "1 cells?: 1 built")

set(ENV{ARCHGRID_REQUIRE_GPU} 1)
set(ENV{PLANTED_GPU} yes)
e2e_ctest(--preset default)
e2e_expect(pass MATCH "promise holds" "GPU tests: 1 passed on NVIDIA H100, 9\\.0")
set(ENV{PLANTED_GPU} no)
e2e_ctest(--preset default)
e2e_expect(fail MATCH "GPU tests: none ran; 1 skipped \\(no-gpu\\): none is planted" "no test met a GPU"
  WITHOUT "NVIDIA H100")

# A run without a test of a cell shows no map, although the run before it did.
unset(ENV{ARCHGRID_REQUIRE_GPU})
e2e_run("${CTEST}" --test-dir "${TREE}" -R "^PROMISES$")
e2e_expect(pass MATCH "PROMISES \\.+ +Passed" WITHOUT "promise holds" "GPU tests:")
e2e_run("${CTEST}" --test-dir "${TREE}" -N)
e2e_expect(pass MATCH "Total Tests: [1-9]" WITHOUT "promise holds")

# Logs of killed runs.
set(ENV{ARCHGRID_REQUIRE_GPU} 1)
foreach(name IN ITEMS LastTest.log.tmp LastTest.log.tmp00000 LastTest.log.tmpfffff)
  file(WRITE "${TREE}/Testing/Temporary/${name}" "Start testing: Jan 01 00:00 UTC\n
1/1 Testing: cu135-sm90/gpu\n1/1 Test: cu135-sm90/gpu\n${with_gpu}End testing: Jan 01 00:00 UTC\n")
endforeach()
e2e_run("${CTEST}" --test-dir "${TREE}")
e2e_expect(fail MATCH "no test met a GPU" WITHOUT "NVIDIA H100")
set(ENV{PLANTED_GPU} yes)
e2e_run("${CTEST}" --test-dir "${TREE}")
e2e_expect(pass MATCH "promise holds" "GPU tests: 1 passed on NVIDIA H100")

# `ctest -T Test` and `ctest -S` name their logs by start time.
file(WRITE "${WORK}/run.cmake" "set(CTEST_SOURCE_DIRECTORY [[${PROJECT}]])
set(CTEST_BINARY_DIRECTORY [[${TREE}]])
ctest_start(Experimental)
ctest_read_custom_files([[${TREE}]])
ctest_test(RETURN_VALUE result)
if(result)
  message(FATAL_ERROR \"ctest_test: \${result}\")
endif()
")
file(WRITE "${TREE}/DartConfiguration.tcl" "BuildDirectory: ${TREE}\nSourceDirectory: ${PROJECT}\n")
foreach(planted IN ITEMS no yes)
  set(ENV{PLANTED_GPU} ${planted})
  set(match_no fail MATCH "no test met a GPU" WITHOUT "NVIDIA H100")
  set(match_yes pass MATCH "promise holds" "GPU tests: 1 passed on NVIDIA H100")
  e2e_run("${CTEST}" --test-dir "${TREE}" -T Test)
  e2e_expect(${match_${planted}})
  e2e_run("${CTEST}" -S "${WORK}/run.cmake" -V)
  e2e_expect(${match_${planted}})
endforeach()

# The map of a broken promise, also when only failed tests are rerun.
e2e_matrix(matrix CUDA 13.5 ARCHS 75 90 DEVICES 9.0 CELLS fat ACCEPT native compatible)
e2e_tree(bad MATRIX "${matrix}" SOURCE "${sources}" DEFINITIONS "TINY_SECOND_ARCHS=75-real")
e2e_build(matrix)
e2e_ctest(--preset default)
e2e_expect(fail MATCH "promise broken: 1 finding" "second_kernel" "GPU tests: 1 passed on NVIDIA H100")
e2e_run("${CTEST}" --test-dir "${TREE}" --rerun-failed)
e2e_expect(fail MATCH "cu135-fat/AUDIT/sm90[ .]+\\*\\*\\*Failed" "promise broken: 1 finding")
