# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

# Checks evidence of what ran: tests run on a fake GPU, their record is changed into that of a real
# one, a kernel changes, and exactly its evidence expires.
cmake_path(GET COMMAND PARENT_PATH package)
while(NOT EXISTS "${package}/ArchGridConfig.cmake" AND NOT package STREQUAL "/")
  cmake_path(GET package PARENT_PATH package)
endwhile()
set(source "${WORK}/source")
file(WRITE "${source}/CMakeLists.txt" "cmake_minimum_required(VERSION 3.25)
set(CMAKE_CUDA_RUNTIME_LIBRARY Shared)
project(evidence LANGUAGES CXX CUDA)
find_package(ArchGrid REQUIRED)
enable_testing()
add_subdirectory(\"${ROOT}/harness/fake_cudart\" fake_cudart)
add_executable(steps_test steps.cu other.cu steps_test.cpp)
target_link_libraries(steps_test PRIVATE archgrid::gtest)
archgrid_add_gpu_test(steps_test)
")
file(WRITE "${source}/steps.cu" "
__global__ void doubles(float* out) { out[threadIdx.x] *= 2.0F; }
__global__ void triples(float* out) { out[threadIdx.x] *= 3.0F; }
__global__ void spare(float* out) { out[threadIdx.x] *= 4.0F; }
__global__ void failing(float* out) { out[threadIdx.x] *= 5.0F; }
__global__ void unused(float* out) { out[threadIdx.x] *= 6.0F; }
void run_doubles(float* out) { doubles<<<1, 32>>>(out); }
void run_spare(float* out) { spare<<<1, 32>>>(out); }
void run_failing(float* out) { failing<<<1, 32>>>(out); }
const void* triples_address() { return reinterpret_cast<const void*>(&triples); }
void run_unused(float* out) { unused<<<1, 32>>>(out); }
")
function(write_other factor)
  file(WRITE "${source}/other.cu" "
__global__ void scales(float* out) { out[threadIdx.x] *= ${factor}; }
void run_scales(float* out) { scales<<<1, 32>>>(out); }
")
endfunction()
write_other(7.0F)
file(WRITE "${source}/steps_test.cpp" "#include <cuda_runtime_api.h>
#include <gtest/gtest.h>
#include <cstdlib>
void run_doubles(float* out);
void run_scales(float* out);
void run_failing(float* out);
const void* triples_address();
namespace {
TEST(Steps, Doubles) { run_doubles(nullptr); }
TEST(Steps, TriplesByAddress) {
  float* out = nullptr;
  void* arguments[] = {&out};
  EXPECT_EQ(cudaLaunchKernel(triples_address(), dim3(1), dim3(32), arguments, 0, nullptr), cudaSuccess);
}
TEST(Steps, Scales) { run_scales(nullptr); }
TEST(Steps, Fails) {
  run_failing(nullptr);
  EXPECT_NE(std::getenv(\"PASSES\"), nullptr) << \"as it is meant to\";
}
}  // namespace
")
e2e_matrix(matrix CUDA 13.5 ARCHS 90 DEVICES 9.0 CELLS single ACCEPT native)
string(REPLACE "\"cells\":" "\"runners\": {\"9.0\": [\"gpu\", \"h100\"]},\n  \"cells\":" matrix "${matrix}")
e2e_tree(tree MATRIX "${matrix}" SOURCE "${source}" DEFINITIONS "ArchGrid_DIR=${package}")
e2e_expect(pass)
e2e_build(matrix)
e2e_expect(pass MATCH "1 cells?: 1 built")
set(folder "${TREE}/cells/cu135-sm90")
set(ENV{LD_LIBRARY_PATH} "${folder}/fake_cudart")
set(ENV{ARCHGRID_FAKE_DRIVER} 13.5)
set(ENV{ARCHGRID_FAKE_DEVICES} 9.0)
e2e_ctest(--preset sm90 -R "/steps$")
e2e_expect(fail MATCH "as it is meant to")

# evidence(<pass|fail> <word>... [MATCH <regex>...] [WITHOUT <regex>...]): runs `archgrid evidence`.
function(evidence outcome)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "MATCH;WITHOUT")
  e2e_run("${COMMAND}" evidence ${arg_UNPARSED_ARGUMENTS})
  e2e_expect(${outcome} MATCH ${arg_MATCH} WITHOUT ${arg_WITHOUT})
endfunction()
set(runs "${TREE}/Testing/gpu-tests.json")
file(REMOVE "${WORK}/evidence.jsonl")
evidence(fail add "${runs}"
  MATCH "left out: 1 run on a fake CUDA runtime" "no evidence: none of 1 run executed a kernel")
if(EXISTS "${WORK}/evidence.jsonl")
  message(FATAL_ERROR "a fake run wrote evidence")
endif()

# The record as it would be on a GPU.
file(READ "${runs}" json)
string(JSON json REMOVE "${json}" runs 0 fake)
file(WRITE "${WORK}/run.json" "${json}")
string(JSON executed GET "${json}" runs 0 executed)
string(JSON count LENGTH "${executed}")
if(NOT count EQUAL 3 OR NOT executed MATCHES "doubles.*triples|triples.*doubles" OR NOT executed MATCHES "scales")
  message(FATAL_ERROR "the record names other kernels than the three of passed tests:\n${executed}")
endif()
evidence(pass add run.json --commit c0ffee MATCH "evidence.jsonl: 3 executions of code on 9.0, 3 new")
evidence(pass add run.json MATCH "3 executions of code on 9.0, 0 new")
set(program "${folder}/steps_test")
evidence(pass show "${program}"
  MATCH "(doubles|triples|scales) and 2 more +executed" "(spare|failing|unused) and 2 more +never"
    "9[.]0 [^\n]*: 3 of 6 kernels executed as they are, last run on 20"
    "evidence is incomplete: 3 of 6 .kernels x GPUs. executed as they are, 3 never executed" WITHOUT "changed")
evidence(fail show "${program}" --require MATCH "evidence is incomplete")
evidence(pass show "${program}" --gpu 8.0 MATCH "no kernel has code for these GPUs")

# A changed kernel.
write_other(8.0F)
e2e_build(matrix)
e2e_expect(pass)
evidence(pass show "${program}" --all MATCH "doubles +executed" "triples +executed" "scales +changed"
  "2 of 6 .kernels x GPUs. executed as they are, 1 changed since")
evidence(pass show "${program}" --json MATCH "\"9[.]0\":\"changed\"" "\"commit\":\"c0ffee\"")

# Records of other code.
file(SHA256 "${WORK}/evidence.jsonl" before)
evidence(fail add run.json MATCH "run.json: no binary has its code of scales[^\n]* for 9.0" "or not of these programs")
string(REGEX REPLACE "\"identity\" ?: ?\"[0-9a-f]" "\"identity\":\"x" forged "${json}")
file(WRITE "${WORK}/forged.json" "${forged}")
evidence(fail add forged.json MATCH "forged.json: \"identity\" has no 32")
evidence(fail add "${WORK}/evidence.jsonl" MATCH "evidence.jsonl: it cannot be read")
file(SHA256 "${WORK}/evidence.jsonl" after)
if(NOT before STREQUAL after)
  message(FATAL_ERROR "a refused record changed the evidence")
endif()

# GPU jobs that are needed: a program whose tests have not all passed, one whose tests have, and a
# changed one.
# needed(<option>...): asks which GPU jobs of the tree are needed.
function(needed)
  e2e_run("${COMMAND}" matrix "${TREE}/matrix.json" --needed evidence.jsonl --tree "${TREE}" ${ARGN})
  set(output "${output}" PARENT_SCOPE)
  set(result "${result}" PARENT_SCOPE)
endfunction()
needed()
e2e_expect(pass MATCH "1 GPU job"
  "sm90 is needed:\n  cu135-sm90/steps_test: other code than on 20[^\n]* in 1 kernel: scales\n")
# Runs the tests, and adds their record as that of a GPU.
function(run_and_add)
  e2e_ctest(--preset sm90 -R "/steps$")
  e2e_expect(pass)
  file(READ "${runs}" json)
  string(JSON json REMOVE "${json}" runs 0 fake)
  file(WRITE "${WORK}/run.json" "${json}")
  evidence(pass add run.json)
endfunction()
set(ENV{PASSES} 1)
set(ENV{GTEST_FILTER} -Steps.Fails)
run_and_add()
needed()
e2e_expect(pass MATCH "sm90 is needed:\n  cu135-sm90/steps_test: 3 kernels without a run" WITHOUT "not needed")
unset(ENV{GTEST_FILTER})
run_and_add()
needed()
e2e_expect(pass MATCH "no GPU job is needed" "all tests passed there with this code: sm90" WITHOUT "1 GPU job")
needed(--json)
e2e_expect(pass MATCH "\"jobs\": \\[\\]" "\"unneeded\": \\[\n +\"sm90\"")
needed(--build-jobs 1)
e2e_expect(pass MATCH "0 GPU jobs")
unset(ENV{PASSES})
e2e_ctest(--preset sm90 -R "/steps$")
e2e_expect(fail)
file(READ "${runs}" failed)
string(JSON failed REMOVE "${failed}" runs 0 fake)
file(WRITE "${WORK}/failed.json" "${failed}")
evidence(pass add failed.json)
needed()
e2e_expect(pass MATCH "sm90 is needed:" WITHOUT "no GPU job is needed")
write_other(9.0F)
e2e_build(matrix)
e2e_expect(pass)
needed()
e2e_expect(pass MATCH "steps_test: other code than on 20[^\n]* in 1 kernel: scales\n" WITHOUT "no GPU job is needed")
e2e_run("${COMMAND}" matrix "${TREE}/matrix.json" --needed evidence.jsonl --tree nowhere)
e2e_expect(pass MATCH "cu135-sm90: it is not built in nowhere")
file(REMOVE "${WORK}/none.jsonl")
e2e_run("${COMMAND}" matrix "${TREE}/matrix.json" --needed none.jsonl)
e2e_expect(fail MATCH "--needed: none.jsonl does not exist")

# Two branches add evidence.
find_program(GIT git REQUIRED)
set(repository "${WORK}/repository")
file(MAKE_DIRECTORY "${repository}")
function(git)
  execute_process(COMMAND "${GIT}" -c user.name=x -c user.email=x@x -c init.defaultBranch=main ${ARGN}
    WORKING_DIRECTORY "${repository}" RESULT_VARIABLE code OUTPUT_VARIABLE text ERROR_VARIABLE text)
  if(code)
    message(FATAL_ERROR "git ${ARGN}: ${text}")
  endif()
endfunction()
# Returns the evidence of another GPU.
function(lines_of gpu kernel out)
  file(READ "${WORK}/evidence.jsonl" lines)
  string(REPLACE "\"9.0\"" "\"${gpu}\"" lines "${lines}")
  string(REPLACE "doubles" "${kernel}" lines "${lines}")
  set(${out} "${lines}" PARENT_SCOPE)
endfunction()
git(init)
file(WRITE "${repository}/.gitattributes" "*.jsonl merge=union\n")
file(COPY "${WORK}/evidence.jsonl" DESTINATION "${repository}")
git(add .)
git(commit -m base)
foreach(gpu IN ITEMS 8.0 8.6)
  git(checkout -b "on-${gpu}" main)
  lines_of(${gpu} doubles lines)
  file(APPEND "${repository}/evidence.jsonl" "${lines}")
  git(commit -am "${gpu}")
endforeach()
git(merge on-8.0)
evidence(pass show "${program}" --evidence "${repository}/evidence.jsonl" --json
  MATCH "\"devices\":\\[\"8[.]0\",\"8[.]6\",\"9[.]0\"\\]")
