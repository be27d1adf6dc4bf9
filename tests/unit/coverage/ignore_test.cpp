// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests ignores that name a code: "stub:*gemm*".
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <archgrid/coverage/ignore_codes.hpp>
#include <archgrid/coverage/json_text.hpp>
#include <archgrid/coverage/nearest.hpp>

#include "packages.hpp"

namespace archgrid::tests {
namespace {

using coverage::Audit;
using coverage::Ignore;
using coverage::Request;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

Ignore ignore(const std::string& text, std::vector<std::string> devices = {}) {
  Ignore result;
  result.place = "ignore[0]";
  result.reason = "meant";
  for (const auto& name : devices) result.devices.push_back(device(name));
  coverage::read_ignored(text, result);
  return result;
}

/// Returns the code and the pattern, separated by a bar, or the error.
std::string parts_of(const std::string& text) {
  try {
    const auto result = ignore(text);
    EXPECT_EQ(coverage::ignored_text(result), text);
    return result.code + '|' + result.kernel;
  } catch (const coverage::IgnoreError& error) {
    return error.what();
  }
}

std::vector<std::string> codes_of(const std::vector<coverage::Finding>& findings) {
  std::vector<std::string> codes;
  for (const auto& finding : findings) codes.push_back(finding.code);
  return codes;
}

Audit audit_with(const File& file, Request wanted, const Ignore& entry) {
  wanted.ignores = {entry};
  return audit_one(file, wanted);
}

TEST(Ignores, NameGpusAfterAnAt) {
  const auto both = ignore("stub:*gemm*@7.5,8.0");
  EXPECT_EQ(both.code, "stub");
  EXPECT_EQ(both.kernel, "*gemm*");
  EXPECT_THAT(both.devices, ElementsAre(device("7.5"), device("8.0")));
  EXPECT_THAT(ignore("ns::k@9.0").devices, ElementsAre(device("9.0")));
  const auto path = ignore("empty:x@1.0/lib*");
  EXPECT_EQ(path.kernel, "x@1.0/lib*") << "of a folder";
  EXPECT_THAT(path.devices, IsEmpty());
  const auto refusal = [](const std::string& text) {
    try {
      ignore(text);
    } catch (const coverage::IgnoreError& error) {
      return std::string(error.what());
    }
    return std::string("accepted");
  };
  EXPECT_THAT(refusal("k@7.4"),
              ::testing::HasSubstr("\"7.4\" after the @ is no GPU: write some of "));
  EXPECT_THAT(refusal("k@7.5,"), ::testing::HasSubstr("\"\" after the @ is no GPU"));
  EXPECT_THAT(refusal("k@2.so"), ::testing::HasSubstr(", or ? for an @ of the name"));
  EXPECT_THAT(refusal("@7.5"), ::testing::HasSubstr("lacks a pattern: write *@7.5"));
}

TEST(Ignores, WithAGpuIgnoreNothingOnOthers) {
  auto file = file_of_many(6, {sass("75"), sass("80"), sass("90")});
  add_module(file, {sass("90", {kernel("lacking")})}).unit = "lacking.cu";
  const auto on = [&](const std::string& text) {
    std::vector<std::string> gpus;
    for (const auto& finding : audit_with(file, like_others(), ignore(text)).findings) {
      gpus.push_back(coverage::list_devices(finding.cause->devices));
    }
    return gpus;
  };
  ASSERT_THAT(on("other"), ::testing::Contains("7.5, 8.0, 8.6, 8.9")) << "nothing is ignored";
  EXPECT_THAT(on("lacking@7.5"), ElementsAre("8.0, 8.6, 8.9"));
  EXPECT_THAT(on("unit-lacks-arch:lacking@8.0,8.6,8.9"), ElementsAre("7.5"));
  EXPECT_THAT(on("lacking@7.5,8.0,8.6,8.9"), IsEmpty());
}

TEST(Ignores, ASingleColonFollowsACode) {
  EXPECT_EQ(parts_of("stub:*gemm*"), "stub|*gemm*");
  EXPECT_EQ(parts_of("driver-too-old:libx*"), "driver-too-old|libx*");
  EXPECT_EQ(parts_of("stub:ns::gemm"), "stub|ns::gemm");
  EXPECT_EQ(parts_of("ns::gemm"), "|ns::gemm");
  EXPECT_EQ(parts_of("missing::gemm"), "|missing::gemm");
  EXPECT_EQ(parts_of("*:gemm"), "|*:gemm");
  EXPECT_EQ(parts_of("(anonymous namespace)::k"), "|(anonymous namespace)::k");
  EXPECT_EQ(parts_of(":gemm"), "|:gemm");
  EXPECT_EQ(parts_of("gemm"), "|gemm");
}

TEST(Ignores, AnUnknownCodeIsAnErrorWithTheNearest) {
  EXPECT_EQ(parts_of("stbu:*"),
            "\"stbu\" is no code of errors about kernels, files or GPUs: write stub");
  EXPECT_EQ(parts_of("file-lack-arch:*"),
            "\"file-lack-arch\" is no code of errors about kernels, files or GPUs: write "
            "file-lacks-arch");
  EXPECT_EQ(
      parts_of("debug-code:*"),
      "\"debug-code\" is no code of errors about kernels, files or GPUs: `archgrid explain` lists "
      "the codes");
  EXPECT_EQ(
      parts_of("Ns1:gemm"),
      "\"Ns1\" is no code of errors about kernels, files or GPUs: `archgrid explain` lists the "
      "codes");
  EXPECT_EQ(parts_of("stub:"),
            "\"stub:\" lacks a pattern: write stub:PATTERN, for names of kernels or of their file");
}

TEST(Ignores, NeedAReasonThatSomebodyWrote) {
  for (const auto* text : {"REASON", "reason", "...", "\u2026", "TODO", " tbd\t", "FIXME"}) {
    EXPECT_EQ(coverage::problem_of_reason(text),
              "\"" + coverage::quotable(text) + "\" is no reason");
  }
  for (const auto* text : {"", " ", "\t\n"}) {
    EXPECT_EQ(coverage::problem_of_reason(text), "the reason is empty");
  }
  for (const auto* text : {"no T4", "TODO: drop it with CUDA 12", "for a reason", "x"}) {
    EXPECT_EQ(coverage::problem_of_reason(text), "") << text;
  }
}

TEST(Ignores, ThatMatchNothingNameTheOneThatWould) {
  const auto facts_with = [](const Request& wanted, const std::string& text) {
    auto file = file_of({sass("80")});
    file.path = "_punica_C.abi3.so";
    const auto unused = coverage::unused_in({audit_with(file, wanted, ignore(text))});
    return unused.empty() ? coverage::Facts() : unused.front().facts;
  };
  const auto promised = request({"9.0"});
  auto facts = facts_with(promised, "file-lacks-arch:_punica_C*");
  EXPECT_EQ(facts["code"], "missing");
  EXPECT_EQ(facts["promise"], "yes");
  EXPECT_EQ(facts["wide"], "missing:_punica_C*");
  facts = facts_with(promised, "file-lacks-arch:punica");
  EXPECT_EQ(facts["wide"], "missing:*punica*");
  facts = facts_with(promised, "missing:punica");
  EXPECT_EQ(facts["wide"], "missing:*punica*");
  EXPECT_EQ(facts.count("code"), 0U);
  facts = facts_with(promised, "stub:k");
  EXPECT_EQ(facts["wide"], "missing:k");
  facts = facts_with(promised, "stub:gemm");
  EXPECT_EQ(facts.count("wide"), 0U);
  EXPECT_EQ(facts.count("code"), 0U);
  EXPECT_THAT(facts_with(promised, "missing:k"), IsEmpty());
}

TEST(Ignores, ThatMatchNothingNameTheirGpus) {
  const auto facts_with = [](const Request& wanted, const std::string& text) {
    auto written = ignore(text);
    written.is_option = true;
    const auto unused = coverage::unused_in({audit_with(file_of({sass("80")}), wanted, written)});
    return unused.empty() ? coverage::Facts() : unused.front().facts;
  };
  const auto promised = request({"8.0", "9.0"});
  EXPECT_THAT(facts_with(promised, "missing:k@9.0,12.0"), IsEmpty());
  auto facts = facts_with(promised, "missing:k@8.0,12.0");
  EXPECT_EQ(facts["gpus"], "8.0");
  EXPECT_EQ(facts.count("judged"), 0U);
  for (const auto* text : {"missing:k@12.0", "k@12.0", "ghost@12.0"}) {
    facts = facts_with(promised, text);
    EXPECT_EQ(facts["gpus"], "12.0") << text;
    EXPECT_EQ(facts["judged"], "8.0, 9.0") << text;
    EXPECT_EQ(facts.count("wide"), 0U) << text;
  }
  facts = facts_with(like_others(), "k@8.0");
  EXPECT_EQ(facts["gpus"], "8.0");
  EXPECT_EQ(facts["errors"], "yes");
  EXPECT_EQ(facts.count("unmatched"), 0U);
}

TEST(Ignores, OfAMatrixFileMayBeAboutGpusOfOtherToolkits) {
  const auto result = audit_with(file_of({sass("80")}), request({"8.0"}), ignore("k@12.0"));
  EXPECT_THAT(coverage::unused_in({result}), IsEmpty());
}

TEST(Ignores, ThatMatchSomethingInOneAuditSayNothingOfTheOthers) {
  const auto wanted = like_others();
  const auto written = ignore("missing:k");
  const auto other = file_with({sass("80", {kernel("other")})});
  const auto without = audit_with(other, wanted, written);
  const auto with = audit_with(file_of({sass("80")}), wanted, written);
  for (const auto& audits : {std::vector{without, with}, std::vector{with, without}}) {
    EXPECT_EQ(coverage::unused_in(audits).at(0).facts.count("unmatched"), 0U);
  }
  EXPECT_EQ(coverage::unused_in({without}).at(0).facts.count("unmatched"), 1U);
}

TEST(Ignores, ThatNameNothingInTheFilesAreWrongForAnyGpu) {
  auto file = file_with({sass("80", {kernel("forgotten"), kernel("other")})});
  auto wanted = like_others();
  wanted.devices = {device("8.0")};
  const auto is_wrong = [&](const std::string& text) {
    auto written = ignore(text);
    written.is_option = true;
    return !coverage::unused_in({audit_with(file, wanted, written)}, wanted).empty();
  };
  for (const auto* text : {"stub:forgot", "stub:many", "forgot", "libmany.so", "forgot@12.0",
                           "forgotten@12.0", "forgotten@8.0"}) {
    EXPECT_TRUE(is_wrong(text)) << text;
  }
  const auto part = audit_with(file, wanted, ignore("stub:many"));
  EXPECT_EQ(coverage::unused_in({part}, wanted).at(0).facts.at("wide"), "stub:*many*");
  for (const auto* text : {"unit-lacks-arch:forg*", "stub:libmany.so", "forgotten", "stub:*",
                           "gpu-lost:7.5", "stub:7.*", "forgotten@7.5,8.0"}) {
    EXPECT_FALSE(is_wrong(text)) << text;
  }
  file.errors.emplace_back();
  EXPECT_FALSE(is_wrong("stub:forgot")) << "what could not be read may have it";
}

TEST(Ignores, OfOtherGpusNameThoseOfTheErrors) {
  const auto file = file_of({sass("80")});
  const auto unused = [&](const std::string& text, const std::vector<std::string>& devices) {
    return coverage::unused_in({audit_with(file, request({"8.0", "9.0"}), ignore(text, devices))});
  };
  for (const auto* text : {"missing:k", "missing:*"}) {
    const auto found = unused(text, {"8.0"});
    ASSERT_THAT(codes_of(found), ElementsAre("unused-ignore")) << text;
    EXPECT_EQ(found[0].facts.at("errors-on"), "9.0") << text;
    EXPECT_EQ(report::fix_of(found[0]), "write @9.0") << text;
    EXPECT_THAT(report::message_of(found[0]), testing::EndsWith("on 8.0: those are on 9.0"));
  }
  EXPECT_EQ(unused("empty:k", {"8.0"}).at(0).facts.count("errors-on"), 0U);
}

TEST(Ignores, OfAnOptionHaveToNameJudgedGpus) {
  auto wanted = like_others();
  wanted.devices = {device("8.0")};
  const auto file = file_of_many(3, {sass("75")});
  auto ignored = ignore("*", {"9.0"});
  ignored.is_option = true;
  const auto result = audit_with(file, wanted, ignored);
  ASSERT_THAT(codes_of(coverage::unused_in({result})), ElementsAre("unused-ignore"));
}

TEST(Ignores, MatchABrokenPromiseByItsCode) {
  const auto file = file_of({sass("80")});
  const auto wanted = request({"8.0", "9.0"});
  for (const auto* text : {"missing:k", "missing:libx.so", "missing:libx*", "missing:*"}) {
    const auto result = audit_with(file, wanted, ignore(text));
    EXPECT_THAT(result.findings, IsEmpty()) << text;
    ASSERT_THAT(result.ignored, SizeIs(1)) << text;
    EXPECT_EQ(result.ignored[0].reason, "meant");
    EXPECT_EQ(result.ignored[0].finding.code, "missing");
    EXPECT_THAT(coverage::unused_in({result}), IsEmpty()) << text;
  }
  for (const auto* text : {"empty:k", "native:k", "missing:liby*", "missing:kk", "libx.so"}) {
    const auto result = audit_with(file, wanted, ignore(text));
    EXPECT_THAT(codes_of(result.findings), ElementsAre("missing")) << text;
    EXPECT_THAT(codes_of(coverage::unused_in({result})), ElementsAre("unused-ignore")) << text;
  }
  EXPECT_THAT(audit_with(file, wanted, ignore("missing:*", {"9.0"})).findings, IsEmpty());
  EXPECT_THAT(audit_with(file, wanted, ignore("missing:*", {"8.0"})).findings, SizeIs(1));
}

TEST(Ignores, OfOneCodeLeaveOtherErrorsOfTheKernel) {
  auto file = file_of({sass("75", {kernel("k", Body::empty)}), sass("80")});
  const auto wanted = request({"7.5", "9.0"});
  EXPECT_THAT(codes_of(audit_with(file, wanted, ignore("empty:k")).findings),
              ElementsAre("missing"));
  EXPECT_THAT(codes_of(audit_with(file, wanted, ignore("missing:k")).findings),
              ElementsAre("empty"));
  EXPECT_THAT(audit_with(file, wanted, ignore("k")).findings, IsEmpty());
}

TEST(Ignores, MatchErrorsWithoutAPromiseByTheirCode) {
  const auto file = file_with({sass("80", {kernel("forgotten"), kernel("other")})});
  EXPECT_THAT(errors_in(file), ElementsAre("unit-lacks-arch by unit: 2 on 7.5"));
  const auto one = audit_with(file, like_others(), ignore("unit-lacks-arch:forg*"));
  EXPECT_THAT(texts_of(one.findings), ElementsAre("unit-lacks-arch by unit: 1 on 7.5"));
  EXPECT_EQ(one.ignored.at(0).finding.facts.at("pattern"), "unit-lacks-arch:forg*");
  EXPECT_THAT(audit_with(file, like_others(), ignore("unit-lacks-arch:libmany.so")).findings,
              IsEmpty());
  const auto other = audit_with(file, like_others(), ignore("stub:*"));
  EXPECT_THAT(other.findings, SizeIs(1));
  EXPECT_THAT(codes_of(coverage::unused_in({other})), ElementsAre("unused-ignore"));
}

TEST(Ignores, MatchErrorsAboutFilesByTheirName) {
  auto file = file_of({sass("90")});
  file.dangling = {0x40};
  file.path = "dist/x.whl!lib/libx-1a2b3c4d.so.12";
  const auto wanted = request({"9.0"});
  EXPECT_THAT(codes_of(audit_one(file, wanted).findings), ElementsAre("stripped"));
  for (const auto* text : {"stripped:libx-*", "stripped:*", "stripped:dist/*"}) {
    const auto result = audit_with(file, wanted, ignore(text));
    EXPECT_THAT(result.findings, IsEmpty()) << text;
    ASSERT_THAT(result.ignored, SizeIs(1)) << text;
    EXPECT_EQ(result.ignored[0].finding.code, "stripped");
    EXPECT_THAT(coverage::unused_in({result}), IsEmpty()) << text;
  }
  for (const auto* text : {"stripped:x.whl", "stripped:k", "misnamed:*", "*"}) {
    EXPECT_THAT(audit_with(file, wanted, ignore(text)).findings, SizeIs(1)) << text;
  }
  EXPECT_THAT(audit_with(file, wanted, ignore("stripped:*", {"9.0"})).findings, SizeIs(1))
      << "it is not about a GPU";
}

TEST(Ignores, OfAFileAreNoReasonToMissDeviceCode) {
  File file;
  file.path = "libx.so";
  file.dangling = {0x40};
  const auto wanted = request({"9.0"});
  EXPECT_THAT(codes_of(audit_one(file, wanted).findings), ElementsAre("stripped"));
  EXPECT_THAT(codes_of(audit_with(file, wanted, ignore("stripped:libx.so")).findings),
              ElementsAre("no-device-code"));
}

TEST(Ignores, MatchAGpuThatAReleaseLost) {
  auto wanted = like_others();
  auto& baseline = wanted.baseline.emplace();
  for (const char* gpu : {"7.5", "8.0"}) {
    baseline.files["\nlibx.so"]["k"][device(gpu)] = coverage::Verdict::native;
  }
  auto file = file_of({sass("80")});
  file.path = "x-2.whl!libx.so";
  EXPECT_THAT(codes_of(audit_one(file, wanted).findings), ElementsAre("gpu-lost"));
  EXPECT_THAT(audit_with(file, wanted, ignore("gpu-lost:x-*")).findings, IsEmpty());
  EXPECT_THAT(audit_with(file, wanted, ignore("gpu-lost:x-*", {"7.5"})).findings, IsEmpty());
  EXPECT_THAT(audit_with(file, wanted, ignore("gpu-lost:x-*", {"8.0"})).findings, SizeIs(1));
  EXPECT_THAT(audit_with(file, wanted, ignore("gpu-degraded:x-*")).findings, SizeIs(1));
}

TEST(Ignores, MatchABudgetByItsCode) {
  auto wanted = request({"8.0"});
  coverage::Budget limits;
  limits.place = "budgets[0]";
  limits.registers = 32;
  wanted.budgets = {limits};
  auto large = kernel("large");
  large.registers = 64;
  const auto file = file_of({sass("80", {large, kernel("k")})});
  EXPECT_THAT(codes_of(audit_one(file, wanted).findings),
              ElementsAre("over-budget", "budget-unknown"));
  EXPECT_THAT(codes_of(audit_with(file, wanted, ignore("over-budget:large")).findings),
              ElementsAre("budget-unknown"));
  EXPECT_THAT(codes_of(audit_with(file, wanted, ignore("budget-unknown:libx*")).findings),
              ElementsAre("over-budget"));
}

TEST(Ignores, OfGpuTestProgramsMatchByVerdict) {
  const std::vector<File> files = {file_of({sass("80")})};
  auto wanted = request({"9.0"});
  const auto is_ignored = [&](const char* text) {
    wanted.ignores = {ignore(text)};
    return coverage::serve(files, device("9.0"), wanted).at(0).ignored;
  };
  EXPECT_TRUE(is_ignored("missing:k"));
  EXPECT_TRUE(is_ignored("missing:libx.so"));
  EXPECT_FALSE(is_ignored("empty:k"));
  EXPECT_FALSE(is_ignored("missing:other"));
}

TEST(Nearest, IsAWordOfWhichAtMostTwoLettersDiffer) {
  EXPECT_EQ(coverage::nearest("stbu", {"trap", "stub"}), "stub");
  EXPECT_EQ(coverage::nearest("mising", {"missing", "stub"}), "missing");
  EXPECT_EQ(coverage::nearest("other", {"missing", "stub"}), "");
  EXPECT_EQ(coverage::nearest("fx", {"ab"}), "") << "at least one letter matches";
  using Words = std::vector<std::string>;
  EXPECT_EQ(coverage::nearest_words("unit", {"a unit", "units", "other", "unit-x", "unit-y"}),
            (Words{"units", "a unit", "unit-x"}))
      << "three, by distance";
  EXPECT_EQ(coverage::nearest_words("un", {"unused"}), Words()) << "too short a part";
  EXPECT_EQ(coverage::nearest_words("stbu", {"trap", "stub", "stub"}), Words{"stub"});
}

}  // namespace
}  // namespace archgrid::tests
