// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests the last line of audits without a promise, and answers about GPUs.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "suspicious.hpp"

namespace archgrid::tests {
namespace {

using nlohmann::json;
using ::testing::AllOf;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

TEST(Answers, ThatAreNoAreNeverTakenForSuccess) {
  auto audited = package_report(file_of_many(3, {sass("80"), sass("90")}));
  audited.audits[0].answers = {{device("8.0"), coverage::Answer::runs}};
  EXPECT_EQ(report::View(audited).outcome, report::Outcome::holds);
  for (const auto answer : {coverage::Answer::runs_in_part, coverage::Answer::unknown,
                            coverage::Answer::does_nothing, coverage::Answer::does_not_run}) {
    audited.audits[0].answers[device("9.0")] = answer;
    EXPECT_EQ(report::View(audited).outcome, report::Outcome::open);
  }
}

TEST(Answers, NameGpusOnWhichNothingWorks) {
  const auto file =
      file_of({sass("80", {kernel("k", Body::empty)}), sass("90"), ptx("80", "8.4", {})});
  coverage::Request wanted;
  wanted.devices = {device("8.0")};
  EXPECT_EQ(verdict_of(report_of_two(file, wanted)),
            "does nothing on 8.0 (A100, A30): 2 errors in 2 of 2 kernels; 2 files x 1 GPU");
  EXPECT_THAT(verdict_of(package_report(
                  file_of({ptx("80", "8.4", {kernel("k", Body::empty)}), sass("90a")}))),
              EndsWith("; nothing works on GPUs newer than 9.0"));
}

TEST(Answers, SayOnWhichOfTheGpusErrorsAre) {
  auto file = file_of_many(3, {sass("80"), sass("90")});
  add_module(file, {sass("80", {kernel("forgotten")})}).unit = "forgotten.cu";
  coverage::Request wanted;
  wanted.devices = {device("8.0"), device("9.0")};
  const auto audited = report_of_two(std::move(file), wanted);
  EXPECT_THAT(verdict_of(audited), HasSubstr("runs on 8.0 (A100, A30) and 9.0 (H100, H200), "
                                             "except 2 of 8 kernels, which fail or give wrong "
                                             "results on 9.0 (H100, H200): 2 errors"));
}

/// Returns a file with `kernels` kernels for 8.0, and one for 8.0 and all of `archs`.
File file_with_one_on(const std::string& path, int kernels, const std::vector<std::string>& archs) {
  auto file = file_of_many(kernels, {sass("80")});
  std::vector<Image> images = {sass("80", {kernel("new")})};
  for (const auto& arch : archs) images.push_back(sass(arch, {kernel("new")}));
  add_module(file, std::move(images));
  file.path = path;
  return file;
}

TEST(Unjudged, ClosingLineNamesGpusAndFiles) {
  const auto closing = [](std::vector<File> files) {
    coverage::Request wanted;
    wanted.accept_without_promise = coverage::default_verdicts();
    AuditReport audited;
    audited.without_promise = true;
    audited.audits.push_back(coverage::audit(std::move(files), wanted));
    return verdict_of(audited);
  };
  const std::string why = "; not judged (see the notes): ";
  EXPECT_THAT(closing({file_with_one_on("libx.so", 3, {"90"})}), EndsWith(why + "9.0"));
  auto served = file_of_many(2, {sass("80"), sass("90"), sass("100"), sass("120")});
  EXPECT_THAT(closing({served, file_with_one_on("a/libx.so", 3, {"90"})}),
              EndsWith(why + "libx.so on 9.0"))
      << "the other file is judged there";
  EXPECT_THAT(closing({served, file_with_one_on("a/libx.so", 3, {"90", "100", "120"})}),
              EndsWith(why + "libx.so on 6 GPUs"));
  EXPECT_THAT(closing({served, file_with_one_on("libx.so", 3, {"75", "90"})}),
              EndsWith(why + "7.5, libx.so on 9.0"));
  EXPECT_THAT(closing({served, file_with_one_on("libx.so", 5, {"90"}),
                       file_with_one_on("liby.so", 7, {"90"})}),
              EndsWith(why + "2 files on some GPUs"));
  EXPECT_THAT(closing({served}), Not(HasSubstr("not judged")));
}

TEST(Ptx, BesideMachineCodeIsNeverCalledEven) {
  const auto text = text_of(package_report(file_with_ptx()));
  EXPECT_THAT(text, HasSubstr("            8.0  8.6  8.9  9.0\n"
                              "libmany.so  all  all  all 60%+\n"
                              "\n"
                              "%: share of the kernels whose machine code works on the GPU; +: "
                              "others are\ncompiled from PTX when the program first starts\n"));
  EXPECT_THAT(text,
              HasSubstr("\nsuspect jit: libmany.so: a and 1 more kernel are compiled from PTX on "
                        "9.0 (H100,\nH200): slow.cu is compiled for 80, with PTX\n"));
  EXPECT_THAT(text, HasSubstr("\nno errors: 5 kernels x 4 GPUs; 2 compiled from PTX on 9.0 (H100, "
                              "H200); 1\nsuspect\n"));
  EXPECT_THAT(verdict_of(package_report(file_of_many(3, {sass("80"), sass("90")}))),
              Not(HasSubstr("PTX")));
}

/// Returns the text about a file for a question about one GPU.
std::string answer_about(const File& file, const std::string& where) {
  coverage::Request wanted;
  wanted.accept_without_promise = coverage::default_verdicts();
  wanted.devices = {device(where)};
  AuditReport audited;
  audited.without_promise = true;
  audited.audits.push_back(coverage::audit({file}, wanted));
  return text_of(audited);
}

TEST(Ptx, IsInTheAnswerAboutAGpu) {
  EXPECT_THAT(answer_about(file_with_ptx(), "9.0"),
              AllOf(HasSubstr("\nlibmany.so 60%+\n"),
                    HasSubstr("\nruns on 9.0 (H100, H200): 5 kernels x 1 GPU; 2 compiled from PTX "
                              "on 9.0 (H100,\nH200); 1 suspect\n")));
  const std::vector<fatbin::Kernel> kernels = {kernel("a"), kernel("b"), kernel("c")};
  const auto slow = file_of({sass("80", kernels), ptx("80", "8.4", kernels)});
  EXPECT_THAT(answer_about(slow, "9.0"),
              HasSubstr("\nruns after compiling PTX on 9.0 (H100, H200): 3 kernels x 1 GPU; 1 "
                        "suspect\n"))
      << "once is enough";
}

TEST(Ptx, IsNoMatterOfGpusOnWhichNothingRuns) {
  const std::vector<fatbin::Kernel> kernels = {kernel("a"), kernel("b"), kernel("c")};
  coverage::Request wanted;
  wanted.devices = {device("12.0")};
  wanted.driver = coverage::parse_driver("535");
  const auto verdict =
      verdict_of(report_of_two(file_of({sass("80", kernels), ptx("80", "8.0", kernels)}), wanted));
  EXPECT_THAT(verdict, AllOf(StartsWith("no kernel runs on 12.0"), Not(HasSubstr("PTX"))));
}

TEST(Answers, CountSuspectsForOtherGpusAndShowThoseFromPtx) {
  const std::string counted =
      "\n1 suspect in 1 file may be for other GPUs (--suspects lists them)\n";
  EXPECT_THAT(answer_about(suspicious_file(), "8.0"),
              AllOf(HasSubstr("\n" + counted + "\n"), Not(HasSubstr("\nsuspect ")),
                    Not(HasSubstr("may be intended"))));
  auto file = file_with_ptx();
  add_module(file, {sass("80", {kernel("gemm_sm80")})});
  EXPECT_THAT(
      answer_about(file, "9.0"),
      AllOf(HasSubstr("\nsuspect jit: libmany.so: a and 1 more kernel are compiled from PTX "),
            HasSubstr(counted), Not(HasSubstr("gemm_sm80"))));
}

TEST(Answers, LeaveKernelsForOtherGpusOutOfTheShare) {
  auto file = suspicious_file();
  EXPECT_THAT(answer_about(file, "8.0"),
              AllOf(HasSubstr("\nlibmany.so all*\n"),
                    HasSubstr("; *: beside kernels\nthat may be for other GPUs\n"),
                    HasSubstr("\nruns on 8.0 (A100, A30): ")));
  EXPECT_THAT(answer_about(file, "9.0"),
              AllOf(HasSubstr("\nlibmany.so  all\n"), Not(HasSubstr("*:"))));
  EXPECT_THAT(text_of(package_report(file)), HasSubstr("\nlibmany.so all* all* all*  all\n"))
      << "alike without a question";
  add_module(file, {sass("90", {kernel("forgotten")})}).unit = "forgotten.cu";
  EXPECT_THAT(answer_about(file, "8.0"),
              AllOf(HasSubstr("\nlibmany.so 75%!\n"),
                    HasSubstr(", without those that\nmay be for other GPUs; !: error\n")))
      << "3 of 4, and one for 90a";
}

TEST(Answers, AGpuWhoseErrorsAreIgnoredFailsNothing) {
  EXPECT_EQ(report::View(lacking_two()).totals.errors(), 1U);
  const auto one = lacking_two({{"ignore[0]", "*", {device("7.0")}, "old", "file-lacks-arch"}});
  EXPECT_EQ(report::View(one).totals.errors(), 1U) << "12.0 is left";
  const auto both = lacking_two({{"ignore[0]", "*", {}, "not sold", "file-lacks-arch"}});
  EXPECT_EQ(report::View(both).totals.errors(), 0U);
  EXPECT_THAT(verdict_of(both), HasSubstr("no kernel runs on 7.0"));
  auto unknown = both;
  unknown.audits[0].answers[device("8.0")] = coverage::Answer::unknown;
  EXPECT_EQ(report::View(unknown).totals.errors(), 1U) << "nobody ignored 8.0";
}

TEST(Answers, AreGivenForEachOfSeveralPackages) {
  coverage::Request wanted;
  wanted.accept_without_promise = coverage::default_verdicts();
  wanted.devices = {device("9.0")};
  std::vector<File> files = {file_of_many(3, {sass("80"), sass("90")}),
                             file_of_many(2, {sass("80")})};
  files[0].path = "dist/new.whl!libx.so";
  files[1].path = "dist/old.whl!libx.so";
  AuditReport audited;
  audited.without_promise = true;
  audited.audits.push_back(coverage::audit(std::move(files), wanted));
  EXPECT_THAT(text_of(audited), HasSubstr("\nnew.whl: runs on 9.0 (H100, H200)\n"
                                          "old.whl: no kernel runs on 9.0 (H100, "
                                          "H200)\n"));
  EXPECT_THAT(text_of(audited),
              HasSubstr("file-lacks-arch: libx.so: k0 and 1 more\n  in old.whl\n"))
      << "both wheels have a libx.so";
  EXPECT_EQ(json::parse(json_of(audited))["package_answers"],
            json::parse(R"({"dist/new.whl": {"9.0": "runs"},
                            "dist/old.whl": {"9.0": "does-not-run"}})"));
}

TEST(Answers, NameGpusBetweenOthersThatGetNothing) {
  const auto verdict = [](const char* middle) {
    return verdict_of(package_report(file_of({sass("80"), sass(middle), sass("120")})));
  };
  EXPECT_THAT(verdict("90"), EndsWith("; 10.0, 10.3, 10.7 and GPUs newer than 12.1 get nothing"));
  EXPECT_THAT(verdict("100"), EndsWith("; 9.0 and GPUs newer than 12.1 get nothing"));
  auto with_ptx = file_of({sass("80"), sass("90"), sass("120")});
  with_ptx.images.push_back(ptx("120"));
  EXPECT_THAT(verdict_of(package_report(with_ptx)), EndsWith("; 10.0, 10.3 and 10.7 get nothing"));
}

TEST(Answers, CountKernelsThatDoNoWorkAnywhere) {
  auto file = file_of_many(3, {sass("80"), sass("90")});
  EXPECT_THAT(verdict_of(package_report(file)), Not(HasSubstr("in any code")));
  add_module(file, {sass("80", {kernel("convert", Body::empty)}),
                    sass("90", {kernel("convert", Body::empty)})});
  EXPECT_THAT(verdict_of(package_report(file)), HasSubstr("; 1 does no work in any code"));
  EXPECT_THAT(answer_about(file, "9.0"), HasSubstr("; 1 does no work in any code"));
}

TEST(Answers, OfEachPackageNameWhatFails) {
  coverage::Request wanted;
  wanted.accept_without_promise = coverage::default_verdicts();
  wanted.devices = {device("9.0")};
  std::vector<File> files = {file_of_many(3, {sass("80"), sass("90")}), broken_file()};
  files[0].path = "dist/new.whl!libx.so";
  files[1].path = "dist/old.whl!libx.so";
  AuditReport audited;
  audited.without_promise = true;
  audited.audits.push_back(coverage::audit(files, wanted));
  EXPECT_THAT(text_of(audited),
              HasSubstr("\nnew.whl: runs on 9.0 (H100, H200)\n"
                        "old.whl: runs on 9.0 (H100, H200), except 1 of 5 kernels\n"
                        "runs on 9.0 (H100, H200), except 1 of 8 kernels, which fails or gives "
                        "wrong\nresults there: 1 error; 2 files x 1 GPU\n"));
  audited.audits[0].package_answers["dist/old.whl"][device("9.0")] = coverage::Answer::runs_in_part;
  EXPECT_THAT(text_of(audited), HasSubstr("(H100, H200), with errors in 1 of 5 kernels\n"));
}

TEST(Answers, AreAboutItsOwnKernelsWhereAnotherPackageHasMore) {
  auto file = file_of_many(3, {sass("80")});
  EXPECT_THAT(answer_about(file, "8.0"), HasSubstr("\nruns on 8.0 (A100, A30): "));
  file.needed = {"libtorch_cuda.so"};
  EXPECT_THAT(answer_about(file, "8.0"), HasSubstr("\nits own kernels run on 8.0 (A100, A30): "));
  EXPECT_THAT(answer_about(file, "9.0"), HasSubstr("\nnone of its own kernels runs on 9.0"));
}

}  // namespace
}  // namespace archgrid::tests
