# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

# Checks the guide's "In your own project" as written: a CUDA project with a GPU test, beside it the
# project of its matrix, archgrid's presets included beside its own, no archgrid command on the
# machine. A plain build builds the cells, so that ctest never judges the results of an earlier
# build.
set(project "${WORK}/mylib")
file(WRITE "${project}/kernel.cu" "__global__ void fill(float* out) { out[threadIdx.x] = 1.0f; }
void launch(float* out) { fill<<<1, 32>>>(out); }\n")
file(WRITE "${project}/fill_test.cpp" "#include <archgrid/gtest.hpp>
void launch(float* out);
TEST(Fill, WritesOnes) {
  archgrid::DeviceBuffer<float> out(32);
  launch(out.data());
  EXPECT_TRUE(archgrid::equal(out.to_host(), std::vector<double>(32, 1.0), 32));
}\n")
set(project_text "cmake_minimum_required(VERSION 3.24...3.25)
project(mylib LANGUAGES CXX CUDA)
enable_testing()
find_package(ArchGrid REQUIRED COMPONENTS gtest)
add_executable(fill_test fill_test.cpp kernel.cu)
target_link_libraries(fill_test PRIVATE archgrid::gtest)
archgrid_add_gpu_test(fill_test)
")
file(WRITE "${project}/CMakeLists.txt" "${project_text}")
set(PROJECT "${project}/matrix")
set(TREE "${PROJECT}/build/matrix")
set(archgrid "${PROJECT}/build")
e2e_copy_sources("${archgrid}")
# At the depth of a build tree, for which ccache has the objects.
set(ENV{ARCHGRID_COMMANDS} "${archgrid}/commands")
e2e_matrix(matrix CUDA 13.5 ARCHS 80 90 DEVICES 8.0 9.0 CELLS fat ACCEPT native)
file(WRITE "${project}/matrix/matrix.json" "${matrix}")
file(WRITE "${project}/matrix/CMakeLists.txt" "cmake_minimum_required(VERSION 3.25)
project(mylib-matrix NONE)
enable_testing()
include([==[${archgrid}/cmake-modules/ArchGrid.cmake]==])
archgrid_add_matrix(MATRIX matrix.json SOURCE ..)\n")
file(WRITE "${project}/matrix/CMakePresets.json"
  "{\"version\": 6, \"include\": [\"${archgrid}/cmake-modules/presets/devices.json\"],
  \"configurePresets\": [{\"name\": \"default\", \"generator\": \"Ninja\", \"binaryDir\": \"mine\"}]}")
set(ENV{PATH} "/usr/bin:/bin")

e2e_run("${CMAKE_COMMAND}" --preset matrix -S "${PROJECT}")
e2e_expect(pass WITHOUT "CMake Warning")
e2e_run("${CMAKE_COMMAND}" --build "${TREE}")
e2e_expect(pass MATCH "1 cell: 1 built")
e2e_ctest(--preset sm90)
e2e_expect(pass MATCH "cu135-fat/AUDIT/sm90 \\.+ +Passed" "cu135-fat/fill [.]+"
  "promise holds: 1 kernel x 1 device" "GPU tests: none ran. 2 skipped .no-gpu.")
e2e_ctest(--preset gpu)
e2e_expect(pass MATCH "cu135-fat/fill [.]+")

# Tests that the matrix file skips must exist; SKIPS reports those that do not.
function(skip pattern)
  string(REPLACE "\"promises\"" "\"skips\": [{\"tests\": \"Fill.*\", \"reason\": \"known\"},
    {\"tests\": \"${pattern}\", \"reason\": \"known, too\"}],\n  \"promises\"" text "${matrix}")
  file(WRITE "${project}/matrix/matrix.json" "${text}")
  e2e_run("${CMAKE_COMMAND}" --build "${TREE}")
  e2e_expect(pass)
endfunction()
skip("?ill.WritesOnes")
e2e_ctest(--preset matrix -R "^SKIPS$")
e2e_expect(pass MATCH "SKIPS \\.+ +Passed")
skip("Fill.WritesTwos")
e2e_ctest(--preset matrix -R "^SKIPS$" -V)
e2e_expect(fail MATCH "skips\\[1\\]: \"Fill\\.WritesTwos\" matches no GPU test of any cell")
file(WRITE "${project}/matrix/matrix.json" "${matrix}")

# A target that omits one of the cell's archs.
file(WRITE "${project}/CMakeLists.txt"
  "${project_text}set_target_properties(fill_test PROPERTIES CUDA_ARCHITECTURES 80)\n")
e2e_run("${CMAKE_COMMAND}" --build "${TREE}")
e2e_expect(pass MATCH "its commands compile for 80 instead of 80 90" "1 cell: 0 built, 1 failed")
file(WRITE "${project}/CMakeLists.txt" "${project_text}")

# A promise that the archs do not keep: code for 8.0 is not native on 8.6.
string(REPLACE "\"9.0\"" "\"8.6\"" broken "${matrix}")
file(WRITE "${project}/matrix/matrix.json" "${broken}")
e2e_run("${CMAKE_COMMAND}" --build "${TREE}")
e2e_expect(pass MATCH "1 cell: 1 built")
e2e_ctest(--preset matrix)
e2e_expect(fail MATCH "cu135-fat/AUDIT/sm86[ .]+\\*\\*\\*Failed" "promise broken")
# A run without audits does not fail because of it, but mentions it.
e2e_ctest(--preset gpu)
e2e_expect(pass MATCH "promise broken" "no test of this run fails for it")
