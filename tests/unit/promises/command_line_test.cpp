// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <archgrid/promises/command_line.hpp>
#include <archgrid/promises/error.hpp>

namespace {

using archgrid::coverage::ComputeCapability;
using archgrid::coverage::PromisePlace;
using archgrid::coverage::Request;
using archgrid::coverage::Verdict;
using archgrid::promises::NothingPromised;
using archgrid::promises::PromiseError;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr ComputeCapability k80 = {8, 0};
constexpr ComputeCapability k90 = {9, 0};

/// Returns the message of the error that the call throws.
template <typename Error, typename Call>
std::string error_of(Call call) {
  try {
    call();
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

Request request_of(const archgrid::promises::PromiseOptions& options, Request request = {}) {
  archgrid::promises::set_promise(options, {}, request);
  return request;
}

Request promising(const std::string& gpus) {
  return request_of({.gpus = {gpus}, .accept = {"native"}, .matrix = {}});
}

TEST(CommandLine, GpusAreAQuestionAndBesideVerdictsAPromise) {
  const auto question = request_of({.gpus = {"H100"}, .accept = {}, .matrix = {}});
  EXPECT_TRUE(question.accept_without_promise.has_value());
  EXPECT_THAT(question.devices, ElementsAre(k90));
  EXPECT_THAT(question.promises, IsEmpty());
  const auto promise = promising("H100,8.0");
  EXPECT_FALSE(promise.accept_without_promise.has_value());
  EXPECT_THAT(promise.devices, IsEmpty());
  ASSERT_EQ(promise.promises.size(), 1U);
  EXPECT_EQ(promise.promises[0].accept, archgrid::coverage::Verdicts{Verdict::native});
}

TEST(CommandLine, AVerdictNeedsGpusAndAnArchAPromise) {
  EXPECT_THAT(
      error_of<PromiseError>([] { request_of({.gpus = {}, .accept = {"native"}, .matrix = {}}); }),
      HasSubstr("--accept needs --gpu"));
  Request with_arch;
  with_arch.arch = "90";
  EXPECT_THAT(error_of<PromiseError>([&] { request_of({}, with_arch); }), HasSubstr("--arch"));
  with_arch.cell = "cu130-sm90";
  EXPECT_EQ(request_of({}, with_arch).arch, "90") << "a cell without a matrix file is asked about";
}

TEST(CommandLine, AFixNamesTheCallOfCMakeThatPromises) {
  Request of_target;
  of_target.audited = "mylib";
  const archgrid::promises::PromiseOptions options = {{"9.0"}, {"native"}, {}};
  EXPECT_EQ(request_of(options, of_target).place, PromisePlace::cmake);
  EXPECT_EQ(request_of(options).place, PromisePlace::options);
}

TEST(CommandLine, RestrictionsMustLeaveAPromisedDevice) {
  const auto refusal = [](Request request) {
    return error_of<NothingPromised>([&] { archgrid::promises::expect_promised(request); });
  };
  auto request = promising("8.0,9.0");
  EXPECT_EQ(refusal(request), "no error");
  request.devices = {k80, {12, 0}};
  EXPECT_EQ(refusal(request),
            "--gpu 12.0: nothing is promised there: name one of the promised: 8.0, 9.0");
  request.devices = {k80};
  request.arch = "90";
  EXPECT_EQ(refusal(request),
            "--gpu 8.0 --arch 90: nothing is promised there: name one of the promised: 8.0, 9.0")
      << "both are promised, but not together";
  request.cell = "cu130-sm90";
  EXPECT_EQ(refusal(request), "no error") << "the cell of an arch may serve nothing promised";
  EXPECT_EQ(error_of<NothingPromised>(
                [] { archgrid::promises::expect_promised({}, {}, "--cell cu130-sm90"); }),
            "--cell cu130-sm90: nothing is promised for its devices");
}

TEST(CommandLine, AnIgnoreHasAPatternAndAReason) {
  const auto ignore = archgrid::promises::read_ignore("stub:*gemm*@H100=only for a=b", {});
  EXPECT_EQ(ignore.code, "stub");
  EXPECT_EQ(ignore.kernel, "*gemm*");
  EXPECT_THAT(ignore.devices, ElementsAre(k90));
  EXPECT_EQ(ignore.reason, "only for a=b");
  EXPECT_EQ(ignore.place, "--ignore stub:*gemm*@H100");
  EXPECT_EQ(archgrid::promises::read_ignore("k=why it is so", "lib/CMakeLists.txt").place,
            "IGNORE \"k\" of archgrid_audit in lib/CMakeLists.txt");
  const auto refusal = [](const std::string& text) {
    return error_of<PromiseError>([&] { archgrid::promises::read_ignore(text, {}); });
  };
  EXPECT_THAT(refusal("k"), HasSubstr("\"k\" lacks a reason"));
  EXPECT_THAT(refusal("=why"), HasSubstr("lacks a pattern for kernels"));
  EXPECT_THAT(refusal("k=..."), HasSubstr("say why its errors may be ignored"));
  EXPECT_THAT(refusal("k@12.9=why"), HasSubstr("--ignore k@12.9: after the @"));
}

}  // namespace
