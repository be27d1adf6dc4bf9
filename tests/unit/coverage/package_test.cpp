// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests audits without a promise: whole files and packages, host code, ignores, promises that are
// not strict.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "packages.hpp"

namespace archgrid::tests {
namespace {

using coverage::Audit;
using coverage::HostCheck;
using coverage::State;
using coverage::Verdict;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::Pair;

TEST(Package, AFileThatIsLeftBehindIsAnError) {
  EXPECT_THAT(audit_package(package_with({sass("75"), sass("80"), sass("90")})).findings,
              IsEmpty());
  const auto result = audit_package(package_with({sass("75"), sass("80")}));
  EXPECT_THAT(texts_of(result.findings), ElementsAre("file-lacks-arch by left-behind: 2 on 9.0"));
  EXPECT_EQ(result.findings[0].path, "libsmall.so");
  EXPECT_EQ(result.findings[0].cause->of_kernels, 2U);
}

TEST(Package, AFileForNewerGpusAloneIsASuspect) {
  const auto result = audit_package(package_with({sass("80"), sass("90")}));
  EXPECT_THAT(result.findings, IsEmpty());
  EXPECT_THAT(texts_of(result.suspects), ElementsAre("file-lacks-arch by newer-gpus: 2 on 7.5"));
}

TEST(Package, AFileThatServesAGpuWithFewKernelsIsAnError) {
  auto files = package_with({sass("80"), sass("90")});
  add_module(files[1], {sass("75", {kernel("few")}), sass("80", {kernel("few")}),
                        sass("90", {kernel("few")})});
  EXPECT_THAT(texts_of(audit_package(files).findings),
              ElementsAre("file-lacks-arch by package: 2 on 7.5"));
}

TEST(Package, OfSeveralPackagesEachIsJudgedAlone) {
  auto files = package_with({sass("75"), sass("80")});
  files[0].path = "one.whl!" + files[0].path;
  files[1].path = "one.whl!" + files[1].path;
  EXPECT_THAT(audit_package(files).findings, testing::SizeIs(1));
  files[1].path = "two.whl!libsmall.so";
  EXPECT_THAT(audit_package(files).findings, IsEmpty());
}

TEST(Package, FilesOfTheSameKernelsAreChosenByHostCode) {
  std::vector<File> files = {file_of_many(9, {sass("75"), sass("80")}),
                             file_of_many(9, {sass("80"), sass("90")})};
  files[1].path = "libmany_cuda13.so";
  const auto result = audit_package(files);
  EXPECT_THAT(result.findings, IsEmpty());
  EXPECT_THAT(texts_of(result.suspects), ElementsAre("file-lacks-arch by variant: 9 on 9.0",
                                                     "file-lacks-arch by variant: 9 on 7.5"));
  EXPECT_EQ(text_of(result.devices), "7.5 8.0 8.6 8.9 9.0");
}

TEST(Package, IgnoresMatchKernels) {
  auto wanted = like_others();
  wanted.ignores.push_back({"--ignore forg*", "forg*", {}, "not shipped"});
  const auto file = file_with({sass("80", {kernel("forgotten"), kernel("other")})});
  const auto result = audit_one(file, wanted);
  EXPECT_THAT(texts_of(result.findings), ElementsAre("unit-lacks-arch by unit: 1 on 7.5"));
  ASSERT_EQ(result.ignored.size(), 1U);
  EXPECT_EQ(result.ignored[0].reason, "not shipped");
  EXPECT_EQ(result.ignored[0].finding.kernel, "forgotten");
  EXPECT_THAT(result.unused, IsEmpty());
  wanted.ignores[0].kernel = "nothing";
  EXPECT_EQ(audit_one(file, wanted).unused.size(), 1U);
}

TEST(Package, StrictCallsSuspectsErrors) {
  auto wanted = like_others();
  wanted.strict = true;
  auto file = file_of_many(3, {sass("80"), sass("90")});
  add_module(file, {sass("90a", {kernel("k")})});
  const auto result = audit_one(file, wanted);
  EXPECT_THAT(texts_of(result.findings),
              ElementsAre("unit-lacks-arch by suffix: 1 on 8.0 8.6 8.9"));
  EXPECT_THAT(result.suspects, IsEmpty());
  EXPECT_EQ(result.files.at(0).rows.at(0).fields.at(0).state, State::broken);
}

/// Audits a file against a promise for 7.5 and 8.0 that is not strict.
Audit audit_leniently(const File& file) {
  auto wanted = request({"7.5", "8.0"});
  wanted.promises[0].strict = false;
  return audit_one(file, wanted);
}

TEST(Package, OfAPromiseThatIsNotStrictABodyMayRefuseBesideOtherVariants) {
  auto file = file_with(refusing_on_75("_Z4tileIfEvPT_", Body::empty));
  EXPECT_EQ(audit_leniently(file).findings.size(), 1U) << "no variant works";
  add_module(file,
             {sass("75", {kernel("_Z4tileIdEvPT_")}), sass("80", {kernel("_Z4tileIdEvPT_")})});
  const auto result = audit_leniently(file);
  EXPECT_THAT(result.findings, IsEmpty());
  EXPECT_THAT(texts_of(result.suspects), ElementsAre("empty by sibling: 1 on 7.5"));
  EXPECT_EQ(audit_one(file, request({"7.5", "8.0"})).findings.size(), 1U)
      << "strict is the default";
}

TEST(Package, OfAPromiseThatIsNotStrictNamesAndSuffixesExplain) {
  const auto named = audit_leniently(file_with({sass("80", {kernel("_Z10gemm_sm80_Pf")})}));
  EXPECT_THAT(named.findings, IsEmpty());
  EXPECT_THAT(texts_of(named.suspects), ElementsAre("missing by named: 1 on 7.5"));
  const auto suffixed = audit_leniently(file_with({sass("90a", {kernel("k")})}));
  EXPECT_THAT(suffixed.findings, IsEmpty());
  EXPECT_THAT(texts_of(suffixed.suspects), ElementsAre("missing by suffix: 1 on 7.5 8.0"));
  EXPECT_EQ(audit_leniently(file_with({sass("80", {kernel("forgotten")})})).findings.size(), 1U);
}

TEST(Package, AStrictPromiseIsBrokenThoughAnotherIsNot) {
  auto wanted = request({"7.5", "8.0"});
  wanted.promises[0].strict = false;
  wanted.promises.push_back(promise({"7.5"}));
  const auto result = audit_one(file_with({sass("80", {kernel("_Z10gemm_sm80_Pf")})}), wanted);
  EXPECT_THAT(result.findings, Not(IsEmpty()));
  EXPECT_THAT(result.suspects, IsEmpty());
}

/// Returns the errors and suspects of a file with a forgotten unit of two variants of a kernel, if
/// host code answers like this.
std::string judged_with(const std::map<std::string, HostCheck>& checks, bool strict = false) {
  const std::string kOfFloat = "_Z4tileIfEvPT_";
  auto wanted = like_others();
  wanted.strict = strict;
  wanted.host_check = [&](const std::string& path, const std::string& kernel,
                          coverage::ComputeCapability failing,
                          const std::vector<coverage::ComputeCapability>& working) {
    EXPECT_EQ(path, "libmany.so");
    EXPECT_EQ(failing.text(), "7.5");
    EXPECT_THAT(text_of(working), HasSubstr("8.0 8.6"));
    return checks.at(kernel == kOfFloat ? "a" : "b");
  };
  const auto file =
      file_with({sass("80", {kernel(kOfFloat), kernel("_Z4tileIdEvPT_")})}, "forgotten.cu");
  const auto result = audit_one(file, wanted);
  for (const auto& row : result.files.at(0).rows) {
    const bool is_forgotten = row.kernel.name.str().starts_with("_Z4tile");
    if (!is_forgotten) continue;
    EXPECT_EQ(row.fields.at(0).state, result.findings.empty() ? State::suspect : State::broken);
  }
  std::string text;
  for (const auto& finding : texts_of(result.findings)) text += "error " + finding;
  for (const auto& finding : texts_of(result.suspects)) text += "suspect " + finding;
  return text;
}

TEST(Package, KernelsThatHostCodeDoesNotLaunchThereAreSuspects) {
  const std::string error = "error unit-lacks-arch by unit: 2 on 7.5";
  const std::string suspect = "suspect unit-lacks-arch by host-checks: 2 on 7.5";
  using enum HostCheck;
  EXPECT_EQ(judged_with({{"a", present}, {"b", present}}), suspect);
  EXPECT_EQ(judged_with({{"a", present}, {"b", unknown}}), suspect);
  EXPECT_EQ(judged_with({{"a", unknown}, {"b", unknown}}), error);
  EXPECT_EQ(judged_with({{"a", unreadable}, {"b", unreadable}}), error);
  EXPECT_EQ(judged_with({{"a", present}, {"b", absent}}), error);
  EXPECT_EQ(judged_with({{"a", present}, {"b", present}}, true), error) << "strict";
}

TEST(Package, KernelsThatSomeHostCodeLaunchesBehindACheckAreSuspects) {
  const std::string error = "error unit-lacks-arch by unit: 2 on 7.5";
  const std::string suspect = "suspect unit-lacks-arch by host-checks-in-part: 2 on 7.5";
  using enum HostCheck;
  EXPECT_EQ(judged_with({{"a", partial}, {"b", partial}}), suspect);
  EXPECT_EQ(judged_with({{"a", present}, {"b", partial}}), suspect);
  EXPECT_EQ(judged_with({{"a", partial}, {"b", absent}}), error) << "in any order";
  EXPECT_EQ(judged_with({{"a", absent}, {"b", partial}}), error);
  EXPECT_EQ(judged_with({{"a", partial}, {"b", partial}}, true), error) << "strict";
}

TEST(Package, HostCodeAnswersForEachGpuAndSourceFile) {
  auto file = file_of_many(5, {sass("70"), sass("75"), sass("80")});
  add_module(file, {sass("80", {kernel("a")})}).unit = "a.cu";
  add_module(file, {sass("80", {kernel("b")})}).unit = "b.cu";
  auto wanted = like_others();
  wanted.host_check = [](const std::string&, const std::string& kernel,
                         coverage::ComputeCapability failing,
                         const std::vector<coverage::ComputeCapability>&) {
    return kernel == "a" && failing == device("7.0") ? HostCheck::present : HostCheck::absent;
  };
  const auto result = audit_one(file, wanted);
  EXPECT_THAT(texts_of(result.findings), ElementsAre("unit-lacks-arch by unit: 1 on 7.5",
                                                     "unit-lacks-arch by unit: 1 on 7.0 7.5"));
  EXPECT_THAT(texts_of(result.suspects), ElementsAre("unit-lacks-arch by host-checks: 1 on 7.0"));
}

TEST(Package, AGpuInNoKnownProductHasNoColumnUnlessCodeIsForJustIt) {
  const auto devices_with = [](std::vector<Image> images) {
    return text_of(audit_one(file_of_many(3, std::move(images)), like_others()).devices);
  };
  EXPECT_EQ(devices_with({sass("86")}), "8.6 8.9");
  EXPECT_EQ(devices_with({sass("86"), sass("88")}), "8.6 8.8 8.9");
  auto wanted = like_others();
  wanted.devices = {device("8.8")};
  EXPECT_EQ(text_of(audit_one(file_of_many(3, {sass("86")}), wanted).devices), "8.8");
}

/// Audits a package of two files with one kernel that 7.5 lacks; `first` and `second` are the
/// answers of their host code.
Audit audit_of_two(HostCheck first, HostCheck second) {
  std::vector<File> files;
  for (const auto* name : {"some.whl!a.dll", "some.whl!b.so"}) {
    auto file = file_of_many(5, {sass("75"), sass("80")});
    add_module(file, {sass("80", {kernel("odd")})}).unit = "odd.cu";
    file.path = name;
    files.push_back(std::move(file));
  }
  auto wanted = like_others();
  wanted.host_check = [=](const std::string& path, const std::string&, coverage::ComputeCapability,
                          const std::vector<coverage::ComputeCapability>&) {
    return path == "some.whl!b.so" ? second : first;
  };
  return coverage::audit(std::move(files), wanted);
}

TEST(Package, HostCodeThatIsNotFollowedIsJudgedByTheFileBeside) {
  const std::string suspect = "unit-lacks-arch by host-checks: 1 on 7.5";
  const std::string error = "unit-lacks-arch by unit: 1 on 7.5";
  using enum HostCheck;
  EXPECT_THAT(texts_of(audit_of_two(unreadable, present).suspects), ElementsAre(suspect, suspect));
  EXPECT_THAT(texts_of(audit_of_two(unreadable, present).findings), IsEmpty());
  for (const auto second : {absent, unknown, unreadable}) {
    EXPECT_THAT(texts_of(audit_of_two(unreadable, second).findings), ElementsAre(error, error));
  }
  EXPECT_THAT(texts_of(audit_of_two(unknown, present).findings), ElementsAre(error));
}

TEST(Package, GpusOfArmBoardsAreNotOfX86Files) {
  auto file = file_of({sass("87"), sass("90"), sass("110"), sass("120"), sass("121")});
  const auto devices = [&](const char* cpu) {
    file.host_cpu = cpu;
    return text_of(audit_one(file, like_others()).devices);
  };
  EXPECT_EQ(devices("aarch64"), "8.7 9.0 11.0 12.0 12.1");
  EXPECT_EQ(devices("x86-64"), "9.0 12.0");
  EXPECT_EQ(devices(""), "8.7 9.0 11.0 12.0 12.1") << "device code alone";
  file.host_cpu = "x86-64";
  auto asked = like_others();
  asked.devices = {device("8.7"), device("9.0")};
  EXPECT_EQ(text_of(audit_one(file, asked).devices), "8.7 9.0");
}

TEST(Package, HalfIsNotMost) {
  auto file = file_of_many(2, {sass("75"), sass("80")});
  add_module(file, {sass("80", {kernel("a")})});
  add_module(file, {sass("80", {kernel("b")})});
  const auto result = audit_one(file, like_others());
  EXPECT_TRUE(result.findings.empty());
  EXPECT_EQ(text_of(result.devices), "8.0 8.6 8.9");
}

TEST(Package, WhereFewRunIsSaidToBeNotJudged) {
  auto file = file_of_many(2, {sass("80")});
  EXPECT_THAT(audit_one(file, like_others()).unjudged, IsEmpty());
  add_module(file, {sass("80", {kernel("a")}), sass("90", {kernel("a")})});
  const auto result = audit_one(file, like_others());
  EXPECT_TRUE(result.findings.empty());
  EXPECT_THAT(result.unjudged, ElementsAre(Pair(file.path, ElementsAre(device("9.0")))));
  const auto found = std::find_if(result.notes.begin(), result.notes.end(),
                                  [](const auto& note) { return note.code == "served-in-part"; });
  ASSERT_NE(found, result.notes.end());
  EXPECT_EQ(report::message_of(*found),
            "not judged, as no more than half of its 3 kernels are native or compatible there: "
            "9.0 (1)");
}

TEST(Package, GpusBetweenServedOnesAreNamed) {
  const auto between = [](const File& file) {
    std::string gpus;
    for (const auto& note : audit_one(file, like_others()).notes) {
      if (note.code == "gpus-between") gpus += note.facts.at("gpus");
    }
    return gpus;
  };
  EXPECT_EQ(between(file_of({sass("80"), sass("90"), sass("120")})), "10.0, 10.3, 10.7");
  EXPECT_EQ(between(file_of({sass("80"), sass("120")})), "9.0, 10.0, 10.3, 10.7");
  EXPECT_EQ(between(file_of({sass("80"), sass("90"), sass("100"), sass("120")})), "");
  EXPECT_EQ(between(file_of({sass("80"), sass("90"), ptx("90"), sass("120")})), "") << "PTX";
  EXPECT_EQ(between(file_of({sass("80"), sass("90")})), "") << "newer ones have a note";
}

TEST(Package, AGpuOfTheBaselineIsLostWhereMostKernelsRanAndDoNot) {
  auto with_baseline = like_others();
  auto& baseline = with_baseline.baseline.emplace();
  baseline.path = "old.json";
  for (const char* name : {"a", "b", "c"}) {
    for (const char* gpu : {"7.5", "8.0", "9.0"}) {
      const bool ran = gpu != std::string("9.0") || name == std::string("a");
      baseline.files["\nlibx.so"][name][device(gpu)] = ran ? Verdict::native : Verdict::missing;
    }
  }
  const auto lost_by = [&](const std::vector<std::string>& archs, const std::string& path) {
    std::vector<Image> images;
    for (const auto& arch : archs) images.push_back(sass(arch, {kernel("a"), kernel("b")}));
    auto file = file_of(std::move(images));
    file.path = path;
    std::string lost;
    for (const auto& finding : audit_one(file, with_baseline).findings) {
      if (finding.code == "gpu-lost") lost += text_of(finding.devices);
    }
    return lost;
  };
  EXPECT_EQ(lost_by({"80"}, "libx.so"), "7.5");
  EXPECT_EQ(lost_by({"75", "80"}, "libx.so"), "");
  EXPECT_EQ(lost_by({"90"}, "libx.so"), "7.5 8.0");
  EXPECT_EQ(lost_by({"80"}, "liby.so"), "") << "the baseline is of another file";
  EXPECT_EQ(lost_by({"80"}, "new.whl!libx.so"), "7.5");
  baseline.files["\nlibgone.so"]["d"] = {{device("5.0"), Verdict::native}};
  for (const char* name : {"e", "f", "g"}) {
    baseline.files["\nlibgone.so"][name] = {{device("5.0"), Verdict::native}};
  }
  baseline.packages = {{"\nlibx.so", "\nx.whl"}, {"\nlibgone.so", "\nx.whl"}};
  EXPECT_EQ(lost_by({"75", "80"}, "x-2.whl!libx.so"), "5.0") << "its file is gone";
  // A few of its kernels ran on 5.0, but all of one of its files.
  for (int count = 0; count < 9; ++count) {
    baseline.files["\nlibx.so"][std::to_string(count)][device("8.0")] = Verdict::native;
  }
  EXPECT_EQ(lost_by({"80"}, "x-2.whl!libx.so"), "5.0");
  EXPECT_EQ(lost_by({"50", "80"}, "x-2.whl!libx.so"), "") << "some file serves it";
  const auto packages = baseline.packages;
  baseline.packages = {{"\nlibx.so", "\nx-cp311-cp311-linux.whl"},
                       {"\nlibgone.so", "\nx-cp311-cp311-linux.whl"}};
  EXPECT_EQ(lost_by({"80"}, "x-2-cp38-abi3-linux.whl!_C.abi3.so"), "5.0")
      << "no file has its name any more";
  EXPECT_EQ(lost_by({"80"}, "xy-2-cp38-abi3-linux.whl!_C.abi3.so"), "") << "another project";
  baseline.packages = packages;
  baseline.files["\nlibnccl.so.2"]["n"] = {{device("6.0"), Verdict::native}};
  baseline.packages["\nlibnccl.so.2"] = "\nx.whl";
  EXPECT_EQ(lost_by({"80"}, "x-2.whl!libx.so"), "5.0") << "a library of NVIDIA is not its own";
  baseline.packages.clear();
  with_baseline.devices = {device("8.0")};
  EXPECT_EQ(lost_by({"80"}, "libx.so"), "") << "nobody asks about 7.5";
}

/// Returns a baseline in which the kernels a and b of libx.so ran on 7.5 and 8.0.
coverage::Baseline baseline_of_two() {
  coverage::Baseline baseline;
  baseline.path = "old.json";
  for (const char* name : {"a", "b"}) {
    for (const char* gpu : {"7.5", "8.0"}) {
      baseline.files["\nlibx.so"][name][device(gpu)] = Verdict::native;
    }
  }
  return baseline;
}

TEST(Package, ALostGpuThatIsNotJudgedIsNoted) {
  const auto noted = [](const std::vector<Image>& images, coverage::Request wanted) {
    wanted.baseline = baseline_of_two();
    auto file = file_of(images);
    file.path = "libx.so";
    std::vector<std::string> gpus;
    for (const auto& note : audit_one(file, wanted).notes) {
      if (note.code == "lost-unjudged") gpus.push_back(note.facts.at("gpus"));
    }
    return gpus;
  };
  const std::vector<Image> newer = {sass("80", {kernel("a"), kernel("b")})};
  auto asked = like_others();
  asked.devices = {device("8.0")};
  EXPECT_THAT(noted(newer, request({"8.0"})), ElementsAre("7.5"));
  EXPECT_THAT(noted(newer, asked), ElementsAre("7.5"));
  EXPECT_THAT(noted(newer, request({"7.5", "8.0"})), IsEmpty()) << "the promise judges it";
  EXPECT_THAT(noted(newer, like_others()), IsEmpty()) << "gpu-lost says it";
  const std::vector<Image> both = {sass("75", {kernel("a")}), sass("80", {kernel("a")})};
  EXPECT_THAT(noted(both, request({"8.0"})), IsEmpty());
}

TEST(Package, NoKernelIsAnErrorIfTheBaselineHadSome) {
  auto wanted = like_others();
  EXPECT_THAT(audit_one(file_of({}), wanted).findings, IsEmpty());
  wanted.baseline = baseline_of_two();
  const auto findings = audit_one(file_of({}), wanted).findings;
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings.front().code, "no-device-code");
}

/// Returns "gpu-lost 7.5; gpu-degraded 9.0" for a new libx.so with kernels a and b, if the old one
/// had the verdicts for its kernels, and by PTX served the GPUs of `by_ptx`.
std::string changes_since(const std::map<std::string, coverage::Verdict>& verdicts,
                          const std::vector<std::string>& by_ptx, std::vector<Image> images,
                          const std::vector<std::string>& asked = {}) {
  auto wanted = like_others();
  for (const auto& gpu : asked) wanted.devices.push_back(device(gpu));
  auto& baseline = wanted.baseline.emplace();
  baseline.path = "old.json";
  for (const char* name : {"a", "b"}) {
    auto& kernel = baseline.files["\nlibx.so"][name];
    for (const auto& [gpu, verdict] : verdicts) kernel[device(gpu)] = verdict;
  }
  for (const auto& gpu : by_ptx) baseline.by_ptx["\nlibx.so"].push_back(device(gpu));
  for (auto& image : images) image.kernels = {kernel("a"), kernel("b")};
  auto file = file_of(std::move(images));
  file.path = "libx.so";
  std::string changes;
  for (const auto& finding : audit_one(file, wanted).findings) {
    if (!finding.code.starts_with("gpu-")) continue;
    changes += (changes.empty() ? "" : "; ") + finding.code + " " + text_of(finding.devices);
  }
  return changes;
}

TEST(Package, AGpuOfTheBaselineIsDegradedWherePtxServesItNow) {
  using coverage::Verdict;
  const std::map<std::string, Verdict> both = {{"8.0", Verdict::native}, {"9.0", Verdict::native}};
  EXPECT_EQ(changes_since(both, {}, {sass("80"), ptx("80")}), "gpu-degraded 9.0");
  EXPECT_EQ(changes_since(both, {}, {ptx("80")}), "gpu-degraded 8.0 9.0");
  EXPECT_EQ(changes_since(both, {}, {sass("90"), ptx("90")}), "gpu-lost 8.0");
  EXPECT_EQ(changes_since(both, {}, {sass("80"), sass("90")}), "");
  EXPECT_EQ(
      changes_since({{"8.0", Verdict::native}, {"9.0", Verdict::jit}}, {}, {sass("80"), ptx("80")}),
      "")
      << "it was so";
  EXPECT_EQ(changes_since(both, {}, {sass("80"), ptx("80")}, {"9.0"}), "gpu-degraded 9.0");
  EXPECT_EQ(changes_since(both, {}, {sass("80"), ptx("80")}, {"8.0"}), "") << "nobody asks";
}

TEST(Package, LossesAreJudgedForTheDriverOfTheBaseline) {
  const auto codes = [](const std::string& old_driver, const std::string& new_driver,
                        const std::string& isa) {
    auto wanted = like_others();
    wanted.baseline.emplace().path = "old.json";
    wanted.baseline->files["\nlibx.so"]["k"][device("8.0")] = coverage::Verdict::native;
    if (old_driver.empty()) wanted.baseline->by_ptx["\nlibx.so"] = {device("9.0")};
    if (!old_driver.empty()) wanted.baseline->driver = coverage::parse_driver(old_driver);
    if (!new_driver.empty()) wanted.driver = coverage::parse_driver(new_driver);
    const auto result = audit_one(file_of({sass("80"), ptx("80", isa)}), wanted);
    std::string text;
    for (const auto& finding : result.findings) text += finding.code + " ";
    for (const auto& note : result.notes) {
      if (note.code.starts_with("baseline-")) text += report::message_of(note);
    }
    return text;
  };
  EXPECT_EQ(codes("", "", "8.7"), "");
  EXPECT_EQ(codes("", "525", "8.7"),
            "old.json was written without --driver, and this audit is with --driver 525: GPUs lost "
            "are judged as there, and errors about the driver count as new");
  EXPECT_THAT(codes("525", "", "8.7"),
              testing::StartsWith("old.json was written with --driver 525, "
                                  "and this audit is without --driver"));
  EXPECT_EQ(codes("525", "525", "8.7"), "");
  auto lost = like_others();
  lost.driver = coverage::parse_driver("570");
  lost.baseline.emplace().files["\nlibx.so"]["k"][device("9.0")] = coverage::Verdict::native;
  EXPECT_THAT(audit_one(file_of({sass("80")}), lost).findings, testing::SizeIs(1))
      << "a loss is one for any driver";
}

TEST(Package, AGpuThatPtxServedInTheBaselineIsLost) {
  using coverage::Verdict;
  const std::map<std::string, Verdict> old = {{"8.0", Verdict::native}};
  EXPECT_EQ(changes_since(old, {"9.0", "12.0"}, {sass("80")}), "gpu-lost 9.0 12.0");
  EXPECT_EQ(changes_since(old, {"9.0", "12.0"}, {sass("80"), sass("90")}), "gpu-lost 12.0");
  EXPECT_EQ(changes_since(old, {"9.0", "12.0"}, {sass("80"), ptx("90")}), "");
  EXPECT_EQ(changes_since({{"8.0", Verdict::native}, {"9.0", Verdict::jit}}, {}, {sass("80")}),
            "gpu-lost 9.0")
      << "another file made it a GPU of the audit";
}

TEST(Package, GpusThatPtxServesBeyondTheMapAreListed) {
  const auto by_ptx = [](std::vector<Image> images, const coverage::Request& wanted) {
    return text_of(audit_one(file_of(std::move(images)), wanted).files.front().by_ptx);
  };
  EXPECT_EQ(by_ptx({sass("80"), sass("90"), ptx("90")}, like_others()),
            "10.0 10.1 10.3 10.7 11.0 12.0 12.1");
  EXPECT_EQ(by_ptx({sass("80"), sass("90")}, like_others()), "");
  EXPECT_EQ(by_ptx({ptx("100")}, like_others()), "10.0 10.1 10.3 10.7 11.0 12.0 12.1")
      << "no map at all";
  auto asked = like_others();
  asked.devices = {device("8.0")};
  EXPECT_EQ(by_ptx({sass("80"), ptx("90")}, asked), "") << "a question is about its GPUs";
  auto few = file_of_many(3, {sass("80")});
  add_module(few, {ptx("90")});
  EXPECT_THAT(audit_one(few, like_others()).files.front().by_ptx, IsEmpty()) << "one kernel of 4";
}

TEST(Package, NothingToJudgeIsNoError) {
  const auto says = [](const Audit& audit, const std::string& code) {
    return std::any_of(audit.notes.begin(), audit.notes.end(),
                       [&](const auto& note) { return note.code == code; });
  };
  const auto ptx_alone = audit_one(file_of({ptx("80")}), like_others());
  EXPECT_THAT(ptx_alone.findings, IsEmpty());
  EXPECT_TRUE(says(ptx_alone, "nothing-judged"));
  const auto nothing = coverage::audit({}, like_others());
  EXPECT_THAT(nothing.findings, IsEmpty());
  EXPECT_TRUE(says(nothing, "no-device-code"));
  auto asked = like_others();
  asked.devices = {device("9.0")};
  const auto unanswered = coverage::audit({}, asked);
  EXPECT_THAT(unanswered.findings, testing::SizeIs(1));
  EXPECT_EQ(unanswered.answers.at(device("9.0")), coverage::Answer::unknown);
  File compiling;
  compiling.path = "x.whl!a/libc.so";
  compiling.loaders = {"libnvrtc.so.12", "nvrtcCompileProgram"};
  const auto unseen = audit_one(compiling, asked);
  EXPECT_EQ(unseen.answers.at(device("9.0")), coverage::Answer::unknown);
  EXPECT_EQ(report::message_of(unseen.findings.at(0)),
            "no kernel was found: libc.so compiles kernels at run time (nvrtcCompileProgram), "
            "which are not in the file");
  coverage::add_claim("x.whl!x/a.cu", "", asked.claims);
  EXPECT_EQ(report::message_of(audit_one(File(), asked).findings.at(0)),
            "no kernel was found: it has 1 CUDA source, compiled where it is installed");
  coverage::add_claim("x.whl!x/csrc/b.cu", "", asked.claims);
  EXPECT_THAT(report::message_of(audit_one(File(), asked).findings.at(0)),
              testing::HasSubstr(" it has 2 CUDA sources, "));
  auto with_jit = like_others();
  with_jit.accept_without_promise->insert(Verdict::jit);
  EXPECT_TRUE(audit_one(file_of({ptx("80")}), with_jit).findings.empty());
}

}  // namespace
}  // namespace archgrid::tests
