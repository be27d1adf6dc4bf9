// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include <archgrid/project/cmake_project.hpp>

namespace archgrid::tests {
namespace {

using project::CudaTarget;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Pair;

std::vector<std::string> names(const project::CMakeProject& project) {
  std::vector<std::string> names;
  for (const auto& target : project.targets) names.push_back(target.name);
  return names;
}

project::CMakeProject read(const std::string& text) {
  return project::read_cmake_project(
      {{"CMakeLists.txt", "project(p LANGUAGES CXX CUDA)\n" + text}});
}

TEST(CMakeProject, FindsTargetsByTheirSources) {
  const auto project = read(R"(
add_library(host STATIC a.cpp)   # not b.cu
#[[ add_library(gone x.cu) ]]
ADD_LIBRARY(direct SHARED
  "a b.cu")
set(SOURCES a.cpp)
add_library(before ${SOURCES})
list(APPEND SOURCES k.cu)
add_library(by_variable ${SOURCES})
file(GLOB FILES "src/*.cu")
add_library(by_pattern ${FILES})
add_library(later)
target_sources(later PRIVATE k.cu)
set_source_files_properties(k.cpp PROPERTIES LANGUAGE CUDA)
add_library(by_language k.cpp)
add_library(alias ALIAS direct)
add_executable(tool k.cu)
)");
  EXPECT_EQ(project.name, "p");
  EXPECT_THAT(names(project),
              ElementsAre("direct", "by_variable", "by_pattern", "later", "by_language", "tool"));
  EXPECT_EQ(project.targets.front().line, 5U);
  EXPECT_EQ(project.targets.back().kind, CudaTarget::Kind::program);
}

TEST(CMakeProject, FollowsBranchesObjectsAndFunctions) {
  const auto project = read(R"(
if(WITH_CUDA)
  set(SOURCES k.cu)
else()
  set(SOURCES k.cpp)
endif()
add_library(branches ${SOURCES})
add_library(objects OBJECT k.cu)
add_library(whole $<TARGET_OBJECTS:objects>)
function(add_backend backend)
  add_library(${backend} ${ARGN})
endfunction()
add_backend(by_function k.cu)
add_library(${PROJECT_NAME}_kernels k.cu)
foreach(name IN ITEMS a b)
  add_executable(${name}_perf ${name}.cu)
endforeach()
)");
  EXPECT_THAT(names(project), ElementsAre("branches", "objects", "whole", "by_function",
                                          "p_kernels", "${name}_perf"));
  EXPECT_EQ(project.targets[1].kind, CudaTarget::Kind::object_library);
  EXPECT_FALSE(project.targets.back().is_named());
}

TEST(CMakeProject, LeavesOutFoldersWithoutCuda) {
  const std::vector<project::BuildFile> files = {
      {"CMakeLists.txt", "project(p CXX)\nset(KERNELS k.cu)\n"},
      {"cuda/CMakeLists.txt", "enable_language(CUDA)\nadd_library(p-cuda ${KERNELS})\n"},
      {"hip/CMakeLists.txt", "enable_language(HIP)\nadd_library(p-hip ${KERNELS})\n"}};
  const auto project = project::read_cmake_project(files);
  EXPECT_THAT(names(project), ElementsAre("p-cuda"));
  EXPECT_TRUE(project.enables_cuda);
  EXPECT_FALSE(project.enables_cuda_at_top);
  EXPECT_TRUE(read("").enables_cuda_at_top);
}

TEST(CMakeProject, ReadsWhatDecidesTheArchs) {
  const auto own = read("set(P_CUDA_ARCHS \"80;90\" CACHE STRING \"archs\")\n");
  ASSERT_TRUE(own.variable);
  EXPECT_EQ(own.variable->name, "P_CUDA_ARCHS");
  EXPECT_EQ(own.variable->value, "@ARCHS@");
  EXPECT_EQ(read("set(P_CUDA_ARCHS \"8.0\" CACHE STRING x)").variable->value,
            "@REAL_CAPABILITIES@");
  EXPECT_EQ(read("set(P_CUDA_ARCHS sm_80 CACHE STRING x)").variable->value, "@SM@");
  EXPECT_EQ(read("set(NVCC_GENCODE x CACHE STRING x)").variable->value, "@GENCODE@");
  EXPECT_FALSE(read("set(P_CUDA_ARCHS 80)").variable) << "no command line can set it";
  EXPECT_FALSE(read("set(P_CUDA_FLAGS -O3 CACHE STRING x)").variable);
  EXPECT_EQ(read("set(CMAKE_CUDA_ARCHITECTURES 80)").fixed->what, "set(CMAKE_CUDA_ARCHITECTURES)");
  EXPECT_FALSE(read("if(NOT DEFINED CMAKE_CUDA_ARCHITECTURES)\nset(CMAKE_CUDA_ARCHITECTURES 80)\n"
                    "else()\nendif()\n")
                   .fixed);
  EXPECT_EQ(read("add_compile_options(-gencode=arch=compute_80,code=sm_80)").fixed->what,
            "-gencode");
}

TEST(CMakeProject, ReadsSwitchesLibrariesAndOutputs) {
  const auto project = read(R"(
option(P_CUDA "use CUDA" OFF)
option(P_USE_CUDA "on already" ON)
set(BACKEND "cpu" CACHE STRING "backend")
set_property(CACHE BACKEND PROPERTY STRINGS cpu cuda)
target_link_libraries(p PRIVATE CUDA::cublasLt CUDA::cufft_static)
set_target_properties(p PROPERTIES LIBRARY_OUTPUT_DIRECTORY "${PROJECT_SOURCE_DIR}/p")
)");
  EXPECT_THAT(project.switches, ElementsAre(Pair("BACKEND", "cuda"), Pair("P_CUDA", "ON")));
  EXPECT_THAT(project.libraries, ElementsAre("cublas", "cufft"));
  EXPECT_TRUE(project.writes_to_sources);
  EXPECT_THAT(read("find_package(CUDA REQUIRED)\n"
                   "target_link_libraries(p ${CUDA_CUBLAS_LIBRARIES} ${CUDA_cusparse_LIBRARY} "
                   "${CUDA_LIBRARIES})\ncuda_add_cufft_to_target(p)\n")
                  .libraries,
              ElementsAre("cublas", "cufft", "cusparse"));
}

TEST(CMakeProject, ValuesOfBranchesDoNotMultiply) {
  std::string text = "set(X a.cu b.cpp)\nif(ON)\n";
  for (int line = 0; line < 20; ++line) {
    text += "set(X ${X} ${X}" + std::to_string(line) + " ${X}${X}${X}${X})\n";
  }
  EXPECT_THAT(names(read(text + "endif()\nadd_library(x ${X})\n")), ElementsAre("x"));
}

TEST(CMakeProject, SurvivesDamagedFiles) {
  for (const auto* text : {"add_library(a b.cu", "\"", "#[[", "a(", ")", "[==[", "set(A ${A} ${A})",
                           "set(X \"${X}\")\nadd_library(x ${X})", "add_library()", "\\"}) {
    EXPECT_THAT(names(read(text)), IsEmpty()) << text;
  }
}

}  // namespace
}  // namespace archgrid::tests
