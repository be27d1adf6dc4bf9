# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

# Checks archgrid_audit(NAME ... FILES ...): wheels and install trees that do not exist when the
# project is configured.
include("${ROOT}/cmake-modules/ArchGrid.cmake")
archgrid_find_toolkit(13.5 RESULT toolkit)
e2e_cache_compilations("${toolkit_ROOT}")
set(source "${WORK}/files [1]") # no pattern
file(COPY "${E2E}/shapes/kernel.cu" DESTINATION "${source}")
file(WRITE "${source}/CMakeLists.txt" "cmake_minimum_required(VERSION 3.25)
project(files LANGUAGES CXX CUDA)
include([==[${ROOT}/cmake-modules/ArchGrid.cmake]==])
archgrid_promise(DEVICES \${PROMISED})
add_library(first SHARED kernel.cu)
target_compile_definitions(first PRIVATE KERNEL=first)
add_library(second SHARED kernel.cu)
target_compile_definitions(second PRIVATE KERNEL=second)
install(TARGETS first second)
archgrid_audit(NAME wheels FILES \"\${CMAKE_BINARY_DIR}/dist/mine-[0-9]*.whl\" IGNORE \"missing:first_*=not shipped\")
archgrid_audit(NAME install FILES \"\${CMAKE_BINARY_DIR}/in stalled\")
archgrid_audit(NAME expression FILES \$<TARGET_FILE:first> \$<TARGET_OBJECTS:second>)
archgrid_audit(NAME beside FILES \$<TARGET_FILE_DIR:first>/lib[f-s]*.so)
archgrid_audit(NAME relative FILES dist/prebuilt.so)
archgrid_audit(NAME pattern FILES dist/*.so)
archgrid_audit(NAME empty FILES \"\$<\$<CONFIG:Debug>:dist/*.whl>\" dist/prebuilt.so)
archgrid_audit(NAME computed FILES \"\$<1:dist/*.so>\")
add_test(NAME install COMMAND \"\${CMAKE_COMMAND}\" --install \"\${CMAKE_BINARY_DIR}\" --prefix \"\${CMAKE_BINARY_DIR}/in stalled\")
set_tests_properties(install PROPERTIES FIXTURES_SETUP install)
set_tests_properties(audit.install PROPERTIES FIXTURES_REQUIRED install)
")

# configure_and_test(<promised devices>)
macro(configure_and_test promised)
  e2e_run("${CMAKE_COMMAND}" -G Ninja -S "${source}" -B "${WORK}/build [2]" "-DCMAKE_CUDA_COMPILER=${toolkit_NVCC}"
    -DCMAKE_CUDA_ARCHITECTURES=90 "-DPROMISED=${promised}" "-DARCHGRID_COMMAND=${COMMAND}")
  e2e_expect(pass WITHOUT "Warning")
  e2e_run("${NINJA}" -C "${WORK}/build [2]")
  e2e_expect(pass)
  e2e_run("${CTEST}" --test-dir "${WORK}/build [2]" --output-on-failure)
endmacro()

# Nothing made the wheels, nor the file beside the sources.
configure_and_test(9.0)
e2e_expect(fail MATCH "audit\\.wheels .*Failed.*build \\[2\\]/dist/mine-\\[0-9\\]\\*\\.whl: no file matches"
  "audit\\.install \\.+ +Passed" "audit\\.expression \\.+ +Passed" "audit\\.beside \\.+ +Passed"
  "files \\[1\\]/dist/prebuilt\\.so: cannot open"
  "files .*\\[1.*\\]/dist/\\*\\.so: no file matches")
file(COPY_FILE "${WORK}/build [2]/libfirst.so" "${WORK}/prebuilt.so")
file(MAKE_DIRECTORY "${WORK}/build [2]/dist" "${source}/dist")
file(RENAME "${WORK}/prebuilt.so" "${source}/dist/prebuilt.so")
set(libraries first second)
foreach(version IN ITEMS 1 2)
  list(POP_FRONT libraries library)
  execute_process(COMMAND "${CMAKE_COMMAND}" -E tar cf "dist/mine-${version}-py3-none-any.whl"
    --format=zip lib${library}.so
    WORKING_DIRECTORY "${WORK}/build [2]" COMMAND_ERROR_IS_FATAL ANY)
endforeach()
file(WRITE "${WORK}/build [2]/dist/other-1-py3-none-any.whl" "no wheel: would be an error")
configure_and_test("8.0\\;9.0")
e2e_expect(fail MATCH "tests passed, 8 tests failed out of 9"
  "missing: libsecond\\.so: second_kernel on 8\\.0[^!]*mine-2-py3-none-any\\.whl!libsecond\\.so for 80"
  "ignored: 1 finding: not shipped"
  "in CMakeLists\\.txt:\narchgrid_audit\\(NAME wheels FILES \\.\\.\\. IGNORE \"missing:second_kernel"
  "archgrid_audit\\(NAME install FILES \\.\\.\\. IGNORE \"missing:first_kernel"
  "missing: libfirst\\.so: first_kernel on 8\\.0" "missing: kernel\\.cu\\.o: second_kernel on 8\\.0"
  "compile kernel\\.cu for 80 too"
  "missing: prebuilt\\.so: first_kernel on 8\\.0" WITHOUT "mine-1-py3" "other-1")
configure_and_test(9.0)
e2e_expect(fail MATCH "audit\\.relative \\.+ +Passed" "audit\\.pattern \\.+ +Passed"
  "audit\\.empty \\.+ +Passed" "audit\\.computed \\.+ +Passed"
  "IGNORE \"missing:first_\\*\" of archgrid_audit in CMakeLists\\.txt: \"first_\\*\" matches no error"
  WITHOUT "--ignore")

# Errors name the call, and what to write instead.
set(promise "archgrid_promise(DEVICES 9.0)\n")
e2e_refuses(nameless "${promise}archgrid_audit(FILES a.so)"
  "FILES needs a NAME for its test.*CMakeLists\\.txt:5 \\(archgrid_audit\\)")
e2e_refuses(nothing "${promise}archgrid_audit(NAME a FILES)" "FILES is empty")
e2e_refuses(empty "${promise}archgrid_audit(NAME a FILES a.so \"\${UNSET}\")" "FILES has an empty path")
e2e_refuses(all_empty "${promise}archgrid_audit(NAME a FILES \"\${UNSET}\")" "FILES has an empty path")
e2e_refuses(no_files "${promise}archgrid_audit(NAME a)" "NAME a needs FILES")
e2e_refuses(name "${promise}archgrid_audit(NAME \"a b\" FILES a.so)" "NAME \"a b\": use letters, digits")
e2e_refuses(same_name
  "${promise}archgrid_audit(NAME a FILES a.so)\narchgrid_audit(NAME a FILES b.so)" "the test audit\\.a exists already")
e2e_refuses(home "${promise}archgrid_audit(NAME a FILES ~/a.so)" "CMake does not expand ~\\. Write .ENV.HOME")
e2e_refuses(stars "${promise}archgrid_audit(NAME a FILES a/**/b.so)" "unknown pattern \\*\\*\\. Name the folder")
e2e_refuses(on_build "${promise}archgrid_audit(NAME a FILES a.so ON_BUILD)" "ON_BUILD is for targets")
e2e_refuses(both "${promise}archgrid_audit(mine NAME a FILES a.so)"
  "targets and FILES need a call each\\. Call archgrid_audit\\(mine\\), too")
e2e_refuses(a_target "${promise}add_custom_target(mine)\narchgrid_audit(NAME a FILES mine)"
  "FILES mine is a target\\. Call archgrid_audit\\(mine\\)")
e2e_refuses(a_file "${promise}archgrid_audit(dist/a.whl)"
  "dist/a\\.whl is no target here.*archgrid_audit\\(NAME <name> FILES dist/a\\.whl\\)")
e2e_refuses(no_reason "${promise}archgrid_audit(NAME a FILES a.so IGNORE missing:k*)"
  "IGNORE \"missing:k\\*\" lacks a pattern or a reason")
e2e_refuses(no_code "${promise}archgrid_audit(NAME a FILES a.so IGNORE mising:k*=tried)"
  "\"mising\" is no code of errors.*explain")
