// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests audits that report only what an earlier one lacks.
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "command.hpp"

namespace archgrid::tests {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;
using ::testing::Not;

TEST(AuditCommand, ABaselineLeavesWhatIsNew) {
  const auto old = (folder() / "old.json").string();
  ASSERT_EQ(run({"audit", sample("plain.o"), "--ignore", "trapping=later", "--json=" + old}).code,
            1);
  const auto outcome = run({"audit", sample("plain.o"), "--baseline", old});
  EXPECT_EQ(outcome.code, 1);
  EXPECT_THAT(outcome.out, HasSubstr("\ntrap: plain.o: trapping\n")) << "it was not a finding";
  EXPECT_THAT(outcome.out, Not(HasSubstr("empty: plain.o"))) << "it was one";
  EXPECT_THAT(outcome.out, Says("ignored: 1 finding: known from " + old));
  EXPECT_THAT(
      outcome.out,
      HasSubstr(
          "1 error in 2 of 5 kernels (1 new) on 7.5 (T4, RTX 20); 1 file x\n4 GPUs; 1 ignored\n"));
  const auto all = (folder() / "all.json").string();
  ASSERT_EQ(run({"audit", sample("plain.o"), "--json=" + all}).code, 1);
  const auto renewed = (folder() / "renewed.json").string();
  EXPECT_EQ(run({"audit", sample("plain.o"), "--baseline", all, "--json=" + renewed}).code, 0);
  EXPECT_EQ(run({"audit", sample("plain.o"), "--baseline", renewed}).code, 0) << "it goes on";
}

TEST(AuditCommand, ABaselineOfAPromiseNamesKernelAndGpu) {
  const auto old = (folder() / "old.json").string();
  const std::vector<std::string> audit = {"audit", sample("plain.o"), "--accept", "native"};
  const auto on = [&](const std::string& gpus, const std::string& option) {
    auto arguments = audit;
    arguments.insert(arguments.end(), {"--gpu", gpus, option});
    return run(arguments);
  };
  ASSERT_EQ(on("7.5", "--json=" + old).code, 1);
  EXPECT_EQ(on("7.5", "--baseline=" + old).code, 0);
  EXPECT_EQ(on("7.5,9.0", "--baseline=" + old).code, 1) << "9.0 is new";
}

TEST(AuditCommand, ABaselineWithoutAPromiseServesAnAuditWithOne) {
  const auto old = (folder() / "old.json").string();
  ASSERT_EQ(run({"audit", sample("plain.o"), "--json=" + old}).code, 1);
  const auto on = [&](const std::string& gpus, const std::string& baseline) {
    return run({"audit", sample("plain.o"), "--accept", "native,compatible", "--gpu", gpus,
                "--baseline", baseline});
  };
  const std::string note = "judged nothing on ";
  const auto same = on("7.5", old);
  EXPECT_EQ(same.code, 0) << same.out;
  EXPECT_THAT(same.out, testing::AllOf(Says("known from " + old), Not(Says(note))));
  const auto other = on("7.0", old);
  EXPECT_EQ(other.code, 1);
  EXPECT_THAT(other.out, Says("old.json was written without a promise and judged nothing on 7.0: "
                              "errors there count as new"));
  const auto promised = (folder() / "promised.json").string();
  ASSERT_EQ(
      run({"audit", sample("plain.o"), "--accept", "native", "--gpu", "7.5", "--json=" + promised})
          .code,
      1);
  const auto reverse = run({"audit", sample("plain.o"), "--baseline", promised});
  EXPECT_EQ(reverse.code, 0) << reverse.out;
  EXPECT_THAT(reverse.out, Says("was written with a promise and judged nothing on 8.0"));
}

TEST(AuditCommand, ABaselineMissesWhatPtxServesAloneOrServedOnce) {
  const auto old = (folder() / "old.json").string();
  run({"audit", sample("plain.o"), "--json=" + old});
  EXPECT_EQ(run({"audit", sample("plain.o"), "--baseline", old}).code, 0);
  // Plants machine code for 9.0 and PTX for 6.0 into the earlier release.
  auto planted = contents_of(old);
  const std::string verdict = R"("8.9": ")";
  for (auto at = planted.find(verdict); at != std::string::npos;) {
    const std::string more = R"("9.0": "native", )";
    planted.insert(at, more);
    at = planted.find(verdict, at + more.size() + 1);
  }
  const std::string list = R"("by_ptx": [)";
  ASSERT_NE(planted.find(list), std::string::npos);
  planted.insert(planted.find(list) + list.size(), R"("6.0", )");
  write(old, planted);
  const auto outcome = run({"audit", sample("plain.o"), "--baseline", old});
  EXPECT_EQ(outcome.code, 1);
  EXPECT_THAT(outcome.out, Says("its files ran on 6.0 (P100"));
  EXPECT_THAT(outcome.out,
              Says("its files had machine code for 9.0 (H100, H200), and now only PTX"));
}

TEST(AuditCommand, ABaselineOfOtherFilesSaysSo) {
  const auto old = (folder() / "old.json").string();
  run({"audit", sample("plain.o"), "--json=" + old});
  const std::string note = "old.json has none of these files: all findings are new";
  EXPECT_THAT(run({"audit", sample("sample.fatbin"), "--baseline", old}).out, Says(note));
  EXPECT_THAT(run({"audit", sample("plain.o"), "--baseline", old}).out, Not(Says(note)));
}

TEST(AuditCommand, ABaselineHasToBeAnAudit) {
  const auto other = folder() / "other.json";
  write(other, R"({"schema": "archgrid.list/1"})");
  const auto outcome = run({"audit", sample("plain.o"), "--baseline", other.string()});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_THAT(outcome.err, Says("--baseline: " + other.string() + ": its \"schema\" is not"));
  const auto object = run({"audit", sample("plain.o"), "--baseline", sample("plain.o")});
  EXPECT_EQ(object.code, 2);
  EXPECT_THAT(object.err, Says("plain.o: not JSON: a baseline is what an earlier audit wrote"));
  EXPECT_THAT(object.err, Says("archgrid audit " + sample("plain.o") + " --json=old.json"));
  const auto missing = run({"audit", sample("plain.o"), "--baseline", "no-such.json"});
  EXPECT_EQ(missing.code, 2);
  EXPECT_THAT(missing.err, Says("no-such.json"));
  const auto overwritten =
      run({"audit", sample("plain.o"), "--baseline", other.string(), "--json=" + other.string()});
  EXPECT_EQ(overwritten.code, 2);
  EXPECT_THAT(overwritten.err, Says("is an input, which this would overwrite"));
}

}  // namespace
}  // namespace archgrid::tests
