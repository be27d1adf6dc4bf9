// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests what users ignore, with a reason.
#include <gmock/gmock.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "archives.hpp"
#include "command.hpp"

namespace archgrid::tests {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

TEST(Audit, IgnoresThatMatchNothingFail) {
  const auto matrix = folder() / "matrix.json";
  write(matrix, R"json({"name": "m", "toolkits": [], "promises": [{"devices": ["8.0"]}],
    "ignore": [{"kernel": "ghost*", "reason": "none"}]})json");
  const auto outcome = run({"audit", sample("plain.o"), "--matrix", matrix.string()});
  EXPECT_EQ(outcome.code, 1);
  EXPECT_THAT(outcome.out,
              HasSubstr("unused-ignore:\n  ignore[0]: \"ghost*\" matches no promised kernel"));
  EXPECT_EQ(run({"audit", sample("plain.o"), "--matrix", matrix.string(), "--device", "8.0"}).code,
            0)
      << "only a part of the matrix is audited";
  const auto allowed =
      run({"audit", sample("plain.o"), "--matrix", matrix.string(), "--allow-unused-ignores"});
  EXPECT_EQ(allowed.code, 0) << allowed.out << allowed.err;
  EXPECT_THAT(allowed.out, Not(HasSubstr("ghost")));
}

TEST(AuditCommand, AnUnusedIgnoreIsNoUnevenCoverage) {
  const auto path = sample("sample.fatbin");
  const auto one = run({"audit", path, "--ignore", "ghost=gone", "-q"});
  EXPECT_EQ(one.code, 1);
  EXPECT_THAT(one.out, StartsWith("unused --ignore, no other errors: "));
  const auto two = run({"audit", path, "--ignore", "ghost=gone", "--ignore", "stub:x=y", "-q"});
  EXPECT_THAT(two.out, StartsWith("2 unused --ignore, no other errors: "));
  const auto beside_others = run({"audit", path, "--strict", "--ignore", "ghost=gone", "-q"});
  EXPECT_THAT(beside_others.out, StartsWith("coverage uneven: 2 errors"));
  EXPECT_THAT(beside_others.out, HasSubstr("; 1 unused --ignore"));
}

TEST(AuditCommand, FindingsAreIgnoredWithAReason) {
  const auto path = sample("plain.o");
  const auto outcome =
      run({"audit", path, "--ignore", "guarded=tried", "--ignore", "trapping=tried, too"});
  EXPECT_EQ(outcome.code, 0) << outcome.out;
  EXPECT_THAT(outcome.out, HasSubstr("\nignored: 1 finding: tried ("));
  const auto unused = run({"audit", path, "--ignore", "nothing=tried"});
  EXPECT_EQ(unused.code, 1);
  EXPECT_THAT(unused.out, HasSubstr("unused-ignore"));
  const auto wrong = run({"audit", path, "--ignore", "guarded"});
  EXPECT_EQ(wrong.code, 2);
  EXPECT_THAT(wrong.err, Says("\"guarded\" lacks a reason"));
  const auto pasted = run({"audit", path, "--ignore", "stub:guarded=REASON"});
  EXPECT_EQ(pasted.code, 2);
  EXPECT_THAT(pasted.err, Says("--ignore stub:guarded: \"REASON\" is no reason: say why its errors "
                               "may be ignored"));
}

TEST(AuditCommand, AnIgnoreMayNameGpus) {
  const std::vector<std::string> audit = {"audit",   sample("plain.o"), "--gpu",
                                          "V100,T4", "--accept",        "native"};
  const auto ignoring = [&](const std::string& ignore) {
    auto words = audit;
    words.insert(words.end(), {"--ignore", ignore + "=tried"});
    return run(words);
  };
  ASSERT_EQ(run(audit).code, 1);
  const auto one = ignoring("*@V100");
  EXPECT_EQ(one.code, 1);
  EXPECT_THAT(one.out, AllOf(HasSubstr(" on 7.5\n"), Not(HasSubstr("missing: "))));
  EXPECT_EQ(ignoring("*@7.0,T4").code, 0) << ignoring("*@7.0,T4").out;
  auto unjudged = audit;
  unjudged.insert(unjudged.end(), {"--ignore", "*=tried", "--ignore", "*@9.0=tried"});
  EXPECT_EQ(run(unjudged).code, 1);
  EXPECT_THAT(run(unjudged).out,
              Says("unused-ignore: --ignore *@9.0: 9.0 is not judged, only 7.0 and 7.5 "
                   "fix: name GPUs that are judged, or take the entry out"));
  const auto wrong = ignoring("*@7.4");
  EXPECT_EQ(wrong.code, 2);
  EXPECT_THAT(wrong.err, Says("--ignore *@7.4: after the @: unknown GPU \"7.4\""));
}

TEST(AuditCommand, AnIgnoreOfAGpuNamesItWhereNothingFails) {
  const auto path = sample("plain.o");
  const auto ignoring = [&](const std::string& ignore) {
    return run({"audit", path, "--ignore", ignore + "=tried"});
  };
  const auto sound = ignoring("*@8.0");
  EXPECT_EQ(sound.code, 1);
  EXPECT_THAT(
      sound.out,
      Says("--ignore *@8.0: \"*\" matches no error on 8.0: those are on 7.5 fix: write @7.5"));
  EXPECT_THAT(sound.out, Says("coverage uneven: 2 errors in 2 of 5 kernels on 7.5 (T4, RTX 20)"));
  EXPECT_THAT(sound.out, Says("; 1 unused --ignore"));
  const auto coded = ignoring("trap:*@8.0");
  EXPECT_THAT(coded.out, Says("\"*\" matches no error with the code trap on 8.0"));
  for (const auto* pattern : {"nosuch@12.0", "*@12.0"}) {
    const auto unjudged = ignoring(pattern);
    EXPECT_EQ(unjudged.code, 1);
    EXPECT_THAT(unjudged.out, Says(": 12.0 is not judged, only 7.5, 8.0, 8.6 and 8.9"));
    const auto question =
        run({"audit", path, "--gpu", "8.0", "--ignore", std::string(pattern) + "=x"});
    EXPECT_EQ(question.code, 1);
    EXPECT_THAT(question.out, Says(": 12.0 is not judged, only 8.0"));
  }
  EXPECT_EQ(run({"audit", path, "--gpu", "8.0", "--ignore", "guarded@7.5,8.0=x"}).code, 0);
}

TEST(AuditCommand, AnUnusedIgnoreIsNoErrorOfThePackage) {
  const auto path = wheel("unused-1.whl", {{"plain.o", contents_of(sample("plain.o"))}});
  const auto outcome = run({"audit", path.string(), "--ignore", "ghost=gone"});
  EXPECT_EQ(outcome.code, 1);
  const auto unused = outcome.out.find("unused-ignore:");
  const auto others = outcome.out.find("if others built it:");
  ASSERT_NE(others, std::string::npos) << outcome.out;
  EXPECT_LT(unused, others) << outcome.out;
  const auto asked = run({"audit", path.string(), "--gpu", "7.5,8.0", "--ignore", "ghost=gone"});
  EXPECT_THAT(asked.out, Says(", except 2 of 5 kernels, which fail or give wrong results"));
  EXPECT_THAT(asked.out, Says(": 2 errors; 1 unused --ignore"));
  const auto page = folder() / "page.html";
  run({"audit", path.string(), "--ignore", "ghost=gone", "--html", page.string()});
  EXPECT_THAT(contents_of(page), HasSubstr("<h2>1 unused ignore and 2 errors</h2>"));
}

TEST(AuditCommand, AnUnusedIgnoreAloneBreaksNoPromise) {
  const auto outcome = run(
      {"audit", sample("plain.o"), "--gpu", "8.0", "--accept", "native", "--ignore", "ghost=gone"});
  EXPECT_EQ(outcome.code, 1);
  EXPECT_THAT(outcome.out, Says("promise holds, but with 1 unused ignore: 5 kernels x 1 device"));
  const auto broken = run(
      {"audit", sample("plain.o"), "--gpu", "7.5", "--accept", "native", "--ignore", "ghost=gone"});
  EXPECT_THAT(broken.out, Says("promise broken: 2 findings (1 empty, 1 trap), 2 of 5 kernels x 1 "
                               "device; 1 unused ignore"));
}

TEST(AuditCommand, AnUnusedIgnoreOfAFileWithoutKernelsIsBesideThat) {
  const auto outcome = run({"audit", tests::kCommand, "--ignore", "*@8.0=tried"});
  EXPECT_EQ(outcome.code, 1);
  EXPECT_THAT(outcome.out, Says("--ignore *@8.0: 8.0 is not judged, as no GPU is"));
  EXPECT_THAT(outcome.out, Says("nothing to judge: no kernel was found; 1 unused --ignore"));
}

TEST(AuditCommand, AnUnusedIgnoreOfArchgridAuditIsNamedAsItIsWritten) {
  const auto outcome =
      run({"audit", sample("plain.o"), "--gpu", "8.0", "--accept", "native", "--audited-target",
           "mylib", "--ignored-in", "lib/CMakeLists.txt", "--ignore", "missing:gemm*@8.0=gone"});
  EXPECT_EQ(outcome.code, 1);
  EXPECT_THAT(outcome.out, Says("IGNORE \"missing:gemm*@8.0\" of archgrid_audit in "
                                "lib/CMakeLists.txt: \"gemm*\" matches no error with the code "
                                "missing on 8.0"));
  EXPECT_THAT(outcome.out, Not(HasSubstr("--ignore")));
}

TEST(AuditCommand, AFixForAnObjectNamesItsSource) {
  const auto object = folder() / "sample.cu.o";
  std::filesystem::copy_file(sample("plain.o"), object,
                             std::filesystem::copy_options::overwrite_existing);
  const auto outcome = run({"audit", object.string(), "--gpu", "9.0", "--accept", "native",
                            "--audited-target", "part", "--target", "part"});
  EXPECT_THAT(outcome.out, Says("fix: compile sample.cu for 90 too: add 90 to the "
                                "CUDA_ARCHITECTURES of part"));
}

TEST(AuditCommand, AnIgnoreThatNamesNothingIsAnErrorForOneGpuToo) {
  const auto ignoring = [](const std::string& ignore) {
    return run({"audit", sample("plain.o"), "--gpu", "8.0", "--ignore", ignore + "=tried"});
  };
  EXPECT_EQ(run({"audit", sample("plain.o"), "--gpu", "8.0"}).code, 0);
  const auto unused = ignoring("stub:plain");
  EXPECT_EQ(unused.code, 1);
  EXPECT_THAT(unused.out, Says("--ignore stub:plain: \"plain\" matches no error"));
  EXPECT_THAT(unused.out, Says(", but with 1 unused --ignore"));
  EXPECT_EQ(ignoring("stub:plain.o").code, 0) << "errors on other GPUs may have this code";
}

TEST(AuditCommand, AnUnusedIgnoreUnderAPromiseNamesTheCodeThere) {
  const auto outcome = run({"audit", sample("plain.o"), "--gpu", "7.0", "--accept", "native",
                            "--ignore", "file-lacks-arch:plain*=tried"});
  EXPECT_EQ(outcome.code, 1);
  EXPECT_THAT(outcome.out, Says("with a promise the code is "));
}

TEST(AuditCommand, HintsForACallOfArchgridAuditAreForCMake) {
  const auto outcome = run({"audit", sample("plain.o"), "--gpu", "7.0", "--accept", "native",
                            "--audited-target", "mylib"});
  EXPECT_EQ(outcome.code, 1);
  EXPECT_THAT(outcome.out, Says("in CMakeLists.txt:\narchgrid_audit(mylib IGNORE \""));
  EXPECT_THAT(outcome.out, Not(HasSubstr("--ignore")));
  EXPECT_THAT(outcome.out, Not(HasSubstr("-gencode")));
}

TEST(AuditCommand, AnIgnoreWithACodeMatchesOnlyErrorsOfThatCode) {
  const auto path = sample("plain.o");
  const auto found = run({"audit", path});
  EXPECT_EQ(found.code, 1);
  const std::string hint = ": --ignore '";
  const auto at = found.out.find(hint);
  ASSERT_NE(at, std::string::npos) << found.out;
  const auto begin = at + hint.size();
  auto ignore = found.out.substr(begin, found.out.find('=', begin) - begin);
  const auto accepted = run({"audit", path, "--ignore", ignore + "=tried"});
  EXPECT_THAT(accepted.out, HasSubstr("\nignored: 1 finding: tried (")) << ignore;
  EXPECT_THAT(accepted.out, Not(HasSubstr("unused-ignore")));

  const std::vector<std::string> all = {
      "audit", path, "--ignore", "empty:plain.o=tried", "--ignore", "trap:*=tried"};
  EXPECT_EQ(run(all).code, 0) << run(all).out;
  const auto other = run({"audit", path, "--ignore", "stub:*=tried"});
  EXPECT_EQ(other.code, 1);
  EXPECT_THAT(other.out, Says("--ignore stub:*: \"*\" matches no error with the code stub\n"));
  const auto named = run({"audit", path, "--ignore", "stub::guarded=tried"});
  EXPECT_THAT(named.out, HasSubstr("\"stub::guarded\" matches no kernel\n"));
}

TEST(AuditCommand, EveryErrorHasItsIgnore) {
  const auto path = sample("plain.o");
  const auto document = json::parse(run({"audit", path, "--json"}).out);
  const auto& findings = document.at("findings");
  ASSERT_FALSE(findings.empty());
  std::vector<std::string> arguments = {"audit", path};
  const auto text = run({"audit", path, "--all"}).out;
  for (const auto& finding : findings) {
    const auto ignore = finding.at("ignore").get<std::string>();
    EXPECT_THAT(text, HasSubstr("\n  to ignore it: --ignore '" + ignore + "=REASON'\n"));
    arguments.insert(arguments.end(), {"--ignore", ignore + "=tried"});
  }
  EXPECT_EQ(run(arguments).code, 0);
}

TEST(AuditCommand, AnErrorAboutAFileIsIgnoredByItsName) {
  const std::vector<std::string> asked = {
      "audit", sample("no_fatbin.so"), "--gpu", "8.0", "--accept", "native"};
  EXPECT_THAT(run(asked).out, HasSubstr("stripped: "));
  auto ignored = asked;
  ignored.insert(ignored.end(), {"--ignore", "stripped:no_fat*=meant"});
  const auto outcome = run(ignored);
  EXPECT_THAT(outcome.out, Not(HasSubstr("stripped: ")));
  EXPECT_THAT(outcome.out, HasSubstr("ignored: 1 finding: meant ("));
  EXPECT_EQ(outcome.code, 1);
  EXPECT_THAT(outcome.out, HasSubstr("no-device-code")) << "no other file keeps the promise";
  ignored.insert(ignored.begin() + 1, sample("libsample.so"));
  EXPECT_EQ(run(ignored).code, 0) << run(ignored).out;
  ignored.back() = "stripped:other*=meant";
  EXPECT_THAT(run(ignored).out, HasSubstr("unused-ignore"));
  ignored.push_back("--allow-unused-ignores");
  EXPECT_THAT(run(ignored).out, Not(HasSubstr("unused-ignore")));
}

TEST(AuditCommand, AMatrixFileIgnoresByCodeToo) {
  const auto matrix = folder() / "m.json";
  const auto audit_with = [&](const std::string& ignore) {
    write(matrix, R"({"name": "m", "toolkits": [{"cuda": "13.5", "archs": ["80"]}],
      "promises": [{"devices": ["7.5"], "accept": ["native"]}],
      "ignore": [{"kernel": ")" +
                      ignore + R"(", "reason": "meant"}]})");
    return run({"audit", sample("plain.o"), "--matrix", matrix.string()});
  };
  const auto empty = audit_with("empty:plain.o");
  EXPECT_EQ(empty.code, 1);
  EXPECT_THAT(empty.out, Says("trap: plain.o: trapping on 7.5"));
  EXPECT_THAT(empty.out, Not(Says("empty: plain.o")));
  EXPECT_EQ(audit_with("*g*").code, 0) << audit_with("*g*").out;
  EXPECT_EQ(audit_with("missing:plain.o").code, 1);
  const auto wrong = audit_with("emtpy:plain.o");
  EXPECT_EQ(wrong.code, 2);
  EXPECT_THAT(wrong.err, Says("ignore[0].kernel: \"emtpy\" is no code of errors about kernels, "
                              "files or GPUs: write empty"));
}

TEST(AuditCommand, AnErrorAboutADriverIsIgnoredByItsCode) {
  const std::vector<std::string> audit = {"audit", sample("plain.o"), "--driver",
                                          "590",   "--ignore",        "missing:*=no code for it"};
  const auto with = [&](std::vector<std::string> more) {
    more.insert(more.begin(), audit.begin(), audit.end());
    return run(more);
  };
  const std::string code = "driver-too-new-for-gpu:";
  const auto found = with({"--gpu", "6.1", "--accept", "native,compatible,jit"});
  EXPECT_EQ(found.code, 1);
  EXPECT_THAT(found.out, Says("to ignore one: --ignore '" + code + "6.1=REASON'"));
  const std::vector<std::string> promise = {"--gpu", "6.1", "--accept", "native,compatible,jit",
                                            "--ignore"};
  const auto ignoring = [&](const std::string& ignore) {
    auto more = promise;
    more.push_back(ignore);
    return with(more);
  };
  EXPECT_EQ(ignoring(code + "6.1=a lab's driver").code, 0) << ignoring(code + "6.1=x").out;
  EXPECT_EQ(ignoring(code + "7.0=another GPU").code, 1);
  EXPECT_EQ(ignoring("driver-too-old-for-gpu:6.1=another code").code, 1);
  EXPECT_THAT(run({"explain", "driver-too-new-for-gpu"}).out,
              Says("--ignore 'driver-too-new-for-gpu:PATTERN=REASON', PATTERN for the GPU"));
}

}  // namespace
}  // namespace archgrid::tests
