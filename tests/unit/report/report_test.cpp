// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdlib.h>
#include <unistd.h>

#include <archgrid/report.hpp>
#include <archgrid/report/list.hpp>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "kernel_text.hpp"
#include "reports.hpp"

namespace archgrid::tests {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

TEST(Names, LoseTheNamespacesOfTheirTemplateArguments) {
  EXPECT_THAT(report::short_names({"void ns::tile<ns::gemm::Shape<128, 8> >(ns::Problem)",
                                   "void ns::pick<(ns::Kind)3>(int)", "ns::Outer<int>::run()"}),
              ElementsAre("tile<Shape<128, 8>>", "pick<(Kind)3>", "Outer<int>::run"));
}

TEST(Names, AreAsShortAsTheyCanBeWhileAllDiffer) {
  EXPECT_THAT(report::short_names({"void ns::gemm::tile<64, 8>(float const*, int)",
                                   "void ns::gemm::tile<32, 8>(float const*, int)",
                                   "(anonymous namespace)::scale(float*)"}),
              ElementsAre("tile<64, 8>", "tile<32, 8>", "scale"));
  EXPECT_THAT(report::short_names({"a::k(int)", "b::k(int)"}), ElementsAre("a::k", "b::k"));
  EXPECT_THAT(report::short_names({"k(int)", "k(float)"}), ElementsAre("k(int)", "k(float)"));
  EXPECT_THAT(report::short_names({"void k<ns::Op<int> >(int)"}), ElementsAre("k<Op<int>>"));
  EXPECT_THAT(report::short_names({"plain", ""}), ElementsAre("plain", ""));
}

TEST(Map, ShowsEveryVerdictAligned) {
  const auto text = text_of(report_of(file_of({sass("80"), sass("100a"), ptx("89")}),
                                      {"8.0", "8.6", "9.0", "7.5"}, "cu130-fat"));
  EXPECT_THAT(text, HasSubstr("cu130-fat  7.5      8.0      8.6      9.0\n"
                              "  k        MISSING  native   compat   JIT\n"));
}

TEST(Map, RowsOfOneNameInSeveralFilesAreOneAndTheWorstCounts) {
  coverage::Request request;
  request.promises.emplace_back();
  request.promises[0].devices = {device("8.0"), device("9.0")};
  std::vector<File> files;
  files.push_back(file_of({sass("80"), sass("90")}));
  files.push_back(file_of({sass("80")}));
  AuditReport report;
  report.by_cell = true;
  request.cell = "cell";
  request.options = coverage::Options::cmake;
  report.audits.push_back(coverage::audit(std::move(files), request));
  EXPECT_THAT(text_of(report), HasSubstr("  k   native   MISSING\n"));
}

TEST(Map, TitlesTellTheFilesApart) {
  const std::vector<std::string> paths = {
      "sb/a/libx.so",          "sb/b/libx.so",         "liby.so",
      "one.whl!pkg/libz.so",   "two.whl!pkg/libz.so",  "libx.so",
      "deep/in/one/k/libw.so", "deep/in/two/k/libw.so"};
  std::vector<File> files;
  for (const auto& path : paths) {
    files.push_back(file_of({sass("80")}));
    files.back().path = path;
  }
  coverage::Request request;
  request.promises.emplace_back();
  request.promises[0].devices = {device("8.0")};
  AuditReport report;
  report.audits.push_back(coverage::audit(std::move(files), request));
  const report::View view(report);
  std::vector<std::string> titles;
  for (const auto& map : view.maps) titles.push_back(map.title);
  EXPECT_THAT(titles,
              ElementsAre("a/libx.so", "b/libx.so", "liby.so", "one.whl!pkg/libz.so",
                          "two.whl!pkg/libz.so", "libx.so", "one/k/libw.so", "two/k/libw.so"));
}

TEST(Map, ManyKernelsThatFareAlikeShareARow) {
  std::vector<fatbin::Kernel> kernels;
  for (int index = 0; index < 60; ++index)
    kernels.push_back(kernel("kernel" + std::to_string(index)));
  const auto text = text_of(report_of(file_of({sass("80", kernels)}), {"8.0"}));
  EXPECT_THAT(text, HasSubstr("kernel0 and 59 more"));
  EXPECT_THAT(text, HasSubstr("promise holds: 60 kernels x 1 device, all native"));
}

TEST(Map, CutsNoCharacterOfANameInTwo) {
  // Names that start at every byte of a character, so that each may be cut.
  for (const auto* begin : {"k", "kk", "kkk"}) {
    std::vector<fatbin::Kernel> kernels;
    for (int index = 0; index < 60; ++index) {
      std::string name = begin;
      for (int letter = 0; letter < 60; ++letter) name += "\xe4\xb8\xad";
      kernels.push_back(kernel(name + std::to_string(index)));
    }
    const auto text = text_of(report_of(file_of({sass("80", kernels)}), {"8.0"}));
    EXPECT_THAT(text, HasSubstr("... and 59 more"));
    for (std::size_t at = 0; at < text.size(); at += fatbin::character_length(text, at)) {
      ASSERT_GT(fatbin::character_length(text, at), 0U) << text;
    }
  }
}

TEST(Map, ColourOnlyWhereAskedFor) {
  const auto report = report_of(file_of({sass("80")}), {"8.0"});
  EXPECT_THAT(text_of(report), Not(HasSubstr("\x1b")));
  EXPECT_THAT(text_of(report, {{true}}), HasSubstr("\x1b[32mnative"));
}

TEST(Style, ColourNeedsATerminalAndNoObjection) {
  const int terminal = ::posix_openpt(O_RDWR | O_NOCTTY);
  ASSERT_GE(terminal, 0);
  ::unsetenv("NO_COLOR");
  EXPECT_TRUE(report::style_for(terminal).colour);
  ::setenv("NO_COLOR", "1", 1);
  EXPECT_FALSE(report::style_for(terminal).colour);
  ::unsetenv("NO_COLOR");
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  EXPECT_FALSE(report::style_for(ends[1]).colour);
  for (const int descriptor : {terminal, ends[0], ends[1]}) ::close(descriptor);
}

TEST(ClosingLine, SaysWhatWasProved) {
  EXPECT_EQ(verdict_of(report_of(file_of({sass("80")}), {"8.0", "8.6"})),
            "promise holds: 1 kernel x 2 devices, all native or compatible");
  EXPECT_EQ(verdict_of(report_of(file_of({sass("80")}), {"8.0", "9.0"}, "cu130-fat")),
            "promise broken: 1 finding (1 missing), 1 of 1 kernel x 2 devices, 1 cell");
  EXPECT_EQ(verdict_of(report_of(file_of({sass("80")}), {})),
            "nothing is promised for what was audited");
  auto broken = report_of(file_of({sass("80")}), {"8.0"});
  broken.errors = {"x: unreadable"};
  EXPECT_EQ(verdict_of(broken), "promise not proven: 1 error among 1 kernel x 1 device");
}

/// Returns a report on two kernels. Only one is promised, on a device for which the other has only
/// PTX.
AuditReport report_of_one_of_two() {
  coverage::Request request;
  request.promises.emplace_back();
  request.promises[0].devices = {device("9.0")};
  request.promises[0].kernels = "*tile*";
  std::vector<File> files;
  files.push_back(file_of({sass("90", {kernel("tile")}), ptx("80", "8.4", {kernel("other")})}));
  AuditReport report;
  report.audits.push_back(coverage::audit(std::move(files), request));
  return report;
}

TEST(ClosingLine, CountsThePromisedKernelsOnly) {
  EXPECT_EQ(verdict_of(report_of_one_of_two()), "promise holds: 1 kernel x 1 device, all native");
}

TEST(Json, MarksTheDevicesForWhichNothingPromisesAKernel) {
  const auto document = nlohmann::json::parse(json_of(report_of_one_of_two()));
  const auto& kernels = document.at("files").at(0).at("kernels");
  ASSERT_EQ(kernels.size(), 2U);
  EXPECT_EQ(kernels[0].at("name"), "other");
  EXPECT_EQ(kernels[0].at("not_promised"), nlohmann::json({"9.0"}));
  EXPECT_FALSE(kernels[1].contains("not_promised"));
}

TEST(Loaders, AreNamedBeforeThePromiseIsSaidToHold) {
  auto file = file_of({sass("90")});
  file.loaders = {"cuModuleLoadData", "nvrtcCompileProgram"};
  const auto text = text_of(report_of(file, {"9.0"}));
  EXPECT_THAT(text,
              HasSubstr("note: libx.so: coverage is incomplete: code that it loads at run time "
                        "is not\nseen (cuModuleLoadData, nvrtcCompileProgram)\n\n"
                        "promise holds: 1 kernel x 1 device"));
}

TEST(Names, OfOverloadsKeepTheirOwnAndTheirParameters) {
  const std::string space = "void very_long_project::with_namespaces::detail::";
  const auto texts = report::kernel_texts({space + "scale<float>(ns::View<float>, ns::View<int>)",
                                           space + "scale<float>(ns::View<float>, int)",
                                           "very_long_project::with_namespaces::other(int)"},
                                          40);
  EXPECT_THAT(texts, ElementsAre("scale<float>(View<float>, View<int>)",
                                 "scale<float>(View<float>, int)", "other"));
  const std::string room(60, 'x');
  EXPECT_THAT(
      report::kernel_texts(
          {"void a::scale<b::" + room + ">(int)", "void a::scale<b::" + room + ">(char)"}, 30),
      ElementsAre("scale<xxxxxxxx...xxxxxxx>(int)", "scale<xxxxxxxx...xxxxxx>(char)"));
  EXPECT_THAT(report::kernel_texts(
                  {"void one::k<" + room + ">(int)", "void two::k<" + room + ">(int)"}, 30),
              ElementsAre("void one::k<xx...xxxxxxx>(int)", "void two::k<xx...xxxxxxx>(int)"))
      << "only the namespaces differ";
}

TEST(Names, CannotForgeWhatATerminalShows) {
  const std::string forged = "k\x1b[2J\npromise holds: everything";
  const auto file = file_of({sass("90", {kernel(forged)})});
  EXPECT_THAT(text_of(report_of(file, {"8.0"})), Not(HasSubstr("\x1b")));
  EXPECT_THAT(report::list_text({file}, {}, {}), HasSubstr("k?[2J?promise holds: everything\n"));
}

TEST(Json, NamesThatAreNoUtf8AreReplaced) {
  const auto file = file_of({sass("80", {kernel("k\xff")})});
  EXPECT_THAT(json_of(report_of(file, {"8.0"})), HasSubstr("\"k\xef\xbf\xbd\""));
}

TEST(Plan, WhatIsNoPlanIsRefused) {
  EXPECT_THROW(report::plan_text("{}", {}), std::runtime_error);
  EXPECT_THROW(report::plan_text("no JSON", {}), std::runtime_error);
}

AuditReport ignoring_report() {
  coverage::Request request;
  request.promises.emplace_back();
  request.promises[0].devices = {device("8.0"), device("9.0")};
  request.ignores = {{"ignore[0]", "k", {device("9.0")}, "not shipped"}};
  std::vector<File> files;
  files.push_back(file_of({sass("80"), sass("80", {kernel("m")})}));
  AuditReport report;
  report.audits.push_back(coverage::audit(std::move(files), request));
  return report;
}

TEST(AuditText, OneFixIsForAllDevices) {
  const auto file = file_of({sass("75")});
  EXPECT_THAT(text_of(report_of(file, {"9.0", "10.0", "12.0"}), {{}, true}),
              HasSubstr("for 90, 100 and 120 too: add 90 100 120 to the CUDA_ARCHITECTURES of"));
  EXPECT_THAT(text_of(report_of(file, {"8.6", "8.9", "12.0"}), {{}, true}),
              HasSubstr("for 86 and 120 too: add 86 120 to the CUDA_ARCHITECTURES of"))
      << "code for 86 runs on 8.9";
  auto old = file;
  for (auto& image : old.images) image.toolkit = "13.0";
  EXPECT_THAT(text_of(report_of(old, {"7.0", "9.0"}), {{}, true}),
              AllOf(HasSubstr("for 90 too: add 90 to "),
                    HasSubstr("; it was built with CUDA 13.0, which cannot compile for 70; ")));
  for (const auto& document :
       {sarif_of(report_of(file, {"9.0", "12.0"})), html_of(report_of(file, {"9.0", "12.0"}))}) {
    EXPECT_THAT(document, HasSubstr("add 90 120 to the CUDA_ARCHITECTURES of"));
  }
}

TEST(AuditJson, OneFixIsForAllDevices) {
  const auto document =
      nlohmann::json::parse(json_of(report_of(file_of({sass("75")}), {"9.0", "12.0"})));
  ASSERT_EQ(document["findings"].size(), 2U);
  for (const auto& finding : document["findings"]) {
    EXPECT_THAT(std::string(finding["fix"]), HasSubstr("for 90 and 120 too: add 90 120 to the "));
  }
}

TEST(AuditText, AFixThatDiffersByDeviceNamesTheOthers) {
  auto file = file_of(
      {sass("75", {kernel("k", Body::empty)}), sass("80", {kernel("k", Body::empty)}), sass("90")});
  EXPECT_THAT(text_of(report_of(std::move(file), {"7.5", "8.0", "9.0"}), {{}, true}),
              HasSubstr("; likewise for 8.0"));
}

TEST(AuditText, CutsNoVerdict) {
  const auto text = text_of(ignoring_report());
  EXPECT_THAT(text, HasSubstr("libx.so  8.0        9.0\n"));
  EXPECT_THAT(text, HasSubstr("(missing)\n"));
}

TEST(AuditText, ExplainsTheSignsThatOccur) {
  const auto text = text_of(ignoring_report());
  EXPECT_THAT(text, HasSubstr("\nnative              machine code for just this GPU runs\n"));
  EXPECT_THAT(text, HasSubstr("\n(missing), MISSING  fails: there is no code for this GPU\n"));
  EXPECT_THAT(text, HasSubstr("\nCAPITALS            that breaks the promise\n"));
  EXPECT_THAT(text, HasSubstr("\n(...)               ignored, with a reason\n"));
  const auto good = text_of(report_of(file_of({sass("80")}), {"8.0"}));
  EXPECT_THAT(good, HasSubstr("\nnative  machine code for just this GPU runs\n\npromise holds"));
  EXPECT_THAT(good, Not(HasSubstr("CAPITALS")));
  EXPECT_THAT(good, Not(HasSubstr("compat")));
}

TEST(AuditText, TheNoteOfSeveralFilesIsOne) {
  auto audited = report_of(file_of({sass("80")}), {"8.0"});
  audited.audits[0].notes = {note("debug-code", "a.so", {{"images", "1"}, {"of", "2"}}),
                             note("debug-code", "b.so", {{"images", "1"}, {"of", "2"}}),
                             note("newer-gpus", "b.so", {})};
  audited.audits[0].notes.back().newer = coverage::NewerGpus();
  audited.audits[0].notes.back().newer->newest = device("9.0");
  EXPECT_THAT(text_of(audited),
              HasSubstr("note: b.so: no PTX: GPUs newer than 9.0 get nothing\n"
                        "note: 2 files, the first a.so: 1 of 2 images were made with -G\n"));
}

}  // namespace
}  // namespace archgrid::tests
