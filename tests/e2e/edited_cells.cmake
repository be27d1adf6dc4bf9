# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

# Checks edits after the build, of sources and of the project that builds them, in projects for
# which Ninja always has work to do: the built files no longer match the sources.
set(sources "${WORK}/the sources")
file(COPY "${E2E}/tiny/" DESTINATION "${sources}")
e2e_matrix(matrix CUDA 13.5 ARCHS 75 90 DEVICES 7.5 9.0 CELLS fat ACCEPT native compatible)
e2e_tree(tree MATRIX "${matrix}" SOURCE "${sources}")
file(READ "${sources}/CMakeLists.txt" project)

# Builds the cell, whose tests pass, evaluates LINE, and expects the ctest selection ARGN to report
# the edit.
macro(expect_noticed line)
  e2e_build(matrix)
  e2e_ctest(--preset sm90)
  e2e_expect(pass MATCH "promise holds")
  execute_process(COMMAND "${CMAKE_COMMAND}" -E sleep 1.1)
  cmake_language(EVAL CODE "${line}")
  e2e_ctest(--preset sm90 ${ARGN})
  e2e_expect(fail MATCH "its sources have changed since it was built"
    WITHOUT "AUDIT/sm90" "cu135-fat/runs" "promise holds")
endmacro()

# A header that a command rewrites in each build if its text changes (such as a version header), and
# a file that is generated without existing inputs.
file(WRITE "${sources}/version.cmake"
  "file(WRITE new.h \"#define VERSION 1\\n\")\nfile(COPY_FILE new.h version.h ONLY_IF_DIFFERENT)\n")
file(READ "${sources}/second.cu" second)
file(WRITE "${sources}/second.cu" "#include \"version.h\"\n${second}")
file(WRITE "${sources}/read.txt" "")
file(APPEND "${sources}/CMakeLists.txt" "
add_custom_target(version ALL COMMAND \${CMAKE_COMMAND} -P \${CMAKE_CURRENT_SOURCE_DIR}/version.cmake BYPRODUCTS version.h \"an other.h\")
add_dependencies(second version)
target_include_directories(second PRIVATE \${CMAKE_CURRENT_BINARY_DIR})
add_custom_target(reads ALL COMMAND \${CMAKE_COMMAND} -E true DEPENDS \${CMAKE_CURRENT_SOURCE_DIR}/read.txt)
add_custom_command(OUTPUT always [==[a l$w[ay]s;]==] COMMAND \${CMAKE_COMMAND} -E true)
add_custom_command(OUTPUT other.cpp DEPENDS always \${units}/main.cpp \${units}/version.cmake
  COMMAND \${CMAKE_COMMAND} -E copy_if_different \${units}/main.cpp other.cpp)
add_library(other SHARED other.cpp)
add_custom_target(renew ALL COMMAND \${CMAKE_COMMAND} -E touch renewed BYPRODUCTS renewed)
add_custom_target(date ALL DEPENDS dated)
add_custom_command(OUTPUT dated DEPENDS renew renewed COMMAND touch -d 2020-01-01 dated)
add_custom_command(TARGET other POST_BUILD COMMAND touch -d 2020-01-01 \$<TARGET_FILE:other>)
set_source_files_properties(other.cpp PROPERTIES OBJECT_DEPENDS \${CMAKE_CURRENT_BINARY_DIR}/renewed)
")
set(ENV{NINJA_STATUS} "[%f %e] ") # with the time
foreach(file IN ITEMS second.cu main.cpp version.cmake read.txt CMakeLists.txt)
  expect_noticed("file(TOUCH \"${sources}/${file}\")")
endforeach()
unset(ENV{NINJA_STATUS})

# Any selection of tests detects the edit.
expect_noticed("file(TOUCH \"${sources}/second.cu\")" --repeat until-pass:2)
file(WRITE "${sources}/CMakeLists.txt" "${project}")
file(WRITE "${sources}/second.cu" "${second}")
e2e_build(matrix)
foreach(selected IN ITEMS "-R;AUDIT" "-E;BUILT")
  e2e_build(matrix)
  e2e_ctest(--preset sm90 ${selected})
  e2e_expect(pass MATCH "promise holds")
  execute_process(COMMAND "${CMAKE_COMMAND}" -E sleep 1.1)
  file(TOUCH "${sources}/second.cu")
  e2e_ctest(--preset sm90 ${selected})
  e2e_expect(fail WITHOUT "AUDIT/sm90" "cu135-fat/runs" "promise holds")
endforeach()

# Bundles, where Ninja cannot be asked.
e2e_build(matrix)
foreach(outcome IN ITEMS pass fail)
  e2e_run("${CMAKE_COMMAND}" "-DTREE=${TREE}" "-DOUTPUT=${WORK}/x.tar.zst"
    -P "${ROOT}/cmake-modules/archgrid/bundle.cmake")
  e2e_expect(${outcome})
  execute_process(COMMAND "${CMAKE_COMMAND}" -E sleep 1.1)
  file(TOUCH "${sources}/second.cu")
endforeach()
e2e_expect(fail MATCH "cu135-fat is not built \\(edited\\)")

# Globs of CONFIGURE_DEPENDS: a new file that they match, and an edit of the project. Nothing else
# is judged or configured again.
file(APPEND "${sources}/CMakeLists.txt"
  "file(GLOB more CONFIGURE_DEPENDS \${units}/more*.cu)\ntarget_sources(tiny PRIVATE \${more})
file(APPEND \"${WORK}/configured\" \"x\")\n")
expect_noticed("file(WRITE \"${sources}/more.cu\" \"__global__ void more(float* p) { *p = 1; }\\n\")")
expect_noticed("file(APPEND \"${sources}/CMakeLists.txt\" \"set_target_properties(second PROPERTIES CUDA_ARCHITECTURES 75)\\n\")")
e2e_build(matrix)
e2e_ctest(--preset sm90)
e2e_expect(fail MATCH "second_kernel +JIT")
file(READ "${WORK}/configured" before)
e2e_build(matrix)
file(READ "${WORK}/configured" after)
if(NOT before STREQUAL after)
  message(FATAL_ERROR "configured again, with nothing to do")
endif()

# A target that somebody built by hand: the build of the matrix did not judge it.
file(WRITE "${sources}/CMakeLists.txt" "${project}")
expect_noticed("file(APPEND \"${sources}/CMakeLists.txt\" \"add_executable(more main.cpp first.cu second.cu)\\n\")
e2e_run(\"${NINJA}\" -C \"${TREE}/cells/cu135-fat\")
e2e_expect(pass)")
e2e_build(matrix)

# Two edits during the build: the build step rebuilds only once. A file dated in the future is a
# different case.
file(WRITE "${sources}/CMakeLists.txt" "${project}add_custom_command(TARGET tiny POST_BUILD
  COMMAND sh -c \"[ -e twice ] || { [ ! -e once ] || touch twice; touch once; sleep 1.1; touch '${sources}/second.cu'; }\" VERBATIM)\n")
e2e_build(matrix)
e2e_ctest(--preset sm90)
e2e_expect(fail MATCH "its sources have changed since it was built" WITHOUT "promise holds")
e2e_run(touch -d "+1 day" "${sources}/second.cu")
expect_noticed("file(TOUCH \"${sources}/second.cu\")")

# A nested build, which the cell's Ninja does not know.
file(WRITE "${WORK}/nested/CMakeLists.txt"
  "cmake_minimum_required(VERSION 3.25)\nproject(nested CXX)\nadd_library(nested SHARED nested.cpp)\n")
file(WRITE "${WORK}/nested/nested.cpp" "int nested() { return 1; }\n")
file(WRITE "${sources}/CMakeLists.txt" "${project}include(ExternalProject)
ExternalProject_Add(nested SOURCE_DIR [==[${WORK}/nested]==] BINARY_DIR nested-build BUILD_ALWAYS ON INSTALL_COMMAND \"\"
  CMAKE_ARGS [==[-DCMAKE_MAKE_PROGRAM=${NINJA}]==])\n")
expect_noticed("file(TOUCH \"${WORK}/nested/nested.cpp\")")

# The project that builds the cells asks for something else now.
file(WRITE "${sources}/CMakeLists.txt" "${project}")
file(READ "${PROJECT}/CMakeLists.txt" top)
string(REPLACE "DEFINITIONS [==[]==]" "DEFINITIONS TINY_SECOND_ARCHS=75" changed "${top}")
file(WRITE "${WORK}/changed" "${changed}")
expect_noticed("file(COPY_FILE \"${WORK}/changed\" \"${PROJECT}/CMakeLists.txt\")")
e2e_build(matrix)
e2e_ctest(--preset sm90)
e2e_expect(fail MATCH "second_kernel +JIT")
file(WRITE "${PROJECT}/CMakeLists.txt" "${top}file(GLOB files CONFIGURE_DEPENDS *.txt)\n")
expect_noticed("file(WRITE \"${PROJECT}/other.txt\" \"\")")

# The Ninja that built the cell no longer exists.
e2e_build(matrix)
file(APPEND "${TREE}/cells/cu135-fat.config.cmake" "set(cell_ninja /nowhere/ninja)\n")
e2e_ctest(--preset sm90)
e2e_expect(fail MATCH "the Ninja that built it is gone")
