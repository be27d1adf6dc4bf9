// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests the table of a package and the texts of causes.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "suspicious.hpp"

namespace archgrid::tests {
namespace {

using nlohmann::json;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

TEST(PackageTable, CountsKernelsForOtherGpusIfTheyAreTheGreaterPart) {
  const auto text = [](int own, int others) {
    auto file = file_of_many(own, {sass("80"), sass("90")});
    std::vector<Image> images = {sass("80", {}), sass("90", {})};
    for (int index = 0; index < others; ++index) {
      const auto name = "gemm_sm90_" + std::to_string(index);
      images[0].kernels.push_back(kernel(name, Body::empty));
      images[1].kernels.push_back(kernel(name));
    }
    add_module(file, std::move(images));
    coverage::Request wanted;
    wanted.devices = {device("8.0")};
    return text_of(report_of_two(file, wanted));
  };
  EXPECT_THAT(text(3, 2), AllOf(HasSubstr("\nlibmany.so all*\n"),
                                Not(HasSubstr("have no code that works on"))));
  EXPECT_THAT(text(2, 8),
              AllOf(HasSubstr("\nlibmany.so 20%*\n"), HasSubstr("; *: beside kernels\nthat may"),
                    HasSubstr("\nruns on 8.0 (A100, A30): 4 of 20 kernels, 2 files x 1 GPU; 16 "
                              "look meant for\nother GPUs")));
}

TEST(PackageTable, MarksGpusThatTheDriverIsTooOldFor) {
  coverage::Request wanted;
  wanted.devices = {device("8.0"), device("9.0")};
  wanted.driver = coverage::parse_driver("450");
  const auto text = text_of(report_of_two(file_of_many(3, {sass("80"), sass("90")}), wanted));
  EXPECT_THAT(text, HasSubstr("\nlibmany.so all! all!\nlibcopy.so all! all!\n"));
  EXPECT_THAT(text, HasSubstr("; !: error, or the\ndriver does not run it there\n"));
  EXPECT_THAT(text, HasSubstr("fix: install driver 580 or newer, or build it with CUDA 11.x"));
  EXPECT_THAT(text, HasSubstr("driver 520 is the first that does\n"
                              "  fix: install driver 580 or newer for 9.0\n"))
      << "one driver for both errors";
  wanted.driver = coverage::parse_driver("580");
  const auto fitting = text_of(report_of_two(file_of_many(3, {sass("80"), sass("90")}), wanted));
  EXPECT_THAT(fitting, HasSubstr("\nlibmany.so  all  all\n"));
}

TEST(Causes, AreWrittenAlikeEverywhere) {
  const auto audited = package_report(broken_file());
  const std::string message =
      "forgotten.cu is compiled for 80: nothing of that runs on 9.0 (H100, H200), which the rest "
      "of the file serves";
  const std::string fix =
      "compile forgotten.cu for 90 too: add 90 to CUDA_ARCHITECTURES in CMake, or -gencode "
      "arch=compute_90,code=sm_90 to nvcc's options";
  report::TextStyle style;
  style.columns = 200;
  EXPECT_THAT(text_of(audited, style),
              AllOf(HasSubstr("\nunit-lacks-arch: libmany.so: forgotten\n  " + message + "\n"),
                    HasSubstr("  fix: " + fix + "\n")));
  const auto finding = json::parse(json_of(audited))["findings"][0];
  EXPECT_EQ(finding["message"], message);
  EXPECT_EQ(finding["fix"], fix);
  EXPECT_THAT(junit_of(audited), AllOf(HasSubstr("failures=\"1\""), HasSubstr("device 9.0"),
                                       HasSubstr("forgotten.cu is compiled for 80")));
  for (const auto& document : {sarif_of(audited), html_of(audited), markdown_of(audited)}) {
    EXPECT_THAT(document, HasSubstr("forgotten.cu is compiled for 80"));
  }
  EXPECT_THAT(report::audit_annotations(report::View(audited)),
              HasSubstr("forgotten.cu is compiled for 80"));
  EXPECT_THAT(verdict_of(audited), HasSubstr("coverage uneven: 1 error in 1 of 5 kernels on 9.0 "
                                             "(H100, H200); 1 file x 4 GPUs; 1 suspect"));
}

std::size_t longest_line(const std::string& text) {
  std::size_t longest = 0;
  for (std::size_t begin = 0; begin < text.size();) {
    const auto end = text.find('\n', begin);
    longest = std::max(longest, end - begin);
    begin = end + 1;
  }
  return longest;
}

/// Returns a file for ten devices with a long name.
File wide_file() {
  auto file = file_of_many(3, {sass("75"), sass("80"), sass("90"), sass("100"), sass("120")});
  add_module(file, {sass("75", {kernel("forgotten")}), ptx("80", "8.4", {kernel("forgotten")})});
  file.path = "pkg.whl!lib/libwith_a_name_that_goes_on_and_on.so.1.2.3";
  file.host_cpu = "x86-64";
  return file;
}

TEST(Causes, OfOneCodeInOneFileAreAllShown) {
  auto file = file_of_many(5, {sass("75"), sass("80"), sass("90")});
  add_module(file, {sass("80", {kernel("first")}), sass("90", {kernel("first")})});
  add_module(file, {sass("75", {kernel("second")}), sass("80", {kernel("second")})});
  const auto audited = package_report(std::move(file));
  for (const auto& document :
       {text_of(audited), html_of(audited), markdown_of(audited), sarif_of(audited),
        junit_of(audited), report::audit_annotations(report::View(audited))}) {
    EXPECT_THAT(document, AllOf(HasSubstr("first"), HasSubstr("second")));
  }
  EXPECT_THAT(verdict_of(audited),
              HasSubstr("2 errors in 2 of 7 kernels on 7.5 (T4, RTX 20) and 9.0 (H100, H200)"));
}

TEST(Causes, AreCountedBesideWhatCouldNotBeRead) {
  auto audited = package_report(broken_file());
  audited.errors = {"x.so: cannot be read"};
  EXPECT_EQ(verdict_of(audited),
            "coverage uneven: 1 unreadable input, 1 error in 1 of 5 kernels on 9.0 (H100, H200); 1 "
            "file x 4 GPUs; "
            "1 suspect; GPUs newer than 9.0 get nothing");
}

TEST(PackageTable, ShowsEachFileOnEachGpu) {
  const auto text = text_of(package_report(broken_file()));
  EXPECT_THAT(text, HasSubstr("            8.0  8.6  8.9  9.0\n"
                              "libmany.so all* all* all* 80%!\n"
                              "\n"
                              "%: share of the kernels whose machine code works on the GPU; *: "
                              "beside kernels\nthat may be for other GPUs; !: error\n"
                              "8.0 A100, A30; 8.6 RTX 30, RTX 2050; 8.9 RTX 40, L4; 9.0 "
                              "H100, H200\n"));
  EXPECT_THAT(text_of(package_report(file_of({sass("90")}))), HasSubstr("\nlibx.so  all\n"));
}

TEST(PackageTable, HasOneRowForFilesThatFareAlike) {
  coverage::Request wanted;
  wanted.accept_without_promise = coverage::default_verdicts();
  std::vector<File> files;
  for (const char* name : {"liba.so", "libb.so", "libc.so", "libd.so", "libe.so"}) {
    const bool is_odd = files.size() == 4;
    files.push_back(file_of_many(3, {sass(is_odd ? "90" : "80")}));
    files.back().path = name;
  }
  AuditReport audited;
  audited.without_promise = true;
  audited.audits.push_back(coverage::audit(std::move(files), wanted));
  const auto text = text_of(audited);
  EXPECT_THAT(text, HasSubstr("liba.so and 3 more "));
  EXPECT_THAT(text, HasSubstr("\nlibe.so "));
  EXPECT_THAT(text, Not(HasSubstr("\nlibb.so ")));
  EXPECT_THAT(text, HasSubstr("; -: none"));
}

TEST(PackageTable, FitsTheScreen) {
  const auto audited = package_report(wide_file());
  const auto text = text_of(audited);
  EXPECT_LE(longest_line(text), 80U) << text;
  EXPECT_THAT(text, HasSubstr("libwith_a_name_t..._and_on.so.1.2.3  all 75%+"));
  report::TextStyle wide;
  wide.columns = 160;
  EXPECT_GT(longest_line(text_of(audited, wide)), 80U);
  report::TextStyle all;
  all.all = true;
  EXPECT_THAT(text_of(audited, all), HasSubstr("  forgotten")) << "the map has every kernel";
}

std::string message_about(std::vector<Image> images) {
  auto file = file_of_many(3, {sass("75"), sass("80")});
  add_module(file, std::move(images)).unit = "k.cu";
  const auto document = json::parse(json_of(package_report(std::move(file))));
  EXPECT_EQ(document["findings"].size(), 1U);
  return document["findings"][0]["message"];
}

TEST(Causes, SayWhatHappensAndWhy) {
  EXPECT_EQ(
      message_about({sass("75", {kernel("other")}), sass("80", {kernel("other"), kernel("x")})}),
      "a launch fails on 7.5 (T4, RTX 20): host code names it, and the code for that GPU lacks it");
  EXPECT_EQ(message_about({sass("75", {unnamed("_Z1xIdEvv")}), sass("80", {kernel("_Z1xIfEvv")})}),
            "a launch fails on 7.5 (T4, RTX 20): the code for that GPU has it under another name, "
            "which depends on `__CUDA_ARCH__`");
  EXPECT_EQ(message_about({sass("75", {kernel("x", Body::trap)}), sass("80", {kernel("x")})}),
            "on 7.5 (T4, RTX 20) its body only traps, and no other variant works there");
}

}  // namespace
}  // namespace archgrid::tests
