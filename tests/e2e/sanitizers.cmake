# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

# The host code under AddressSanitizer and UBSan: its unit tests once more, in a build of its own, with the samples of the
# tests' tree. Clang instruments in half of GCC's time, and shows that the host code is not for GCC alone; -O0 compiles in
# less than half of the time of -O1.
find_program(CLANG NAMES clang++-14 clang++-15 clang++-16 clang++ REQUIRED)
set(build "${WORK}/build")
e2e_run("${CMAKE_COMMAND}" -G Ninja -S "${ROOT}" -B "${build}" -DCMAKE_BUILD_TYPE=None -DCMAKE_CXX_FLAGS=-O0
  "-DCMAKE_CXX_COMPILER=${CLANG}" -DARCHGRID_MATRIX= -DARCHGRID_BUILD_TESTS=ON -DARCHGRID_SANITIZE=ON
  "-DARCHGRID_SAMPLES_OF=${BUILD}")
e2e_expect(pass)
e2e_run("${NINJA}" -C "${build}" archgrid archive_test fatbin_test coverage_test report_test cli_test)
e2e_expect(pass)
find_program(NM nm REQUIRED)
foreach(program IN ITEMS harness/cli/archgrid tests/unit/fatbin/fatbin_test)
  e2e_run("${NM}" "${build}/${program}")
  e2e_expect(pass MATCH "__asan_init" "__ubsan_handle")
endforeach()
# The same tests may run in the tests' tree at this time.
execute_process(COMMAND mktemp -d OUTPUT_VARIABLE folder OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
set(ENV{TEST_TMPDIR} "${folder}")
e2e_run("${CTEST}" --test-dir "${build}" -j 2 -R "^unit\\.(archive|fatbin|coverage|report|cli)$" --output-on-failure)
file(REMOVE_RECURSE "${folder}")
e2e_expect(pass MATCH "100% tests passed, 0 tests failed out of 5")
