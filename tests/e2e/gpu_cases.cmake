# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

# Checks that a GPU test program is one ctest test whose cases keep their names, in the closing line
# and in ctest's files. Covers cases that fail, crash, hang or are skipped, on a fake GPU and
# without any.
cmake_path(GET COMMAND PARENT_PATH package)
while(NOT EXISTS "${package}/ArchGridConfig.cmake" AND NOT package STREQUAL "/")
  cmake_path(GET package PARENT_PATH package)
endwhile()
e2e_matrix(matrix CUDA 13.5 ARCHS 90 DEVICES 9.0 CELLS single ACCEPT native)
e2e_tree(tree MATRIX "${matrix}" SOURCE "${E2E}/gpu_cases"
  DEFINITIONS "ArchGrid_DIR=${package}" "ARCHGRID_ROOT=${ROOT}")
e2e_expect(pass)
e2e_build(matrix)
e2e_expect(pass MATCH "1 cells?: 1 built")
set(folder "${TREE}/cells/cu135-sm90")
set(ENV{LD_LIBRARY_PATH} "${folder}/fake_cudart")
set(ENV{ARCHGRID_FAKE_DRIVER} 13.5)
set(ENV{ARCHGRID_FAKE_DEVICES} 9.0)

# cases(<pass|fail> <filter> [MATCH <regex>...] [WITHOUT <regex>...]): runs ctest with GTEST_FILTER;
# sets `json` and `xml`.
macro(cases outcome filter)
  set(ENV{GTEST_FILTER} "${filter}")
  e2e_ctest(--preset sm90 -R "/(cases$|other)")
  e2e_expect(${outcome} ${ARGN})
  file(READ "${TREE}/Testing/gpu-tests.json" json)
  file(READ "${TREE}/Testing/gpu-tests.xml" xml)
endmacro()
function(expect_text text)
  foreach(regex IN LISTS ARGN)
    if(NOT text MATCHES "${regex}")
      message(FATAL_ERROR "no match for ${regex}:\n${text}")
    endif()
  endforeach()
endfunction()

cases(pass "Shapes.Small:*Launches" MATCH
  "GPU tests: none ran. 3 on a fake GPU, which ran no kernel. 1 program left out"
  "cu135-sm90/cases [.]+ +Passed" "cu135-sm90/other[.]One [.]+ +Passed" "cu135-sm90/other[.]Two [.]+ +Passed"
  "cu135-sm90/other[.]DISABLED_Three [.]+[*]+Not Run .Disabled.")
expect_text("${xml}" "<testcase classname=\"cu135-sm90/other[.]Two\" name=\"Two[.]Launches\" time=\"[0-9.]+\"/>")
cases(fail "Shapes.*" MATCH "as it is meant to" "cu135-sm90/other[.]One [.]+[*]+Skipped"
  "1 failed .cu135-sm90/cases: Shapes[.]Big.. 1 empty: launched no kernel. 1 skipped .by the test.: no frobnicator. 3 programs left out: no enabled test matches GTEST_FILTER=Shapes")
expect_text("${json}" "\"test\":\"cu135-sm90/cases\""
  "\"name\":\"Shapes.Big\",\"outcome\":\"failed\"" "\"code\":\"no-match\"")
expect_text("${xml}" "name=\"Shapes.Big\" time=\"[0-9.]+\"><failure type=\"failed\" message=\"as it is meant to\"/>"
  "name=\"Shapes.Skips\" time=\"[0-9.]+\"><skipped message=\"no frobnicator\"/>")
cases(fail "Shapes.Small:Ends.Crashes:Last.*" MATCH "1 failed .cu135-sm90/cases: Ends[.]Crashes, crashed."
  "1 not run .crashed: SIGSEGV during Ends[.]Crashes.")
expect_text("${xml}"
  "name=\"Ends.Crashes\" time=\"0.000\"><failure type=\"failed\" message=\"crashed: SIGSEGV during Ends.Crashes\"/>"
  "name=\"Last.IsReached\" time=\"0.000\"><error type=\"not-run\"" "name=\"Shapes.Small\" time=\"[0-9.]+\"/>")
cases(fail "Ends.Never:Last.*" MATCH "1 failed .cu135-sm90/cases: Ends[.]Never, timed-out."
  "1 not run .timed-out: Ends[.]Never did not end within 2 s.")
cases(fail "Shpaes.*" MATCH "4 programs left out"
  "no GPU test of this run matches: no enabled test matches GTEST_FILTER=Shpaes")

# The JSON matches its schema, if Python can check it.
find_program(python python3)
file(WRITE "${WORK}/validate.py" "import json, pathlib, sys
try:
    import jsonschema
except ImportError:
    sys.exit(0)
schemas = {path.name: json.loads(path.read_text()) for path in pathlib.Path(sys.argv[1]).glob('*.schema.json')}
schema = schemas['archgrid-gpu-runs.schema.json']
document = json.loads(pathlib.Path(sys.argv[2]).read_text())
validator = jsonschema.Draft7Validator(schema, resolver=jsonschema.RefResolver('', schema, store=schemas))
validator.validate(document)
document['runs'][0].pop('test')
assert not validator.is_valid(document)
document['runs'][0].update(test='a', outcome='fine')
assert not validator.is_valid(document)
")
if(python)
  e2e_run("${python}" -W ignore "${WORK}/validate.py" "${ROOT}/matrices" "${TREE}/Testing/gpu-tests.json")
  e2e_expect(pass)
endif()

# A missing record, or one of another kind, is not a result.
file(READ "${folder}/CTestTestfile.cmake" tests)
file(APPEND "${folder}/CTestTestfile.cmake"
  "add_test(lost sh -c \"echo 'archgrid: record   /nonexistent/r.json'; echo 'archgrid: passed: gpu: on 9.0'\")\n")
e2e_ctest(--preset sm90 -R "/lost$")
e2e_expect(fail MATCH
  "cu135-sm90/lost: its record cannot be read: /nonexistent/r.json: No such file"
  "1 failed .cu135-sm90/lost: no-record.")
file(WRITE "${folder}/CTestTestfile.cmake" "${tests}")

# GPU tests that do not start, or fail after their last output, count as failures in the closing
# line, beside one that passes. A failure that ctest does not notice fails the run.
set(record "ENVIRONMENT ARCHGRID_RECORD=/nonexistent/r.json SKIP_RETURN_CODE 77")
file(APPEND "${folder}/CTestTestfile.cmake" "
add_test(loader sh -c \"echo libx.so: cannot open >&2; exit 127\")
add_test(gone \"${WORK}/no/program\")
add_test(late sh -c \"echo 'archgrid: passed: gpu: on 9.0'; exit 3\")
add_test(disabled sh -c \"exit 3\")
add_test(mute sh -c \"exit 77\")
add_test(lies sh -c \"echo 'archgrid: failed: tests: 1 failed'; exit 0\")
add_test(stands_aside sh -c \"echo 'archgrid: failed: tests: 1 failed'; exit 77\")
add_test(lacking_test.LISTED sh -c \"exit 3\")
set_tests_properties(lacking_test.LISTED PROPERTIES LABELS gpu)
add_test(host.LISTED sh -c \"exit 3\")
set_tests_properties(loader gone late disabled mute lies stands_aside PROPERTIES ${record})
set_tests_properties(disabled PROPERTIES DISABLED TRUE)
")
set(ENV{GTEST_FILTER} "*")
e2e_ctest(--preset sm90 -R "/(other[.]One|loader|gone|late|disabled|[a-z_]+[.]LISTED)$")
e2e_expect(fail MATCH
  "GPU tests: none ran, 4 failed .cu135-sm90/loader: never-started; cu135-sm90/gone: never-started; cu135-sm90/late: failed-at-end; and 1 more.; 1 on a fake GPU"
  WITHOUT "disabled: never" "although ctest")
e2e_ctest(--preset sm90 -R "/(other[.]One|mute)$")
e2e_expect(fail MATCH "cu135-sm90/mute [.]+[*]+Skipped" "100% tests passed" "1 failed .cu135-sm90/mute: never-started."
  "cu135-sm90/mute: failed .never-started., although ctest counts it as passed or skipped: it printed nothing")
e2e_ctest(--preset sm90 -R "/(other[.]One|lies|stands_aside)$")
e2e_expect(fail MATCH "cu135-sm90/lies [.]+ +Passed" "cu135-sm90/stands_aside [.]+[*]+Skipped" "100% tests passed"
  "2 failed .cu135-sm90/lies: tests. cu135-sm90/stands_aside: tests."
  "cu135-sm90/lies: failed .tests., although ctest counts it as passed or skipped: 1 failed"
  "cu135-sm90/stands_aside: failed .tests., although ctest")
file(WRITE "${folder}/CTestTestfile.cmake" "${tests}")

# Without a GPU every case is skipped; each program starts once, within a second.
unset(ENV{GTEST_FILTER})
unset(ENV{ARCHGRID_FAKE_DEVICES})
e2e_ctest(--preset sm90 -L "^gpu$")
e2e_expect(pass MATCH "cu135-sm90/cases [.]+[*]+Skipped"
  "GPU tests: none ran. 11 skipped .no-gpu.: the NVIDIA driver shows no GPU"
  "Total Test time .real. = +[0-9][.]")
set(ENV{ARCHGRID_REQUIRE_GPU} 1)
e2e_ctest(--preset sm90 -R "/cases$")
e2e_expect(fail MATCH "none ran, 1 failed .cu135-sm90/cases: no-gpu., 8 not run" "no test met a GPU, although")
unset(ENV{ARCHGRID_REQUIRE_GPU})

# A run without GPU tests removes the results of an earlier one.
e2e_ctest(--preset sm90 -R "BUILT")
e2e_expect(pass)
if(EXISTS "${TREE}/Testing/gpu-tests.json" OR EXISTS "${TREE}/Testing/gpu-tests.xml")
  message(FATAL_ERROR "the cases of an earlier run are still there")
endif()

# Bundled programs write their records to the place where they are unpacked. A GPU test that is not
# bundled counts as skipped.
file(WRITE "${WORK}/input.txt" "")
file(APPEND "${folder}/CTestTestfile.cmake" "add_test(apart \"${folder}/cases_test\" \"${WORK}/input.txt\")
set_tests_properties(apart PROPERTIES LABELS gpu)
")
e2e_run("${CMAKE_COMMAND}" "-DTREE=${TREE}" "-DOUTPUT=${WORK}/cells.tar.zst"
  -P "${ROOT}/cmake-modules/archgrid/bundle.cmake")
e2e_expect(pass)
file(RENAME "${PROJECT}" "${PROJECT}.hidden")
set(PROJECT "${WORK}/elsewhere")
file(ARCHIVE_EXTRACT INPUT "${WORK}/cells.tar.zst" DESTINATION "${PROJECT}")
file(GLOB_RECURSE records "${PROJECT}/*.record.json")
if(records)
  message(FATAL_ERROR "records of earlier runs travel: ${records}")
endif()
set(TREE "${PROJECT}/build/matrix")
set(ENV{ARCHGRID_FAKE_DEVICES} 9.0)
set(ENV{LD_LIBRARY_PATH} "${TREE}/cells/cu135-sm90/fake_cudart")
cases(fail "Shapes.Small:Ends.Crashes" MATCH "1 failed .cu135-sm90/cases: Ends[.]Crashes, crashed.")
e2e_ctest(--preset sm90 -R "/apart$")
e2e_expect(pass MATCH "cu135-sm90/apart [.]+[*]+Skipped"
  "GPU tests: none ran. 1 skipped .not-bundled.: it uses ${WORK}/input.txt, which did not travel")
