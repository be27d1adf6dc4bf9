# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

# Checks the output of a tree's tests for people: each failed test is shown with its output, and
# without lines of others.
find_program(SCRIPT script REQUIRED)
set(tree "${WORK}/a tree")
set(tests "")
foreach(number RANGE 1 60)
  string(APPEND tests
    "add_test(passes_${number} sh -c \"exit 0\")\nset_tests_properties(passes_${number} PROPERTIES LABELS l${number})\n")
endforeach()
string(APPEND tests "add_test(skips sh -c \"echo no GPU; exit 77\")
set_tests_properties(skips PROPERTIES SKIP_RETURN_CODE 77)
add_test(disabled sh -c \"exit 1\")
set_tests_properties(disabled PROPERTIES DISABLED TRUE)
add_test(slow sh -c \"sleep \$TAKES\")\n")

# expect_run(<pass|fail> <further tests> ...): checks the tests' outcome; further arguments are
# those of e2e_expect.
macro(expect_run outcome further)
  file(WRITE "${tree}/CTestTestfile.cmake" "${tests}${further}")
  e2e_run("${COMMAND}" run-tests "${tree}" --ctest "${CTEST}" --every 1)
  e2e_expect(${outcome} ${ARGN})
endmacro()
set(ENV{TAKES} 8) # several signs of life, on a busy machine too
expect_run(pass "" MATCH "\n100% tests passed(, 0 tests failed)? out of 6[23]\n" "62 of 63 tests, [0-9]+ s: slow\n"
  WITHOUT "passes_" "skips" "disabled" "Label Time" "l60" "LastTest.log")
string(REGEX MATCHALL "62 of 63 tests, [0-9]+ s: slow\n" signs "${output}")
list(REMOVE_DUPLICATES signs)
list(LENGTH signs count)
if(count LESS 2)
  message(FATAL_ERROR "the signs of life stand still: \"${signs}\"")
endif()
set(ENV{TAKES} 0)
# One test imitates ctest's output, and runs a ctest of its own.
set(inner "${WORK}/inner")
file(WRITE "${inner}/CTestTestfile.cmake"
  "add_test(inner sh -c \"exit 0\")\nset_tests_properties(inner PROPERTIES LABELS one)\n")
file(WRITE "${WORK}/talks.sh"
  "printf '%s\\n' before '' '' 'The following tests did not run:' 'ERROR: the real reason of the failure' 'more of it' \\
  '      Start  3: inner' ' 1/1 Test  #3: inner ....   Passed    0.01 sec' 'Test project here' '      Start 99: of its own' '      Start  2: late'
head -c 1000000 /dev/zero | tr '\\0' ' '; echo
\"$1\" --test-dir \"$2\"
printf '%s\\n' '100% tests passed, 0 tests failed out of 66' 'Label Time Summary:' 'the very last'
exit 1
")
expect_run(fail "add_test(fails sh -c \"echo first; echo; printf '  Start  7: of its own'; exit 1\")
add_test(talks sh \"${WORK}/talks.sh\" \"${CTEST}\" \"${inner}\")
add_test(crashes sh -c \"kill -SEGV $$\")
add_test(is_gone \"${WORK}/no/program\")\n"
  MATCH "Test #64: fails [.]+[*]+Failed [^\n]*\nfirst\n\n  Start  7: of its own\n"
    "Test #65: talks [.]+[*]+Failed [^\n]*\nbefore\n\n\nThe following tests did not run:\nERROR: the real reason of the failure\nmore of it\n      Start  3: inner\n 1/1 Test  #3: inner [.]+ +Passed +0.01 sec\nTest project here\n      Start 99: of its own\n      Start  2: late\n"
    "\nTest project [^\n]*/inner\n +Start 1: inner\n1/1 Test #1: inner [.]+ +Passed +[0-9.]+ sec\n\n100% tests passed[^\n]* out of 1\n\nLabel Time Summary:\none [^\n]*\n\nTotal Test time [^\n]*\n100% tests passed, 0 tests failed out of 66\nLabel Time Summary:\nthe very last\n"
    "crashes [.]+[*]+Exception: SegFault" "Unable to find executable|Could not find executable"
    "The following tests FAILED:\n[^\n]*fails [(]Failed[)]" "is_gone"
    "what each test said: [^\n]*/a tree/Testing/Temporary/LastTest.log\n$"
  WITHOUT "passes_" "skips" "disabled" "l60" "Errors while running CTest")

# A finding that the closing lines repeat is shown once, possibly for more devices, and the verdict
# comes last. An audit with any other output is shown completely: other findings, truncated ones, an
# error, a crash.
file(WRITE "${tree}/closing" "map of all
missing: first(int) and 2 more on 7.5, 8.0 and 9.0, cu1-fat/a/lib on x.so
  on 7.5, and likewise on the others: no code
  fix: add it
over-budget: second(), cu1-fat/a/lib.so
  too large
and 4 more findings (--all or --json lists them)

promise broken: 9 findings (9 missing), 3 of 3 kernels
")
# audit(<test> <output>): adds an audit that prints this and fails. The output must not contain
# single quotes.
# PROMISES prints a line for each finding of a cell.
file(WRITE "${tree}/brief" "missing: first(int) and 2 more on 7.5, 8.0 and 9.0, cu1-fat/a/lib on x.so (and 2 more cells)
over-budget: second(), cu1-fat/a/lib.so

promise broken: 9 findings (9 missing), 3 of 3 kernels
")
set(audits "add_test(PROMISES sh -c [==[cat \"$0\"; exit 1]==] \"${tree}/brief\")\n")
function(audit test output)
  string(APPEND audits "add_test(${test} sh -c [==[printf '%s\\n' '${output}'; exit 1]==])\n")
  set(audits "${audits}" PARENT_SCOPE)
endfunction()
set(broken "promise broken: 1 finding (1 missing), 1 of 3 kernels")
audit(cu1-fat/AUDIT/sm75 "map of 7.5
missing: first(int) and 2 more on 7.5, cu1-fat/a/lib on x.so
  no code
  fix: add it

suspect missing: lib on x.so: one kernel may be meant so

${broken}")
audit(cu1-fat/AUDIT/sm90 "missing: first(int) and 2 more on 8.0 and 9.0, cu1-fat/a/lib on x.so
  no code
over-budget: second(), cu1-fat/a/lib.so
  too large

${broken}")
audit(cu1-fat/AUDIT/sm100 "missing: first(int) and 2 more on 10.0, cu1-fat/a/lib on x.so
  no other device

${broken}")
audit(cu1-sm80/AUDIT "missing: first(int) and 2 more on 8.0, cu1-sm80/a/lib on x.so
  no other cell

${broken}")
audit(cu2/AUDIT/sm80 "missing: first(int) and 2 more on 8.0, cu1-fat/a/lib on x.so
  no
and 4 more findings (--all or --json lists them)

promise broken: 5 findings, cut")
audit(cu3/AUDIT/sm80 "archgrid: a/lib.so: not readable
missing: first(int) and 2 more on 8.0, cu1-fat/a/lib on x.so
  no

${broken}")
audit(cu4/AUDIT/sm80 "missing: first(int) and 2 more on 8.0, cu1-fat/a/lib on x.so
  no

promise broken: 1 finding (1 missing), 1 error, 1 of 3 kernels")
audit(cu5/AUDIT/sm80 "missing: first(int) and 2 more on 8.0, cu1-fat/a/lib on x.so
  no; not at its end")
audit(cu6/AUDIT/sm80 "")
string(APPEND audits "add_test(cu7/AUDIT/sm80 sh -c [==[cat \"$0\"; kill -SEGV $$]==] \"${tree}/closing\")\n")
audit(other "${broken}, of a test of the project")
file(WRITE "${tree}/CTestCustom.cmake" "set(CTEST_CUSTOM_POST_TEST \"cat \\\"${tree}/closing\\\"\")\n")
set(all_tests "${tests}")
set(tests "${audits}")
set(repeated "missing: first[(]int[)] and 2 more on 7[.]5, 8[.]0 and 9[.]0, cu1-fat/")
expect_run(fail ""
  MATCH
  "PROMISES [.]+[*]+Failed [^\n]*\n *2/12 [^\n]*/AUDIT/sm75 [.]+[*]+Failed [^\n]*\n *3/12 [^\n]*/AUDIT/sm90 [.]+[*]+Failed [^\n]*\n *4/12"
    "AUDIT/sm100 [.]+[*]+Failed [^\n]*\nmissing: [^\n]*\n  no other device\n"
    "cu1-sm80/AUDIT [.]+[*]+Failed [^\n]*\nmissing: [^\n]*\n  no other cell\n"
    "findings, cut\n" "archgrid: a/lib.so: not readable\nmissing:" ", 1 error, 1 of 3 kernels"
    "no; not at its end" "cu7/AUDIT/sm80 [.]+[*]+Exception: SegFault [^\n]*\nmap of all\n"
    "of a test of the project\n.*0% tests passed, 12 tests failed out of 12\n.*12 - other [^\n]*\nmap of all\n${repeated}[^\n]*\n.*promise broken: 9 findings [^\n]*\nwhat each test said: [^\n]*\n$"
  WITHOUT "map of 7[.]5" "on 7[.]5, cu1" "on 8[.]0 and 9[.]0, cu1"
  "${repeated}.*${repeated}.*${repeated}" "Errors while running CTest")
# CMake's error in the script that shows a cell is omitted; one of the project's own is not.
set(tests
  "add_test(cu1-fat/BUILT sh -c [==[printf '%s\\n' 'cu1-fat: it does not compile' 'CMake Error at /a/detail/show_cell.cmake:9 (message):' '  cu1-fat is not built' '' ''; exit 1]==])
add_test(other sh -c [==[printf '%s\\n' 'CMake Error at /a/detail/show_cell.cmake:9 (message):' '  of a project'; exit 1]==])
")
expect_run(fail "" MATCH
  "cu1-fat/BUILT [.]+[*]+Failed [^\n]*\ncu1-fat: it does not compile\n *2/2 [^\n]*\nCMake Error at [^\n]*\n  of a project\n"
  WITHOUT "cu1-fat is not built")
# A cell that was not built is shown once, too.
file(WRITE "${tree}/closing" "not-built: cell cu1-fat
  it was never built

promise not proven: 1 finding (1 not-built)
")
file(WRITE "${tree}/unbuilt" "not-built: cell cu1-fat

promise not proven: 1 finding (1 not-built)
")
set(tests "add_test(PROMISES sh -c [==[cat \"$0\"; exit 1]==] \"${tree}/unbuilt\")\n")
expect_run(fail "" MATCH "PROMISES [.]+[*]+Failed [^\n]*\n" "\nnot-built: cell cu1-fat\n  it was never built\n"
  WITHOUT "not-built: .*not-built: ")
set(tests "${audits}")
# Without closing lines nothing is repeated.
file(WRITE "${tree}/CTestCustom.cmake" "")
expect_run(fail "" MATCH "AUDIT/sm75 [.]+[*]+Failed [^\n]*\nmap of 7[.]5\n"
  "PROMISES [.]+[*]+Failed [^\n]*\nmissing: [^\n]*2 more cells[)]\n")
file(REMOVE "${tree}/CTestCustom.cmake")
set(tests "${all_tests}")
file(WRITE "${tree}/CTestTestfile.cmake" "")
e2e_run("${COMMAND}" run-tests "${tree}" --ctest "${CTEST}")
e2e_expect(fail MATCH "No tests were found" WITHOUT "LastTest.log")
e2e_run("${COMMAND}" run-tests "${WORK}/nowhere" --ctest "${CTEST}")
e2e_expect(fail WITHOUT "LastTest.log")

# On a terminal, one line shows the running test.
string(ASCII 27 escape)
set(ENV{TAKES} 0.6)
file(WRITE "${tree}/CTestTestfile.cmake" "${tests}")
e2e_run("${CMAKE_COMMAND}" -E env TERM=xterm "${SCRIPT}"
  -qec "'${COMMAND}' run-tests '${tree}' --ctest '${CTEST}'" /dev/null)
e2e_expect(pass MATCH "\r${escape}.K62 of 63 tests, [0-9]+ s: slow" WITHOUT "passes_[0-9]+ [.]")
