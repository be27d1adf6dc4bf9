// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <archgrid/report/diff.hpp>
#include <nlohmann/json.hpp>
#include <sstream>

#include "files.hpp"
#include "reports.hpp"

namespace archgrid::tests {
namespace {

using nlohmann::json;
using report::DiffReport;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::StartsWith;

DiffReport diff_report_of(File before, File after,
                          const std::vector<std::string>& devices = {"8.0", "9.0"}) {
  coverage::DiffRequest request;
  for (const auto& text : devices) request.devices.push_back(device(text));
  before.path = "old.so";
  after.path = "new.so";
  DiffReport report;
  report.before = before.path;
  report.after = after.path;
  coverage::Release old_release{before.path, {}};
  old_release.files.push_back(std::move(before));
  coverage::Release new_release{after.path, {}};
  new_release.files.push_back(std::move(after));
  report.diff = coverage::diff(old_release, new_release, request);
  return report;
}

std::vector<fatbin::Kernel> kernels(int count, std::uint32_t registers) {
  std::vector<fatbin::Kernel> result;
  for (int index = 0; index < count; ++index) {
    result.push_back(kernel("_Z2k" + std::to_string(index % 10) + "i" +
                            std::string(static_cast<std::size_t>(index / 10), 'f')));
    result.back().registers = registers;
  }
  return result;
}

/// Returns a report with every kind of change.
DiffReport changed_report() {
  auto before = file_of({sass("80", kernels(20, 32)), sass("90", kernels(20, 32))});
  auto after = file_of({sass("80", kernels(19, 40)), ptx("80", "8.7", kernels(19, 0))});
  after.images[0].kernels.push_back(kernel("_Z3newv"));
  before.images[0].stored = 1000;
  after.images[0].stored = 1500;
  before.images[0].toolkit = "12.4";
  after.images[0].toolkit = "12.8";
  return diff_report_of(before, after);
}

TEST(DiffText, GroupsWhatChangedAlike) {
  const auto text = report::diff_text(changed_report(), {}, 200);
  EXPECT_THAT(text, HasSubstr("old  old.so\nnew  new.so\n\nold.so -> new.so\n"));
  EXPECT_THAT(text, HasSubstr("  coverage degraded\n"
                              "    verdict        devices  kernels\n"
                              "    native -> jit  9.0           19  k0 and 18 more\n"));
  EXPECT_THAT(text, HasSubstr("    gone        1  k9\n"
                              "    new         1  new\n"));
  EXPECT_THAT(text, HasSubstr("    80    registers    19     0  32 -> 40  k0\n"));
  EXPECT_THAT(text, HasSubstr("    CUDA  12.4  12.8\n"));
  EXPECT_THAT(text, HasSubstr("    sass 80  1000 B  1.5 KiB  +500 B  +50.0 % "));
  EXPECT_THAT(text, HasSubstr("    sass 90     0 B        -    gone "));
  EXPECT_THAT(text,
              HasSubstr("\ncoverage degraded: 19 kernels on 9.0 (of 19 kernels x 2 devices, 1 "
                        "new, 1 gone, device code +500 B, +50.0 %)\n"));
}

TEST(DiffText, NamesEveryKernelWhereAsked) {
  auto report = changed_report();
  report.all = true;
  const auto text = report::diff_text(report, {}, 200);
  EXPECT_THAT(text, HasSubstr("    native -> jit  9.0      k8(int, float)\n"));
  EXPECT_THAT(text, HasSubstr("    80    registers  32 -> 40  k8(int, float)\n"));
  EXPECT_THAT(text, HasSubstr("    gone    k9(int, float)\n"));
  EXPECT_THAT(text, Not(HasSubstr("more")));
}

TEST(DiffText, SaysThatNothingChanged) {
  const auto file = file_of({sass("80"), sass("90")});
  const auto text = report::diff_text(diff_report_of(file, file), {}, 200);
  EXPECT_EQ(text,
            "old  old.so\n"
            "new  new.so\n"
            "\n"
            "same kernels, coverage and resources, device code of the same size: old.so -> new.so\n"
            "\n"
            "nothing lost: 1 kernel x 2 devices, 0 new, 0 gone, device code of the same size\n");
}

TEST(DiffText, CodeIsUnchangedOnSomeDevicesAndChangedOnOthers) {
  auto before = file_of({sass("80", kernels(3, 32)), sass("90", kernels(3, 32))});
  for (auto& image : before.images) {
    for (auto& kernel : image.kernels) kernel.identity = kernel.name + image.arch.text();
  }
  auto after = before;
  after.images[1].kernels[2].identity = "other";
  auto report = diff_report_of(before, after);
  EXPECT_THAT(report::diff_text(report, {}, 200),
              HasSubstr("  code that GPUs execute\n"
                        "    devices  changed  unchanged\n"
                        "    8.0            0          3\n"
                        "    9.0            1          2  k2\n"));
  report.all = true;
  EXPECT_THAT(report::diff_text(report, {}, 200), HasSubstr("    9.0            1  k2(int)\n"));
  EXPECT_THAT(report::diff_text(diff_report_of(before, before), {}, 200),
              HasSubstr("same kernels, coverage and code, device code of the same size"));
}

TEST(DiffText, DevicesThatFollowEachOtherAreARun) {
  const auto report = diff_report_of(file_of({ptx("75")}), file_of({sass("80")}),
                                     {"7.5", "8.0", "8.6", "8.9", "9.0", "10.0", "12.0"});
  EXPECT_THAT(report::diff_text(report, {}, 200),
              HasSubstr("jit -> missing  7.5, 9.0-12.0        1  k\n"));
}

TEST(DiffText, NamesTheFileThatLostADevice) {
  const auto release = [](const std::string& name, std::vector<Image> images) {
    coverage::Release made{name, {file_of(std::move(images)), file_of({sass("80"), sass("90")})}};
    made.files[0].path = name + "/libx.so";
    made.files[1].path = name + "/libother.so";
    return made;
  };
  const auto old = release("old", {sass("80", {kernel("a")}), sass("90", {kernel("a")})});
  report::DiffReport report;
  report.before = "old";
  report.after = "new";
  coverage::DiffRequest request;
  request.devices = {device("8.0"), device("9.0")};
  report.diff = coverage::diff(old, release("new", {sass("80", {kernel("b")})}), request);
  EXPECT_THAT(report::diff_text(report, {}, 200),
              HasSubstr("\ndevices lost by libx.so: 9.0 (of 1 "));
  EXPECT_EQ(report::incomparable(report), "");
  report.diff = coverage::diff(
      old, release("new", {sass("80", {kernel("b")}), sass("90", {kernel("b")})}), request);
  EXPECT_THAT(report::diff_text(report, {}, 200), Not(HasSubstr("devices lost")));
}

TEST(DiffText, BeginsWithTheDevicesThatAreLostOrGained) {
  const auto both = file_of({sass("80"), sass("90")});
  const auto one = file_of({sass("80")});
  const auto lost = diff_report_of(both, one);
  EXPECT_THAT(report::diff_text(lost, {}, 200),
              HasSubstr("new  new.so\n\ndevices lost: 9.0 (no kernel runs there any more)\n\nold"));
  EXPECT_THAT(report::diff_markdown(lost),
              HasSubstr("\n\n**devices lost**: 9.0 (no kernel runs there any more)\n\n###"));
  EXPECT_THAT(report::diff_text(diff_report_of(one, both), {}, 200),
              HasSubstr("\n\ndevices gained: 9.0 (no kernel ran there before)\n\nold"));
  EXPECT_THAT(report::diff_text(diff_report_of(both, both), {}, 200),
              Not(HasSubstr("devices gained")));
  const auto many =
      diff_report_of(file_of({sass("75"), sass("80"), ptx("75")}), file_of({sass("90")}),
                     {"7.5", "8.0", "8.6", "8.9", "9.0", "10.0"});
  EXPECT_THAT(report::diff_text(many, {}, 200),
              HasSubstr("\ndevices lost: 7.5-8.9, 10.0 (no kernel"));
  const auto strangers =
      diff_report_of(file_of({sass("80", {kernel("a")})}), file_of({sass("90", {kernel("b")})}));
  const auto text = report::diff_text(strangers, {}, 200);
  EXPECT_THAT(text, HasSubstr("\n\ndevices lost: 8.0 (no kernel runs there any more)\n"
                              "devices gained: 9.0 (no kernel ran there before)\n\n"));
  EXPECT_THAT(text, HasSubstr("old.so -> new.so\n"
                              "  GPUs, as no kernel is in both\n"
                              "    lost    8.0\n"
                              "    gained  9.0\n"));
  EXPECT_THAT(text, testing::EndsWith(
                        "\ndevices lost: 8.0 (only GPUs compared, as no kernel is in both)\n"));
  EXPECT_THAT(report::incomparable(strangers), IsEmpty()) << "the loss is certain";
  const auto degraded = diff_report_of(file_of({sass("80", {kernel("a")})}),
                                       file_of({ptx("80", "8.4", {kernel("b")})}), {"8.0"});
  EXPECT_THAT(report::diff_text(degraded, {}, 200),
              HasSubstr("devices served by PTX alone: 8.0 (machine code ran there before)\n"));
  EXPECT_THAT(report::closing_line(degraded), HasSubstr("devices served by PTX alone: 8.0 (only"));
  const auto same =
      diff_report_of(file_of({sass("80"), sass("90")}), file_of({sass("80"), ptx("80")}));
  EXPECT_THAT(report::diff_text(same, {}, 200), Not(HasSubstr("by PTX alone")))
      << "the kernel says so";
}

TEST(DiffText, ColourOnlyWhereAskedFor) {
  EXPECT_THAT(report::diff_text(changed_report(), {}, 200), Not(HasSubstr("\x1b")));
  EXPECT_THAT(report::diff_text(changed_report(), {true}),
              HasSubstr("\x1b[1;31mcoverage degraded"));
}

TEST(DiffText, NamesCannotForgeWhatATerminalShows) {
  const std::string forged = "k\x1b[2J\nnothing lost: all";
  const auto text = report::diff_text(
      diff_report_of(file_of({sass("80", {kernel("k"), kernel(forged)})}), file_of({sass("80")})),
      {});
  EXPECT_THAT(text, Not(HasSubstr("\x1b")));
  EXPECT_THAT(text, HasSubstr("k?[2J?nothing lost: all\n"));
}

TEST(DiffClosingLine, SaysWhatIsLost) {
  const auto both = file_of({sass("80"), sass("90")});
  const auto one = file_of({sass("80")});
  EXPECT_EQ(
      report::closing_line(diff_report_of(both, one)),
      "devices lost: 9.0; coverage lost: 1 kernel on 9.0 (of 1 kernel x 2 devices, 0 new, 0 gone, "
      "device code of the same size)");
  EXPECT_EQ(report::closing_line(diff_report_of(one, both)),
            "nothing lost: 1 kernel x 2 devices, 0 new, 0 gone, device code of the same size");
  auto broken = diff_report_of(one, one);
  broken.diff.errors = {"x: unreadable"};
  EXPECT_EQ(report::closing_line(broken),
            "comparison not whole, 1 error: nothing lost in what could be read, 1 kernel x 2 "
            "devices, 0 new, 0 gone, device code of the same size");
  auto broken_and_lost = diff_report_of(both, one);
  broken_and_lost.diff.errors = {"x: unreadable"};
  EXPECT_THAT(report::closing_line(broken_and_lost),
              StartsWith("comparison not whole, 1 error: devices lost: 9.0; coverage lost: "));
  auto two = diff_report_of(file_of({sass("80", {kernel("k"), kernel("m")})}), one);
  EXPECT_THAT(
      report::closing_line(two),
      HasSubstr("coverage kept where both have the kernel: 1 kernel x 2 devices, 0 new, 1 gone"));
  two.strict = true;
  EXPECT_THAT(report::closing_line(two), HasSubstr("1 kernel gone (of 1 kernel x"));
}

TEST(DiffClosingLine, NothingToCompareIsNotNothingLost) {
  File host;
  EXPECT_THAT(report::incomparable(diff_report_of(host, file_of({sass("80")}))),
              HasSubstr("old.so: no device code"));
  const auto strangers =
      diff_report_of(file_of({sass("80", {kernel("a")})}), file_of({sass("80", {kernel("b")})}));
  EXPECT_EQ(
      report::incomparable(strangers),
      "new.so has no kernel of old.so, so only GPUs were compared, and none is lost: are they "
      "releases of one library?");
  EXPECT_EQ(report::closing_line(strangers),
            "no device lost (only GPUs compared, as no kernel is in both)");
  EXPECT_THAT(report::diff_text(strangers, {}, 200), HasSubstr("    none lost, none gained\n"));
  EXPECT_THAT(report::incomparable(diff_report_of(file_of({lto("80")}), file_of({lto("80")}))),
              HasSubstr("can be named"));
  EXPECT_THAT(report::incomparable(diff_report_of(file_of({sass("80")}), file_of({sass("80")}))),
              IsEmpty());
  EXPECT_THAT(report::incomparable(diff_report_of(file_of({sass("80")}), host)), IsEmpty())
      << "that is all lost";
}

TEST(DiffText, CutsNoCharacterOfANameInTwo) {
  for (const auto* begin : {"k", "kk", "kkk"}) {
    std::string name = begin;
    for (int letter = 0; letter < 60; ++letter) name += "\xe4\xb8\xad";
    const auto text = report::diff_text(
        diff_report_of(file_of({sass("80")}), file_of({sass("80", {kernel("k"), kernel(name)})})),
        {});
    EXPECT_THAT(text, HasSubstr("..."));
    for (std::size_t at = 0; at < text.size(); at += fatbin::character_length(text, at)) {
      ASSERT_GT(fatbin::character_length(text, at), 0U) << text;
    }
  }
}

TEST(DiffMarkdown, KeepsNamesInTheirCells) {
  const auto page = report::diff_markdown(diff_report_of(
      file_of({sass("80", {kernel("k"), kernel("a|b`c")})}), file_of({sass("80", {kernel("k")})})));
  EXPECT_THAT(page, HasSubstr("## coverage kept where both have the kernel: 1 kernel"));
  EXPECT_THAT(page, HasSubstr("`a\\|b'c`"));
  EXPECT_THAT(
      page,
      HasSubstr(
          "### `old.so -> new.so`\n\n**kernels**\n\n|  | kernels |  |\n| --- | ---: | --- |\n"));
}

TEST(DiffJson, HasEveryKernel) {
  std::string text;
  report::diff_json(changed_report(), [&text](std::string_view piece) { text += piece; });
  const auto document = json::parse(text);
  EXPECT_EQ(document.at("schema"), "archgrid.diff/1");
  EXPECT_EQ(document.at("lost"), true);
  EXPECT_EQ(document.at("devices_lost"), json::array());
  EXPECT_EQ(document.at("devices_degraded"), json({"9.0"}));
  EXPECT_EQ(document.at("files").at(0).at("devices_degraded"), json({"9.0"}));
  const auto& summary = document.at("summary");
  EXPECT_EQ(summary.at("kernels"), 19);
  EXPECT_EQ(summary.at("kernels_new"), 1);
  EXPECT_EQ(summary.at("turns"),
            json::parse(R"({"degraded": {"kernels": 19, "devices": ["9.0"]}})"));
  const auto& file = document.at("files").at(0);
  EXPECT_EQ(file.at("coverage").at(0).at("turn"), "degraded");
  EXPECT_EQ(file.at("coverage").at(0).at("kernels").size(), 19U);
  EXPECT_EQ(file.at("coverage").at(0).at("devices"), json({"9.0"}));
  EXPECT_EQ(file.at("resources").size(), 19U);
  EXPECT_EQ(file.at("gone").size(), 1U);
  EXPECT_EQ(document.at("names").at("_Z3newv"), "new()");
  EXPECT_EQ(file.at("old").at("toolkits"), json({"12.4"}));
}

TEST(DiffJson, FilesOfOneSideHaveNoOther) {
  DiffReport report;
  report.before = "a";
  report.after = "b";
  coverage::Release before{"a", {file_of({sass("80")}), file_of({sass("80")})}};
  before.files[0].path = "a/x.so";
  before.files[1].path = "a/y.so";
  coverage::Release after{"b", {file_of({sass("80")})}};
  after.files[0].path = "b/x.so";
  report.diff = coverage::diff(before, after, {});
  std::string text;
  report::diff_json(report, [&text](std::string_view piece) { text += piece; });
  const auto document = json::parse(text);
  EXPECT_EQ(document.at("files").at(1).at("old").at("path"), "a/y.so");
  EXPECT_TRUE(document.at("files").at(1).at("new").is_null());
  EXPECT_THAT(report::diff_text(report, {}, 200), Not(HasSubstr("y.so (gone)")));
  report.all = true;
  EXPECT_THAT(report::diff_text(report, {}, 200), HasSubstr("\ny.so (gone)\n  kernels\n"));
}

/// Returns a report on a folder with `gone` files that the other folder lacks.
DiffReport folders_report(int gone) {
  coverage::Release before{"a", {file_of({sass("80")})}};
  before.files[0].path = "a/x.so";
  for (int index = 0; index < gone; ++index) {
    before.files.push_back(file_of({sass("75"), sass("80"), ptx("80")}));
    before.files.back().path = fmt::format("a/gone{:02}.so", index);
  }
  coverage::Release after{"b", {file_of({sass("80")})}};
  after.files[0].path = "b/x.so";
  DiffReport report;
  report.before = "a";
  report.after = "b";
  report.diff = coverage::diff(before, after, {{device("8.0")}, {}});
  return report;
}

TEST(DiffText, FitsTheScreen) {
  auto report = changed_report();
  const std::string name = "a_kernel_with_a_long_name<" + std::string(80, 'x') + ">";
  auto& file = report.diff.files[0];
  for (auto& change : file.coverage) change.kernels[0] = name;
  for (auto& change : file.resources) change.kernel = name;
  file.added[0] = name;
  for (auto& size : file.sizes) size.before.bytes = size.after.bytes = 1023;
  const std::string folder = "/home/somebody/projects/wheels/of/the/last/release/";
  report.before = folder + "a_package-1.0.0-cp312-cp312-manylinux_2_28_x86_64.whl";
  report.after = folder + "a_package-1.1.0-cp312-cp312-manylinux_2_28_x86_64.whl";
  const auto text = report::diff_text(report, {}, 80);
  for (const auto& line : lines_of(text)) EXPECT_LE(line.size(), 80U) << line;
  EXPECT_THAT(text, HasSubstr("old  .../the/last/release/a_package-1.0.0-cp312-"));
  EXPECT_THAT(text, HasSubstr("... and 18 more\n"));
  EXPECT_THAT(report::diff_text(report, {}, 200), HasSubstr("old  " + report.before + "\n"));
  const std::string equal =
      "/a_package_with_a_long_name-1.0.0-cp312-cp312-manylinux_2_28_x86_64.whl";
  report.before = folder + "old" + equal;
  report.after = folder + "new" + equal;
  EXPECT_THAT(report::diff_text(report, {}, 80),
              AllOf(HasSubstr("old  " + report.before + "\n"), HasSubstr("new  " + report.after)))
      << "ends that fit are equal";
}

TEST(DiffText, BreaksTheListOfCodeOfAFile) {
  auto report = folders_report(1);
  auto& sizes = report.diff.files.back().sizes;
  if (sizes.empty()) sizes = report.diff.files.front().sizes;
  const auto size = sizes.front();
  for (int index = 0; index < 12; ++index) sizes.push_back(size);
  const auto text = report::diff_text(report, {}, 80);
  for (const auto& line : lines_of(text)) EXPECT_LE(line.size(), 80U) << line;
  EXPECT_THAT(text, HasSubstr(", 75,\n                             "));
}

TEST(DiffText, FilesOfOneSideAreALineEach) {
  const auto text = report::diff_text(folders_report(2), {}, 200);
  EXPECT_THAT(text, HasSubstr("\nfiles gone\n"
                              "  file       kernels  stored  code\n"
                              "  gone00.so        1     0 B  sass 75, 80; ptx 80\n"
                              "  gone01.so        1     0 B  sass 75, 80; ptx 80\n"
                              "\n"));
  EXPECT_THAT(text, Not(HasSubstr("files new")));
  const auto ten = report::diff_text(folders_report(10), {}, 200);
  EXPECT_THAT(ten, HasSubstr("gone09.so"));
  EXPECT_THAT(ten, Not(HasSubstr(" more")));
  const auto many = folders_report(12);
  EXPECT_THAT(report::diff_text(many, {}, 200),
              HasSubstr("\n  and 2 more (--all shows every kernel"));
  EXPECT_THAT(report::diff_text(many, {}, 200), Not(HasSubstr("gone10.so")));
  EXPECT_THAT(report::diff_markdown(many), HasSubstr("**files gone**\n\n| file | kernels |"));
}

/// Returns a report on a release that loses 9.0 in each of `files` files with long names.
DiffReport long_report(std::size_t files) {
  const std::string folder = "package/" + std::string(60, 'f') + '/';
  const std::string name = "_Z1kI" + std::string(40, 'i') + "Evv";
  coverage::Release before{"a", {}};
  coverage::Release after{"b", {}};
  for (std::size_t index = 0; index < files; ++index) {
    const auto path = folder + fmt::format("lib{:02}.so", index);
    before.files.push_back(file_of({sass("80", {kernel(name)}), sass("90", {kernel(name)})}));
    before.files.back().path = "a/" + path;
    after.files.push_back(file_of({sass("80", {kernel(name)})}));
    after.files.back().path = "b/" + path;
    after.files.push_back(before.files.back());
    after.files.back().path = "b/" + folder + fmt::format("new{:02}.so", index);
  }
  DiffReport report;
  report.before = "a";
  report.after = "b";
  report.diff = coverage::diff(before, after, {{device("8.0"), device("9.0")}, {}});
  return report;
}

TEST(DiffText, ManyChangesFitTheFirstScreen) {
  const auto report = long_report(12);
  const auto text = report::diff_text(report, {}, 80);
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  EXPECT_LE(lines.size(), 40U) << text;
  for (const auto& line : lines) EXPECT_LE(line.size(), 80U) << line;
  EXPECT_THAT(text, HasSubstr("\nlost coverage      devices  files  kernels\n"
                              "native -> missing  9.0         12        1  k<"));
  EXPECT_THAT(text, HasSubstr("\nkernels by file  worse  better  gone  new  code  change\n"
                              "lib00.so             1       -     -    -   0 B\n"));
  EXPECT_THAT(text, HasSubstr("\n  and 2 more\n\n12 files new, with 12 kernels and 0 B of device "
                              "code: new00.so, "));
  EXPECT_THAT(text, HasSubstr("\n--all shows every kernel"));
  EXPECT_THAT(lines.back() + lines[lines.size() - 2], HasSubstr("coverage lost: "));

  auto wide = report;
  for (auto& file : wide.diff.files) {
    for (auto& change : file.coverage) {
      change.before = coverage::Verdict::compatible;
      change.devices = {device("5.2"), device("6.1"), device("8.6")};
      change.kernels.assign(100, change.kernels.front());
    }
  }
  const auto wide_text = report::diff_text(wide, {}, 80);
  EXPECT_THAT(wide_text, HasSubstr("\ncompatible -> missing  5.2, 6.1, 8.6     12      100  k<"));
  for (const auto& line : lines_of(wide_text)) EXPECT_LE(line.size(), 80U) << line;

  auto all = report;
  all.all = true;
  EXPECT_THAT(report::diff_text(all, {}, 80), HasSubstr("lib11.so\n"));
  std::string written;
  report::diff_json(report, [&written](std::string_view part) { written += part; });
  EXPECT_EQ(json::parse(written)["files"].size(), 24U) << "whatever the text leaves out";
  EXPECT_THAT(report::diff_text(long_report(2), {}, 80), HasSubstr("  coverage lost\n"))
      << "what is short is whole";
}

TEST(DiffText, OfASideThatCouldNotBeReadNothingIsCalledGone) {
  File unread;
  unread.errors.push_back({0, "cannot open: No such file or directory"});
  const auto report = diff_report_of(file_of({sass("80")}), unread);
  const auto text = report::diff_text(report, {}, 200);
  EXPECT_THAT(text, Not(HasSubstr("gone")));
  EXPECT_THAT(text, HasSubstr("\n\nnothing compared: 1 error\n"));
  EXPECT_THAT(report::incomparable(report), HasSubstr("new.so: it could not be read"));
  auto part = folders_report(1);
  part.diff.errors = {"b/y.so: unreadable"};
  EXPECT_THAT(report::diff_text(part, {}, 200),
              HasSubstr("files gone, or not read on the other side\n"));
}

}  // namespace
}  // namespace archgrid::tests
