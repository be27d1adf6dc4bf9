// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <archgrid/coverage.hpp>
#include <fstream>
#include <map>
#include <string>
#include <vector>

namespace archgrid::coverage {
namespace {

using ::testing::HasSubstr;
using ::testing::UnorderedElementsAre;

/// A folder that is unique to this run, as several may run at once.
class Folder {
 public:
  Folder() { std::filesystem::create_directories(path_); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  ~Folder() { std::filesystem::remove_all(path_); }

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_ = std::filesystem::path(::testing::TempDir()) /
                                ("archgrid-promise-" + std::to_string(::getpid()));
};

std::filesystem::path write_matrix(const std::string& text) {
  static const Folder folder;
  const auto* test = ::testing::UnitTest::GetInstance()->current_test_info();
  auto path = folder.path() / (std::string(test->name()) + ".json");
  std::ofstream(path) << text;
  return path;
}

Matrix matrix_of(const std::string& rest) {
  return read_matrix(write_matrix(R"({"name": "m", "toolkits": [])" + rest + "}"));
}

/// Returns the error for a matrix file with these additional keys.
std::string refusal(const std::string& rest) {
  try {
    matrix_of(rest);
  } catch (const MatrixError& error) {
    return error.what();
  }
  return "accepted";
}

KernelRow row_of(const std::string& mangled) {
  return {mangled, fatbin::demangle(mangled), {0}, false};
}

TEST(Matrix, ReadsPromisesAndIgnores) {
  const auto matrix = matrix_of(R"(, "promises": [
      {"devices": ["7.5", "9.0"]},
      {"devices": ["9.0"], "kernels": "*wgmma*", "accept": ["native"]},
      {"devices": ["12.1"], "accept": ["jit"], "driver": "580", "toolkits": ["13.0"]}],
    "skips": [{"tests": "Fp8.*", "devices": ["7.5"], "reason": "no fp8"},
              {"tests": "*.Slow", "reason": "too slow"}],
    "ignore": [{"kernel": "*_debug*", "devices": ["7.5"], "reason": "not shipped"},
               {"kernel": "stub:*gemm*", "reason": "never launched"}])");
  ASSERT_EQ(matrix.promises.size(), 3U);
  EXPECT_EQ(matrix.promises[0].accept, default_verdicts());
  EXPECT_EQ(matrix.promises[1].kernels, "*wgmma*");
  EXPECT_EQ(matrix.promises[1].place, "promises[1]");
  EXPECT_EQ(matrix.promises[2].driver->ptx_isa.text(), "9.0");
  ASSERT_EQ(matrix.ignores.size(), 2U);
  EXPECT_EQ(matrix.ignores[0].reason, "not shipped");
  EXPECT_EQ(matrix.ignores[0].code, "");
  EXPECT_EQ(matrix.ignores[1].code, "stub");
  EXPECT_EQ(matrix.ignores[1].kernel, "*gemm*");
  const auto* skip = skip_for(matrix, "Fp8.Sums", {7, 5});
  ASSERT_NE(skip, nullptr);
  EXPECT_EQ(skip->place, "skips[0]");
  EXPECT_EQ(skip->reason, "no fp8");
  EXPECT_EQ(skip_for(matrix, "Fp8.Sums", {9, 0}), nullptr);
  EXPECT_EQ(skip_for(matrix, "Fp16.Sums", {7, 5}), nullptr);
  EXPECT_EQ(skip_for(matrix, "Fp8.Slow", {9, 0}), &matrix.skips[1]);
}

TEST(Matrix, APatternWithoutToolkitsHoldsInBuildsThatServeTheDevice) {
  const auto matrix = matrix_of(R"(, "promises": [
      {"devices": ["7.5", "8.0"]},
      {"devices": ["9.0"], "toolkits": ["13.0"]},
      {"devices": ["9.0", "8.0"], "toolkits": ["12.4"]},
      {"devices": ["12.0"], "toolkits": ["13.0"]},
      {"kernels": "*fp8*", "devices": ["7.5", "9.0", "12.0", "10.0", "8.0"]},
      {"kernels": "*fp4*", "devices": ["12.0"], "toolkits": ["12.4"]}])");
  std::map<std::string, std::vector<std::string>> devices_by_toolkit;
  for (const auto* toolkit : {"11.8", "12.4", "13.0"}) {
    for (const auto& promise : promises_for(matrix, *parse_version(toolkit))) {
      if (promise.kernels != "*fp8*") continue;
      EXPECT_EQ(promise.place, "promises[4]");
      for (const auto device : promise.devices) {
        devices_by_toolkit[toolkit].push_back(device.text());
      }
    }
  }
  EXPECT_THAT(devices_by_toolkit["11.8"], UnorderedElementsAre("7.5", "8.0", "10.0"))
      << "10.0, which no other promise names, is promised by all builds";
  EXPECT_THAT(devices_by_toolkit["12.4"], UnorderedElementsAre("7.5", "8.0", "9.0", "10.0"));
  EXPECT_THAT(devices_by_toolkit["13.0"],
              UnorderedElementsAre("7.5", "8.0", "9.0", "10.0", "12.0"));
  const auto old_promises = promises_for(matrix, Version{12, 4});
  const auto of_kernel = promises_of(old_promises, row_of("fp8_gemm"));
  ASSERT_EQ(of_kernel.size(), 1U) << "the promises without a pattern are replaced everywhere";
  EXPECT_EQ(of_kernel[0]->kernels, "*fp8*");
  const auto& literal = matrix.promises.back();
  EXPECT_EQ(literal.kernels, "*fp4*");
  EXPECT_EQ(literal.toolkits.at(0).text(), "12.4") << "stated toolkits stand";
}

TEST(Matrix, APromiseIsStrictUnlessItSaysOtherwise) {
  const auto matrix = matrix_of(R"(, "promises": [
      {"devices": ["7.5"]}, {"devices": ["8.0"], "strict": false}])");
  EXPECT_TRUE(matrix.promises.at(0).strict);
  EXPECT_FALSE(matrix.promises.at(1).strict);
  EXPECT_THAT(refusal(R"(, "promises": [{"devices": ["7.5"], "strict": "no"}])"),
              HasSubstr("promises[0].strict: expected true or false, found \"no\""));
}

TEST(Matrix, ReadsToolkitsAndBudgets) {
  const auto path = write_matrix(R"({"name": "m",
    "toolkits": [{"cuda": "13.0"}, {"cuda": "12.4"}, {"cuda": "13.0", "variant": "debug"}],
    "budgets": [
      {"kernels": "*gemm*", "registers": 128, "spill_bytes": 0, "archs": ["90a"],
       "toolkits": ["13.0"], "reason": "two blocks"},
      {"stack_bytes": 1024, "shared_bytes": 49152},
      {"bytes_per_arch": 20000000}]})");
  const auto matrix = read_matrix(path);
  ASSERT_EQ(matrix.toolkits.size(), 2U) << "each once";
  EXPECT_EQ(matrix.toolkits[1].text(), "12.4");
  ASSERT_EQ(matrix.budgets.size(), 3U);
  const auto& first = matrix.budgets[0];
  EXPECT_EQ(first.place, "budgets[0]");
  EXPECT_EQ(first.kernels, "*gemm*");
  EXPECT_EQ(first.registers, 128U);
  EXPECT_EQ(first.spill_bytes, 0U);
  EXPECT_FALSE(first.stack_bytes);
  EXPECT_EQ(first.archs.at(0).text(), "90a");
  EXPECT_EQ(first.reason, "two blocks");
  EXPECT_EQ(matrix.budgets[1].stack_bytes, 1024U);
  EXPECT_EQ(matrix.budgets[1].shared_bytes, 49152U);
  EXPECT_EQ(matrix.budgets[2].bytes_per_arch, 20000000U);
  EXPECT_EQ(budgets_for(matrix, Version{12, 4}).size(), 2U);
  EXPECT_EQ(budgets_for(matrix, Version{13, 0}).size(), 3U);
  EXPECT_EQ(budgets_for(matrix, std::nullopt).size(), 3U);
}

TEST(Matrix, ListsOfPatternsAreEntriesOfTheirOwn) {
  const auto matrix = matrix_of(R"(, "promises": [
      {"devices": ["7.5"]},
      {"devices": ["9.0", "12.0"], "kernels": ["*wgmma*", "tma_*"], "accept": ["native"]}],
    "budgets": [{"kernels": ["*gemm*", "spmm"], "registers": 128}])");
  ASSERT_EQ(matrix.promises.size(), 3U);
  EXPECT_EQ(matrix.promises[1].place, "promises[1].kernels[0]");
  EXPECT_EQ(matrix.promises[2].place, "promises[1].kernels[1]");
  EXPECT_EQ(matrix.promises[2].entry, "promises[1]");
  EXPECT_EQ(matrix.promises[2].kernels, "tma_*");
  EXPECT_EQ(matrix.promises[2].devices.size(), 2U);
  EXPECT_EQ(matrix.promises[2].accept, Verdicts{Verdict::native});
  ASSERT_EQ(matrix.budgets.size(), 2U);
  EXPECT_EQ(matrix.budgets[1].place, "budgets[0].kernels[1]");
  EXPECT_EQ(matrix.budgets[1].entry, "budgets[0]");
  EXPECT_EQ(matrix.budgets[1].kernels, "spmm");
  EXPECT_EQ(matrix.budgets[1].registers, 128U);
}

TEST(Matrix, RefusesWithPlaceValueAndFix) {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {R"(, "promises": [{"devices": ["9.5"]}])",
       "promises[0].devices[0]: \"9.5\" is no device: use one of 3.5"},
      {R"(, "promises": [{"devices": ["H100"]}])",
       "promises[0].devices[0]: \"H100\" is no compute capability: write \"9.0\""},
      {R"(, "promises": [{"devices": [9.0]}])",
       "promises[0].devices[0]: expected a string, found 9.0"},
      {R"(, "promises": [{"devices": []}])", "promises[0].devices: no device is named"},
      {R"(, "promises": [{"accept": ["native"]}])", "promises[0]: \"devices\" is missing"},
      {R"(, "promises": [{"devices": ["9.0"], "accept": ["fine"]}])",
       "promises[0].accept[0]: \"fine\" is no verdict: use one of native"},
      {R"(, "promises": [{"devices": ["9.0"], "accept": ["native", "missing"]}])",
       "promises[0].accept[1]: \"missing\" means that the kernel fails: use one of"},
      {R"(, "promises": [{"devices": ["9.0"], "accept": []}])",
       "promises[0].accept: no verdict is accepted"},
      {R"(, "promises": [{"devices": ["9.0"], "toolkits": ["12.10"]}])",
       "promises[0].toolkits[0]: \"12.10\" is no CUDA toolkit"},
      {R"(, "promises": [{"devices": ["9.0"], "driver": "new"}])",
       "promises[0].driver: \"new\" is no driver"},
      {R"(, "promises": [{"device": ["9.0"]}])",
       "promises[0]: unknown key \"device\": use one of devices"},
      {R"(, "promises": {})", "promises: expected a list"},
      {R"(, "skips": [{"tests": "S.C"}])", "skips[0]: \"reason\" is missing"},
      {R"(, "skips": [{"reason": "slow"}])", "skips[0]: \"tests\" is missing"},
      {R"(, "skips": [{"tests": "S.C", "reason": " "}])", "skips[0].reason: the reason is empty"},
      {R"(, "ignore": [{"kernel": "k"}])", "ignore[0]: \"reason\" is missing"},
      {R"(, "ignore": ["missing:k"])",
       "ignore[0]: a reason is missing: write {\"kernel\": \"missing:k\", \"reason\": \"...\"}"},
      {R"(, "ignore": [{"kernel": "stbu:k", "reason": "r"}])",
       "ignore[0].kernel: \"stbu\" is no code of errors about kernels, files or GPUs: write stub"},
      {R"(, "ignore": [{"kernel": "stub: ", "reason": "r"}])",
       "ignore[0].kernel: \"stub: \" lacks a pattern"},
      {R"(, "ignore": [{"kernel": "k", "reason": " "}])", "ignore[0].reason: the reason is empty"},
      {R"(, "budgets": [{"registers": "64"}])",
       "budgets[0].registers: expected a whole number, found \"64\""},
      {R"(, "budgets": [{"registers": 64.5}])", "expected a whole number, found 64.5"},
      {R"(, "budgets": [{"spill_bytes": -1}])", "expected a whole number, found -1"},
      {R"(, "budgets": [{"registers": 0}])", "budgets[0].registers: nothing fits into 0"},
      {R"(, "budgets": [{"kernels": "k"}])", "budgets[0]: nothing is limited: add registers"},
      {R"(, "budgets": [{"bytes_per_arch": 9, "kernels": "k"}])",
       "budgets[0]: bytes_per_arch is about files"},
      {R"(, "budgets": [{"bytes_per_arch": 9, "kernels": ["k"]}])",
       "budgets[0]: bytes_per_arch is about files"},
      {R"(, "budgets": [{"registers": 9, "kernels": []}])",
       "budgets[0].kernels: no pattern is listed"},
      {R"(, "promises": [{"devices": ["9.0"], "kernels": ["k", ""]}])",
       "promises[0].kernels[1]: the pattern is empty"},
      {R"(, "promises": [{"devices": ["9.0"], "kernels": ["k", 9]}])",
       "promises[0].kernels[1]: expected a string, found 9"},
      {R"(, "promises": [{"devices": ["9.0"], "kernels": " "}])",
       "promises[0].kernels: the pattern is empty"},
      {R"(, "budgets": [{"bytes_per_arch": 9, "stack_bytes": 0}])",
       "budgets[0]: bytes_per_arch is about files"},
      {R"(, "budgets": [{"registers": 64, "archs": ["90-real"]}])",
       "budgets[0].archs[0]: \"90-real\" is no arch of code in a file"},
      {R"(, "budgets": [{"registers": 64, "archs": []}])", "budgets[0].archs: no arch is named"},
      {R"(, "budgets": [{"registers": 64, "toolkits": []}])", "no toolkit is named"},
      {R"(, "budgets": [{"registers": 64, "toolkits": ["9.9"]}])",
       "budgets[0].toolkits[0]: \"9.9\" is no CUDA toolkit"},
      {R"(, "budgets": [{"register": 64}])", "budgets[0]: unknown key \"register\""},
      {R"(, "promise": [])", "the top level: unknown key \"promise\""},
  };
  for (const auto& [rest, expected] : cases)
    EXPECT_THAT(refusal(rest), HasSubstr(expected)) << rest;
}

TEST(Matrix, NamesTheFile) {
  EXPECT_THAT(refusal(R"(, "promises": [{}])"), HasSubstr("NamesTheFile.json: promises[0]"));
  EXPECT_THROW(read_matrix("no/such/file.json"), MatrixError);
}

TEST(Matrix, SaysWhereJsonIsMalformed) {
  const auto path = write_matrix("{\"name\": \"m\",\n \"toolkits\" []}");
  try {
    read_matrix(path);
    FAIL();
  } catch (const MatrixError& error) {
    EXPECT_THAT(error.what(), HasSubstr("not JSON: "));
    EXPECT_THAT(error.what(), HasSubstr("line 2"));
  }
}

/// Returns the error for a matrix file with this text.
std::string refusal_of(const std::string& text) {
  try {
    read_matrix(write_matrix(text));
  } catch (const MatrixError& error) {
    return error.what();
  }
  return "accepted";
}

// Parsers keep only one of them: the other promise would be lost.
TEST(Matrix, RefusesAKeyThatStandsTwice) {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {R"(, "promises": [{"devices": ["7.5"]}], "promises": [{"devices": ["8.0"]}])",
       "Twice.json: the top level: the key \"promises\" stands twice in one object: keep one"},
      {R"(, "promises": [{"devices": ["7.5"]}, {"devices": ["8.0"], "devices": ["9.0"]}])",
       "promises[1]: the key \"devices\" stands twice"},
      {R"(, "promises": [{"devices": ["7.5"], "\u0064evices": ["8.0"]}])",
       "promises[0]: the key \"devices\" stands twice"},
      {R"(, "runners": {"a": {"b": {"c": 1, "c": 1}}})", "runners.a.b: the key \"c\" stands twice"},
  };
  for (const auto& [rest, expected] : cases) {
    EXPECT_THAT(refusal(rest), HasSubstr(expected)) << rest;
  }
  EXPECT_EQ(refusal(R"(, "promises": [{"devices": ["7.5"]}, {"devices": ["8.0"]}])"), "accepted");
}

TEST(Matrix, RefusesWhatLiesTooDeep) {
  const auto nested = [](std::size_t depth, const std::string& open, const std::string& close) {
    std::string text;
    for (std::size_t level = 0; level < depth; ++level) text += open;
    text += "1";
    for (std::size_t level = 0; level < depth; ++level) text += close;
    return R"({"name": )" + text + "}";
  };
  constexpr std::size_t kDepth = 200000;
  const std::string expected = "TooDeep.json: name: objects and lists lie more than 64 deep";
  EXPECT_THAT(refusal_of(nested(kDepth, "[", "]")), HasSubstr(expected));
  EXPECT_THAT(refusal_of(nested(kDepth, R"({"a": )", "}")), HasSubstr(expected));
  EXPECT_THAT(refusal_of(nested(kDepth, "[", "")), HasSubstr(expected));
  EXPECT_THAT(refusal_of(nested(63, "[", "]")), HasSubstr("expected a string, found a list"));
}

TEST(Matrix, QuotesNoMoreThanALine) {
  const std::string longest(100000, 'x');
  for (const auto& rest :
       {R"(, "promises": [{"devices": [")" + longest + R"("]}])",
        R"(, "promises": [{"devices": ["9.0"], "accept": [")" + longest + R"("]}])",
        R"(, "promises": [{"devices": ["9.0"], "driver": ")" + longest + R"("}])",
        R"(, "promises": ")" + longest + '"', ", \"" + longest + "\": 1",
        ", \"" + longest + "\": 1, \"" + longest + "\": 2", ", \"name\": " + longest,
        ", \"a\": \"" + longest}) {
    const auto message = refusal(rest);
    EXPECT_LT(message.size(), 1000U);
    EXPECT_NE(message, "accepted");
  }
}

TEST(Matrix, IsNoFolder) {
  try {
    read_matrix(::testing::TempDir());
    FAIL();
  } catch (const MatrixError& error) {
    EXPECT_THAT(error.what(), HasSubstr(": it is a folder: name a file"));
  }
}

TEST(Promises, ApplyToTheirToolkits) {
  const auto matrix = matrix_of(R"(, "promises": [{"devices": ["9.0"], "toolkits": ["12.4"]},
                                                  {"devices": ["10.0"], "toolkits": ["13.0"]}])");
  const auto promises = promises_for(matrix, {13, 0});
  ASSERT_EQ(promises.size(), 1U);
  EXPECT_EQ(promises[0].devices[0].text(), "10.0");
  EXPECT_THROW(promises_for(matrix, {11, 8}), MatrixError);
}

TEST(Promises, PatternsReplaceThoseWithout) {
  const auto matrix = matrix_of(R"(, "promises": [{"devices": ["9.0"]},
      {"devices": ["9.0"], "kernels": "*wgmma*", "accept": ["native"]}])");
  EXPECT_EQ(promises_of(matrix.promises, row_of("_Z4gemmPf")).at(0)->place, "promises[0]");
  const auto particular = promises_of(matrix.promises, row_of("_Z10gemm_wgmmaPf"));
  ASSERT_EQ(particular.size(), 1U);
  EXPECT_EQ(particular[0]->place, "promises[1]");
}

TEST(Patterns, SeeWhereTheParametersBegin) {
  EXPECT_EQ(without_parameters("(anonymous namespace)::scale(float*)"),
            "(anonymous namespace)::scale");
  EXPECT_EQ(without_parameters("void pick<(E)1>(float*)"), "void pick<(E)1>");
  EXPECT_EQ(without_parameters("void run<main::{lambda(int)#1}>(main::{lambda(int)#1})"),
            "void run<main::{lambda(int)#1}>");
  EXPECT_EQ(without_parameters("scale"), "scale");
  EXPECT_EQ(without_parameters("module 3 (LTO-IR)"), "module 3");
  EXPECT_EQ(without_parameters("(odd)"), "");
  EXPECT_EQ(without_parameters("k<((8)>(0))>(int)"), "k<((8)>(0))>");
  EXPECT_EQ(without_parameters("k<((8)<(9))>(int)"), "k<((8)<(9))>");
  KernelRow row;
  row.name = "_ZN12_GLOBAL__N_15scaleEPf";
  row.demangled = "(anonymous namespace)::scale(float*)";
  for (const auto* pattern : {"*scale", "*::scale", "(anonymous namespace)::scale"}) {
    EXPECT_TRUE(matches_kernel(pattern, row)) << pattern;
  }
}

// Users who copy a name from the map mean that kernel.
TEST(Names, TheReturnTypeOfATemplateIsNoPartOfThem) {
  using coverage::without_signature;
  EXPECT_EQ(without_signature("void ns::tile<3>(float*)"), "ns::tile<3>");
  EXPECT_EQ(without_signature("std::enable_if<(((8)>(0)))&&X<float, (bool)1>::exists, void>::type "
                              "vllm::norm<c10::Half, 8>(c10::Half*, int)"),
            "vllm::norm<c10::Half, 8>");
  EXPECT_EQ(without_signature("(anonymous namespace)::scale(float*)"), "scale");
  EXPECT_EQ(without_signature("module 3 (LTO-IR)"), "module 3");
}

TEST(Patterns, MatchTheNamesThatPeopleAreShown) {
  KernelRow row;
  row.name = "_Z1k";
  row.demangled = "void ns::tile<ns::gemm::Shape<128, ns::Op<int> > >(ns::Problem)";
  for (const auto* pattern :
       {"tile<Shape<128, Op<int>>>", "tile*", "ns::tile<ns::gemm::Shape<128, ns::Op<int> > >",
        "ns::tile*", "t?le<Shape<*>", "*Shape<128, Op<int>>*", "void ns::tile*",
        "*(ns::Problem)"}) {
    EXPECT_TRUE(matches_kernel(pattern, row)) << pattern;
  }
  for (const auto* pattern : {"tile", "ile*", "void tile*", "gemm::tile*", "tile<Shape<128>>"}) {
    EXPECT_FALSE(matches_kernel(pattern, row)) << pattern;
  }
  EXPECT_TRUE(matches_kernel("tile<3>", row_of("_Z4tileILi3EEvPfi")));
  EXPECT_TRUE(
      matches_kernel("scale", {"_Z5scale", "(anonymous namespace)::scale(float*)", {0}, false}));
}

TEST(Patterns, MatchMangledDemangledAndPlainNames) {
  const auto row = row_of("_Z4tileILi3EEvPfi");  // void tile<3>(float*, int)
  for (const auto* pattern :
       {"*", "_Z4tile*", "*tile<3>*", "void tile<3>", "*til?<*", "*(float*, int)"}) {
    EXPECT_TRUE(matches_kernel(pattern, row)) << pattern;
  }
  for (const auto* pattern : {"", "tile", "*tile<4>*", "_Z4tile", "*tile<3>?"}) {
    EXPECT_FALSE(matches_kernel(pattern, row)) << pattern;
  }
}

}  // namespace
}  // namespace archgrid::coverage
