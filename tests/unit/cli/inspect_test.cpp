// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests `archgrid list` and `archgrid diff` on compiled files.
#include <gmock/gmock.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <sstream>

#include "command.hpp"

namespace archgrid::tests {
namespace {

using nlohmann::json;
using ::testing::AnyOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::StartsWith;

TEST(List, ShowsModulesImagesAndKernels) {
  const auto outcome = run({"list", sample("plain.o")});
  EXPECT_EQ(outcome.code, 0);
  EXPECT_THAT(outcome.out, HasSubstr("plain.o: object, "));
  EXPECT_THAT(outcome.out, HasSubstr(", 1 module, 3 images, 5 kernels\n"));
  EXPECT_THAT(outcome.out, HasSubstr("module 0  .nv_fatbin  sample.cu\n"));
  EXPECT_THAT(outcome.out, HasSubstr("  sass  80    CUDA 13.5"));
  EXPECT_THAT(outcome.out, HasSubstr("    void tile<3>(float*, int)\n"));
  const auto document = json::parse(run({"list", sample("plain.o"), "--json"}).out);
  EXPECT_EQ(document.at("schema"), "archgrid.list/1");
  const auto& file = document.at("files").at(0);
  EXPECT_EQ(file.at("images").size(), 3U);
  EXPECT_EQ(file.at("bytes"), fs::file_size(sample("plain.o")));
}

TEST(List, UnreadableInputsAreTwo) {
  const auto outcome = run({"list", "no/such/file", sample("plain.o")});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_THAT(outcome.err, Says("no/such/file: cannot open: No such file"));
  EXPECT_THAT(outcome.out, StartsWith(sample("plain.o") + ": object"));
  EXPECT_THAT(run({"list", "no/such/file"}).out, IsEmpty());
}

TEST(List, FiltersTextAndJson) {
  const auto text = run({"list", sample("plain.o"), "--arch", "75", "--kernel", "*tile*"});
  EXPECT_EQ(text.code, 0);
  EXPECT_THAT(text.out, HasSubstr("1 module, 1 image, 2 kernels\n"));
  EXPECT_THAT(text.out, HasSubstr("  void tile<3>(float*, int)\n    sass  75 "));
  EXPECT_THAT(text.out, Not(HasSubstr("idle")));
  const auto document =
      json::parse(run({"list", sample("plain.o"), "--kind", "ptx", "--json"}).out);
  ASSERT_EQ(document.at("files").at(0).at("images").size(), 1U);
  EXPECT_EQ(document.at("files").at(0).at("images").at(0).at("kind"), "ptx");
  const auto nothing = run({"list", sample("plain.o"), "--arch", "90"});
  EXPECT_EQ(nothing.code, 0);
  EXPECT_THAT(nothing.out, StartsWith("nothing that was asked for: "));
  EXPECT_THAT(nothing.out, HasSubstr("\nthere are images of sass "));
}

TEST(List, NamesOfPtxBesideMachineCodeAreToldWhereTheyAreAskedFor) {
  EXPECT_THAT(run({"list", sample("plain.o"), "--names"}).out, Not(HasSubstr("compute_")));
  const auto by_kind = run({"list", sample("plain.o"), "--names", "--kind", "ptx"});
  EXPECT_THAT(by_kind.out, HasSubstr(" compute_"));
  EXPECT_THAT(by_kind.out, Not(HasSubstr(" sm_")));
  const auto document =
      json::parse(run({"list", sample("plain.o"), "--kind", "ptx", "--json"}).out);
  const auto arch = document.at("files").at(0).at("images").at(0).at("arch").get<std::string>();
  const auto by_arch = run({"list", sample("plain.o"), "--names", "--arch", "compute_" + arch});
  EXPECT_EQ(by_arch.out, by_kind.out);
}

TEST(List, HintsAtPatternsOfWholeNames) {
  for (const auto* view : {"--kernels", "--names", "--json"}) {
    const auto part = run({"list", sample("plain.o"), "--kernel", "tile", view});
    EXPECT_EQ(part.code, 0);
    EXPECT_THAT(part.err, Says("write --kernel '*tile*', which matches 2\n")) << view;
    EXPECT_THAT(run({"list", sample("plain.o"), "--kernel", "*tile*", view}).err, IsEmpty());
    EXPECT_THAT(run({"list", sample("plain.o"), "--kernel", "idle", view}).err, IsEmpty());
  }
  EXPECT_THAT(run({"list", sample("plain.o"), "--kernel", "ile*"}).err, Says("'*ile*'"));
  EXPECT_THAT(run({"list", sample("plain.o"), "--kernel", "nowhere"}).err, IsEmpty());
}

TEST(List, OrdersKernelsAndTakesTheFirst) {
  const auto outcome = run({"list", sample("plain.o"), "--sort", "shared", "--top", "1"});
  EXPECT_EQ(outcome.code, 0);
  EXPECT_THAT(outcome.out, HasSubstr("  void tile<3>(float*, int)\n"));
  EXPECT_THAT(outcome.out, HasSubstr("  ... and 4 more\n"));
}

TEST(List, ShortensNamesUnlessAllIsAskedFor) {
  const std::vector<std::string> shortened = {"list", sample("linked_ptx"), "--kernels"};
  auto full = shortened;
  full.emplace_back("--all");
  const std::string name = "memset_3d_device<unsigned long, 1, 1, 1>";
  EXPECT_THAT(run(shortened, "COLUMNS=60").out, HasSubstr("\n  " + name + "\n"));
  EXPECT_THAT(run(full, "COLUMNS=60").out,
              HasSubstr("\n  void " + name + "(MemsetParams<unsigned long>)\n"));
}

TEST(List, ShortensNoNamesInPipes) {
  const std::vector<std::string> sizes = {"list", sample("linked_ptx"), "--sizes"};
  const std::string name = "memcpy_3d_device<unsigned long, 0, 0, 0>";
  // In 80 columns there is no room for the parameters beside the bytes.
  EXPECT_THAT(run(sizes, "COLUMNS=80").out, HasSubstr("  " + name + "\n"));
  EXPECT_THAT(run(sizes, "env -u COLUMNS").out, HasSubstr("  void " + name + "("));
}

TEST(List, ShowsSizes) {
  const auto outcome = run({"list", sample("plain.o"), sample("linked"), "--sizes"});
  EXPECT_EQ(outcome.code, 0);
  for (const auto* title : {"by arch\n", "\nby kernel", "\nby library\n", "\n  rest "}) {
    EXPECT_THAT("\n" + outcome.out, HasSubstr(title));
  }
}

/// The reader finds exactly the compiler's machine code.
TEST(List, KnowsTheCodeOfKernels) {
  const auto document = json::parse(run({"list", sample("plain.o"), "--json"}).out);
  for (const auto& image : document.at("files").at(0).at("images")) {
    std::uint64_t code = 0;
    for (const auto& kernel : image.at("kernels")) {
      EXPECT_EQ(kernel.contains("code"), image.at("kind") == "sass");
      if (kernel.contains("code")) code += kernel.at("code").get<std::uint64_t>();
    }
    EXPECT_LE(code, image.at("bytes").get<std::uint64_t>());
  }
}

TEST(List, RefusesWhatItCannotDo) {
  const auto file = sample("plain.o");
  const std::vector<std::pair<std::vector<std::string>, std::string>> cases = {
      {{"--sort", "register"},
       "--sort: \"register\" is no order: write registers; the orders are name, "},
      {{"--kind", "cubin"}, "--kind: \"cubin\" is no kind: write sass, ptx, lto, tile"},
      {{"--arch", "sm_90x"}, "--arch: \"sm_90x\" is no arch of an image: write it as 90 or 90a"},
      {{"--sizes", "--sort", "stack"}, "--sort stack: orders kernels only: add --kernels"},
      {{"--json", "--top", "3"}, "--json: it has every image, kernel and size"},
      {{"--top", "0"}, "--top"},
  };
  for (const auto& [options, message] : cases) {
    std::vector<std::string> arguments = {"list", file};
    arguments.insert(arguments.end(), options.begin(), options.end());
    const auto outcome = run(arguments);
    EXPECT_EQ(outcome.code, 2) << message;
    EXPECT_THAT(outcome.err, Says(message));
    EXPECT_THAT(outcome.out, IsEmpty()) << message;
  }
}

TEST(Diff, OfAFileWithItselfIsZero) {
  const auto outcome = run({"diff", sample("plain.o"), sample("plain.o")});
  EXPECT_EQ(outcome.code, 0);
  EXPECT_THAT(outcome.out, HasSubstr("nothing lost: 5 kernels x "));
  EXPECT_THAT(outcome.err, IsEmpty());
  EXPECT_EQ(run({"diff", sample("plain.o"), sample("plain.o"), "--strict"}).code, 0);
}

TEST(Diff, LostCoverageIsOne) {
  const auto outcome = run({"diff", sample("plain.o"), sample("ptx.o"), "--devices", "7.5,8.0"});
  EXPECT_EQ(outcome.code, 1);
  EXPECT_THAT(outcome.out, HasSubstr("  coverage lost\n"));
  EXPECT_THAT(outcome.out, HasSubstr("native -> missing  7.5"));
  EXPECT_THAT(outcome.out, HasSubstr("native -> jit  8.0            5  idle and 4 more\n"));
  EXPECT_THAT(outcome.out,
              Says("\ndevices lost: 7.5; coverage lost: 3 kernels on 7.5; coverage degraded: 5 "
                   "kernels on 8.0 (of 5 kernels x 2 devices, 0 new, 0 gone, "))
      << "the bodies that are compiled out below 8.0 served nobody before";
  EXPECT_EQ(run({"diff", sample("ptx.o"), sample("plain.o"), "--devices", "7.5,8.0"}).code, 0);
}

TEST(Diff, KernelsThatAreGoneAreOneOnlyWhereStrict) {
  const std::vector<std::string> command = {"diff", sample("linked"), sample("first.o")};
  const auto outcome = run(command);
  EXPECT_EQ(outcome.code, 0) << outcome.out;
  EXPECT_THAT(outcome.out, HasSubstr("    gone        1  second\n"));
  auto strict = command;
  strict.emplace_back("--strict");
  EXPECT_EQ(run(strict).code, 1);
}

/// Returns the toolkits that compiled samples.
std::vector<std::string> toolkits() {
  std::vector<std::string> found;
  for (const auto* toolkit : {"11.8", "12.4", "13.0", "13.5"}) {
    if (fs::exists(sample("plain.o", toolkit))) found.emplace_back(toolkit);
  }
  return found;
}

TEST(Diff, OfTwoToolkitsFindsWhatTheNewerOneDropped) {
  const auto old_toolkit = toolkits().front();
  if (old_toolkit != "11.8" && old_toolkit != "12.4") GTEST_SKIP() << "no toolkit before 13";
  const std::vector<std::string> command = {"diff", sample("plain.o", old_toolkit),
                                            sample("plain.o"), "--devices", "6.0,7.5,8.0,9.0"};
  const auto outcome = run(command);
  EXPECT_EQ(outcome.code, 1);
  EXPECT_THAT(outcome.out, HasSubstr("native -> missing  6.0            3  idle and 2 more\n"));
  EXPECT_THAT(outcome.out, HasSubstr("CUDA     " + old_toolkit + "  13.5\n"));
  EXPECT_THAT(outcome.out, HasSubstr("    sass 60 "));
  EXPECT_THAT(outcome.out, HasSubstr("\ndevices lost: 6.0; coverage lost: 3 kernels on 6.0 (of "));
  auto with_driver = command;
  with_driver.insert(with_driver.end(), {"--driver", "580"});
  EXPECT_THAT(run(with_driver).out, HasSubstr("jit -> ptx-too-new  9.0"));
  auto without_loss = command;
  without_loss.back() = "7.5,8.0,9.0";
  EXPECT_EQ(run(without_loss).code, 0);
}

TEST(Diff, DeviceLinkedProgramsOfTwoToolkitsHaveTheSameKernels) {
  const auto outcome = run({"diff", sample("linked", toolkits().front()), sample("linked"),
                            "--devices", "8.0", "--strict"});
  EXPECT_EQ(outcome.code, 0) << outcome.out;
}

TEST(Diff, WhatCannotBeComparedIsTwo) {
  const auto unreadable = run({"diff", "no/such/file", sample("plain.o")});
  EXPECT_EQ(unreadable.code, 2);
  EXPECT_THAT(unreadable.err, Says("no/such/file: cannot open"));
  EXPECT_THAT(unreadable.out, HasSubstr("\nnothing compared: 1 error\n"));
  const auto cut = folder() / "cut" / "plain.o";
  write(cut, contents_of(sample("plain.o")).substr(0, 5000));
  const auto partly = run({"diff", sample("plain.o"), cut.string()});
  EXPECT_EQ(partly.code, 2);
  EXPECT_THAT(partly.err, Says("plain.o: "));
  EXPECT_THAT(partly.out, AnyOf(HasSubstr("nothing compared: "), HasSubstr("not whole, ")));
  EXPECT_THAT(partly.out, Not(HasSubstr("\nnothing lost")));
  const auto host = run({"diff", "/bin/sh", sample("plain.o")});
  EXPECT_EQ(host.code, 2);
  EXPECT_THAT(host.err, Says("/bin/sh: no device code, so nothing can be compared\n"));
  const auto strangers = run({"diff", sample("plain.o"), sample("first.o")});
  EXPECT_EQ(strangers.code, 2);
  EXPECT_THAT(strangers.err, Says("are they releases of one library?\n"));
  EXPECT_EQ(run({"diff", sample("plain.o"), "/bin/sh"}).code, 1) << "all of it is lost";
}

TEST(Diff, StrippedFatBinariesAreOne) {
  const auto outcome = run({"diff", sample("libsample.so"), sample("no_fatbin.so")});
  EXPECT_EQ(outcome.code, 1);
  EXPECT_THAT(outcome.out,
              HasSubstr("stripped: 2 fat binary containers registered but no longer in "
                        "the file"));
}

TEST(Diff, WritesJsonAndMarkdown) {
  const std::vector<std::string> command = {"diff", sample("plain.o"), sample("ptx.o")};
  auto with = command;
  with.emplace_back("--json");
  const auto outcome = run(with);
  EXPECT_EQ(outcome.code, 1);
  const auto document = json::parse(outcome.out);
  EXPECT_EQ(document.at("schema"), "archgrid.diff/1");
  EXPECT_EQ(document.at("lost"), true);
  EXPECT_EQ(document.at("names").at("_Z7guardedPf"), "guarded(float*)");
  with.back() = "--markdown=-";
  const auto page = run(with);
  EXPECT_EQ(page.code, 1);
  EXPECT_THAT(page.out, StartsWith("## devices lost: 7.5; coverage lost: "));
  EXPECT_THAT(page.out, HasSubstr("| `native -> jit` | "));
  with.emplace_back("--json");
  EXPECT_EQ(run(with).code, 2) << "both go to one place";
}

TEST(Diff, WritesFilesBesideItsText) {
  const auto page = folder() / "diff.md";
  const auto data = folder() / "diff.json";
  const auto outcome = run({"diff", sample("plain.o"), sample("ptx.o"), "--markdown", page.string(),
                            "--json=" + data.string()});
  EXPECT_EQ(outcome.code, 1);
  EXPECT_THAT(outcome.out, HasSubstr("native -> jit"));
  EXPECT_THAT(contents_of(page), StartsWith("## devices lost: 7.5; coverage lost: "));
  EXPECT_EQ(json::parse(contents_of(data)).at("schema"), "archgrid.diff/1");
  const auto nowhere = run({"diff", sample("plain.o"), sample("ptx.o"), "--markdown",
                            (folder() / "no" / "where").string()});
  EXPECT_EQ(nowhere.code, 2);
  EXPECT_THAT(nowhere.err, Says("make its folder first"));
  EXPECT_EQ(nowhere.out, "") << "told before anything is read";
}

/// Returns a cubin with a kernel whose name starts a line, where a GitHub runner reads it as a
/// command.
fs::path hostile_cubin() {
  auto text = contents_of(sample("sample.cubin"));
  const std::string name = "_Z7guardedPf";
  for (auto at = text.find(name); at != std::string::npos; at = text.find(name, at)) {
    text.replace(at, name.size(), "::error::abc");
  }
  const auto path = folder() / "hostile.cubin";
  write(path, text);
  return path;
}

bool has_command(const std::string& text) {
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    const auto word = line.find_first_not_of(" \t");
    if (word != std::string::npos && line.compare(word, 2, "::") == 0) return true;
  }
  return text.find("##[") != std::string::npos;
}

TEST(Runner, NamesOfFilesAndKernelsAreNoCommandsOfGitHub) {
  const auto path = hostile_cubin().string();
  EXPECT_THAT(run({"list", "--names", path}).out, HasSubstr("::error::abc sm_"));
  const std::string absent = (folder() / "x\n::error::y\n##[error]z").string();
  for (const auto& arguments :
       std::vector<std::vector<std::string>>{{"list", "--names", path},
                                             {"list", path},
                                             {"audit", path},
                                             {"audit", "--all", path},
                                             {"diff", path, path},
                                             {"diff", "--all", path, path},
                                             {"audit", absent},
                                             {"list", absent},
                                             {"suggest", "--from", absent}}) {
    const auto outcome = run(arguments, "GITHUB_ACTIONS=true");
    EXPECT_FALSE(has_command(outcome.out)) << arguments.front() << '\n' << outcome.out;
    EXPECT_FALSE(has_command(outcome.err)) << arguments.front() << '\n' << outcome.err;
  }
  EXPECT_THAT(run({"list", "--names", path}, "GITHUB_ACTIONS=true").out,
              HasSubstr(": :error::abc sm_"));
}

}  // namespace
}  // namespace archgrid::tests
