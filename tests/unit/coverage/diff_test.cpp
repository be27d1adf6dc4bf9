// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <archgrid/words.hpp>

#include "files.hpp"

namespace archgrid::tests {
namespace {

using coverage::Diff;
using coverage::FileDiff;
using coverage::Release;
using coverage::Resource;
using coverage::Turn;
using coverage::Verdict;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

Diff compare(File before, File after, const std::vector<std::string>& devices = {"8.0", "9.0"},
             const std::string& driver = "") {
  coverage::DiffRequest request;
  for (const auto& text : devices) request.devices.push_back(device(text));
  if (!driver.empty()) request.driver = coverage::parse_driver(driver);
  Release old_release{before.path, {}};
  old_release.files.push_back(std::move(before));
  Release new_release{after.path, {}};
  new_release.files.push_back(std::move(after));
  return coverage::diff(old_release, new_release, request);
}

FileDiff only_file(const Diff& diff) {
  EXPECT_EQ(diff.files.size(), 1U);
  return diff.files.at(0);
}

bool is_lost(const Diff& diff, bool strict = false) {
  return coverage::is_lost(coverage::totals_of(diff), strict);
}

/// Returns "lost native missing 9.0: k".
std::vector<std::string> changes_of(const Diff& diff) {
  std::vector<std::string> texts;
  for (const auto& change : only_file(diff).coverage) {
    std::string text = coverage::name_of(change.turn);
    text += std::string(" ") + coverage::name_of(change.before);
    text += std::string(" ") + coverage::name_of(change.after);
    for (const auto where : change.devices) text += " " + where.text();
    text += ":";
    for (const auto& name : change.kernels) text += " " + name;
    texts.push_back(text);
  }
  return texts;
}

TEST(Diff, OfTheSameFileIsNone) {
  const auto file = file_of({sass("80"), sass("90"), ptx("90")});
  const auto diff = compare(file, file);
  EXPECT_FALSE(only_file(diff).changed());
  EXPECT_FALSE(is_lost(diff));
  EXPECT_FALSE(is_lost(diff, true));
  EXPECT_EQ(coverage::totals_of(diff).compared, 1U);
  EXPECT_THAT(diff.errors, IsEmpty());
}

TEST(Diff, CoverageIsLostWhereAnArchIs) {
  const std::vector<fatbin::Kernel> kernels = {kernel("a"), kernel("b")};
  const auto diff = compare(file_of({sass("80", kernels), sass("90", kernels)}),
                            file_of({sass("80", kernels), sass("90", {kernel("b")})}));
  EXPECT_THAT(changes_of(diff), ElementsAre("lost native missing 9.0: a"));
  EXPECT_EQ(only_file(diff).coverage[0].reason.why, coverage::Why::lacking);
  EXPECT_TRUE(is_lost(diff));
}

TEST(Diff, CoverageIsGainedWhereAnArchIs) {
  const auto diff = compare(file_of({sass("80")}), file_of({sass("80"), sass("90")}));
  EXPECT_THAT(changes_of(diff), ElementsAre("gained missing native 9.0: k"));
  EXPECT_FALSE(is_lost(diff, true));
}

TEST(Diff, JitInsteadOfNativeIsDegraded) {
  const auto diff = compare(file_of({sass("80"), sass("90")}), file_of({sass("80"), ptx("80")}));
  EXPECT_THAT(changes_of(diff), ElementsAre("degraded native jit 9.0: k"));
  EXPECT_TRUE(is_lost(diff));
  EXPECT_THAT(
      changes_of(compare(file_of({sass("80"), ptx("80")}), file_of({sass("80"), sass("90")}))),
      ElementsAre("improved jit native 9.0: k"));
}

TEST(Diff, CompatibleInsteadOfNativeIsNoLoss) {
  const auto diff =
      compare(file_of({sass("80"), sass("86")}), file_of({sass("80")}), {"8.0", "8.6"});
  EXPECT_THAT(changes_of(diff), ElementsAre("other native compatible 8.6: k"));
  EXPECT_FALSE(is_lost(diff, true));
}

TEST(Diff, ABodyThatIsNowCompiledOutIsLost) {
  const auto diff = compare(file_of({sass("80"), sass("90")}),
                            file_of({sass("80"), sass("90", {kernel("k", Body::empty)})}));
  EXPECT_THAT(changes_of(diff), ElementsAre("lost native empty 9.0: k"));
}

TEST(Diff, APtxIsaThatTheDriverDoesNotReadIsLost) {
  const auto before = file_of({ptx("80", "8.4")});
  const auto after = file_of({ptx("80", "9.5")});
  EXPECT_THAT(changes_of(compare(before, after, {"9.0"}, "580")),
              ElementsAre("lost jit ptx-too-new 9.0: k"));
  const auto diff = compare(before, after, {"9.0"});
  EXPECT_THAT(changes_of(diff), IsEmpty()) << "any driver might be meant";
  EXPECT_TRUE(only_file(diff).changed());
  EXPECT_THAT(only_file(diff).before.ptx_isas, ElementsAre("8.4"));
  EXPECT_THAT(only_file(diff).after.ptx_isas, ElementsAre("9.5"));
}

TEST(Diff, TurnsAreByWorth) {
  EXPECT_EQ(coverage::turn_of(Verdict::jit, Verdict::missing), Turn::lost);
  EXPECT_EQ(coverage::turn_of(Verdict::compatible, Verdict::wrong_suffix), Turn::lost);
  EXPECT_EQ(coverage::turn_of(Verdict::jit, Verdict::unknown), Turn::degraded);
  EXPECT_EQ(coverage::turn_of(Verdict::unknown, Verdict::missing), Turn::degraded);
  EXPECT_EQ(coverage::turn_of(Verdict::missing, Verdict::unknown), Turn::improved);
  EXPECT_EQ(coverage::turn_of(Verdict::empty, Verdict::jit), Turn::gained);
  EXPECT_EQ(coverage::turn_of(Verdict::missing, Verdict::wrong_suffix), Turn::other);
}

TEST(Diff, KernelsThatChangeAlikeAreTogether) {
  std::vector<fatbin::Kernel> kernels;
  for (int index = 0; index < 100; ++index) kernels.push_back(kernel("k" + std::to_string(index)));
  const auto diff =
      compare(file_of({sass("80", kernels), sass("90", kernels)}), file_of({sass("80", kernels)}));
  ASSERT_EQ(only_file(diff).coverage.size(), 1U);
  EXPECT_EQ(only_file(diff).coverage[0].kernels.size(), 100U);
  EXPECT_EQ(coverage::totals_of(diff).turns.at(Turn::lost).kernels, 100U);
}

TEST(Diff, KernelsThatAreGoneAreALossOnlyWhereStrict) {
  const auto diff = compare(file_of({sass("80", {kernel("a"), kernel("b")})}),
                            file_of({sass("80", {kernel("b"), kernel("c")})}), {"8.0"});
  EXPECT_THAT(only_file(diff).gone, ElementsAre("a"));
  EXPECT_THAT(only_file(diff).added, ElementsAre("c"));
  EXPECT_FALSE(is_lost(diff));
  EXPECT_TRUE(is_lost(diff, true));
}

TEST(Diff, NoKernelLeftIsALoss) {
  File host;
  host.path = "libx.so";
  const auto diff = compare(file_of({sass("80")}), host);
  EXPECT_TRUE(coverage::totals_of(diff).all_gone);
  EXPECT_TRUE(is_lost(diff));
}

TEST(Diff, AFatBinaryThatIsStrippedIsALoss) {
  auto stripped = file_of({sass("80")});
  stripped.dangling = {0x40};
  EXPECT_TRUE(is_lost(compare(file_of({sass("80")}), stripped)));
  EXPECT_FALSE(is_lost(compare(stripped, stripped))) << "it was so before";
}

TEST(Diff, KernelsWithInternalLinkageAreTheSameDespiteTheirHashes) {
  const std::string old_name = "_ZN39_GLOBAL__N__0cd80813_9_sample_cu__Z1fPf4anonEPf";
  const std::string new_name = "_ZN39_GLOBAL__N__c21eeec3_9_sample_cu__Z1fPf4anonEPf";
  const auto before = file_of({sass("80", {kernel(old_name)}), sass("90", {kernel(old_name)})});
  const auto diff = compare(before, file_of({sass("80", {kernel(new_name)})}));
  EXPECT_THAT(only_file(diff).gone, IsEmpty());
  EXPECT_THAT(changes_of(diff), ElementsAre("lost native missing 9.0: " + new_name));
  const auto other = compare(before, file_of({sass("80", {kernel("_Z4anonPf")})}));
  EXPECT_THAT(only_file(other).gone, ElementsAre(old_name));
  const std::string third = "_ZN39_GLOBAL__N__00000000_9_sample_cu__Z1fPf4anonEPf";
  const auto unclear = compare(before, file_of({sass("80", {kernel(new_name), kernel(third)})}));
  EXPECT_THAT(only_file(unclear).gone, ElementsAre(old_name)) << "either might be it";
  EXPECT_EQ(only_file(unclear).added.size(), 2U);
}

TEST(Diff, KernelsOfCcclAreTheSameDespiteTheirVersionAndArchs) {
  const auto named = [](const std::string& space) {
    return "_ZN3cub" + std::to_string(space.size()) + space + "6detail4scan6kernelIfEEvPT_";
  };
  const auto old_name = named("CUB_200301_500_600_800_900_NS");
  const auto new_name = named("CUB_300102_SM_800");
  const auto before = file_of({sass("80", {kernel(old_name)}), sass("90", {kernel(old_name)})});
  const auto diff = compare(before, file_of({sass("80", {kernel(new_name)})}));
  EXPECT_THAT(only_file(diff).gone, IsEmpty());
  EXPECT_THAT(only_file(diff).added, IsEmpty());
  EXPECT_THAT(changes_of(diff), ElementsAre("lost native missing 9.0: " + new_name));
  const std::string thrust = "_ZN6thrust24THRUST_200301_500_600_NS4fillEPf";
  const std::string same_thrust = "_ZN6thrust22THRUST_300102_SM_90_NS4fillEPf";
  EXPECT_THAT(only_file(compare(file_of({sass("80", {kernel(thrust)})}),
                                file_of({sass("80", {kernel(same_thrust)})})))
                  .gone,
              IsEmpty());
}

TEST(Diff, KernelsThatOnlySpeakOfCubAreNoOthers) {
  for (const std::string name :
       {"_Z9CUB_2testPf", "_ZN99CUB_200301_NS1kEPf", "CUB_2", "7CUB_", "_Z5CUB_1Pf"}) {
    const auto diff =
        compare(file_of({sass("80", {kernel(name)})}), file_of({sass("80", {kernel("_Z1kPf")})}));
    EXPECT_THAT(only_file(diff).gone, ElementsAre(name));
  }
}

TEST(Diff, ModulesWhoseKernelsHaveNoNamesAreCountedNotCompared) {
  const auto diff = compare(file_of({lto("80")}), file_of({lto("80")}));
  EXPECT_EQ(only_file(diff).before.unnamed, 1U);
  EXPECT_EQ(coverage::totals_of(diff).compared, 0U);
}

fatbin::Kernel taking(std::uint32_t registers, std::optional<std::uint32_t> spilled) {
  auto result = kernel("k");
  result.registers = registers;
  result.stack = 0;
  result.shared = 1024;
  result.spill_stores = spilled;
  result.spill_loads = spilled;
  return result;
}

TEST(Diff, ResourcesAreComparedByArch) {
  const auto diff = compare(file_of({sass("80", {taking(32, 0)}), sass("90", {taking(40, 4)})}),
                            file_of({sass("80", {taking(32, 0)}), sass("90", {taking(64, 0)})}));
  const auto changes = only_file(diff).resources;
  ASSERT_EQ(changes.size(), 2U);
  EXPECT_EQ(changes[0].resource, Resource::registers);
  EXPECT_EQ(changes[0].arch.text(), "90");
  EXPECT_EQ(changes[0].before, 40U);
  EXPECT_EQ(changes[0].after, 64U);
  EXPECT_EQ(changes[1].resource, Resource::spills);
  EXPECT_EQ(changes[1].before, 8U);
  EXPECT_EQ(changes[1].after, 0U);
  EXPECT_FALSE(is_lost(diff, true));
}

fatbin::Kernel identified(const std::string& name, const std::string& identity) {
  auto result = kernel(name);
  result.identity = identity;
  return result;
}

TEST(Diff, CodeIsComparedByTheDeviceThatExecutesIt) {
  const auto diff = compare(file_of({sass("80", {identified("k", "1"), identified("m", "2")}),
                                     sass("90", {identified("k", "3"), identified("m", "4")})}),
                            file_of({sass("80", {identified("k", "1"), identified("m", "2")}),
                                     sass("90", {identified("k", "5"), identified("m", "4")})}),
                            {"8.0", "8.6", "9.0"});
  const auto code = only_file(diff).code;
  ASSERT_EQ(code.size(), 2U);
  EXPECT_THAT(code[0].devices, ElementsAre(device("8.0"), device("8.6")));
  EXPECT_EQ(code[0].unchanged, 2U);
  EXPECT_THAT(code[0].changed, IsEmpty());
  EXPECT_THAT(code[1].devices, ElementsAre(device("9.0")));
  EXPECT_EQ(code[1].unchanged, 1U);
  EXPECT_THAT(code[1].changed, ElementsAre("k"));
  EXPECT_TRUE(only_file(diff).changed());
  EXPECT_FALSE(is_lost(diff, true));
}

TEST(Diff, CodeWithoutIdentityIsUnknown) {
  const auto diff = compare(file_of({sass("80", {identified("k", "")})}),
                            file_of({sass("80", {identified("k", "1")})}), {"8.0"});
  EXPECT_THAT(only_file(diff).code, IsEmpty());
  EXPECT_EQ(only_file(diff).unknown_code, 1U);
  EXPECT_FALSE(only_file(diff).changed());
}

TEST(Diff, SpillsThatOneSideDoesNotRecordAreUnknown) {
  const auto diff = compare(file_of({sass("80", {taking(32, std::nullopt)})}),
                            file_of({sass("80", {taking(32, 8)})}));
  EXPECT_THAT(only_file(diff).resources, IsEmpty());
  EXPECT_EQ(only_file(diff).unknown_spills, 1U);
}

TEST(Diff, OfSeveralBodiesForAnArchTheMostCounts) {
  auto before = file_of({sass("80", {taking(32, 0)})});
  add_module(before, {sass("80", {taking(48, 0)})});
  auto after = file_of({sass("80", {taking(40, 0)})});
  add_module(after, {sass("80", {taking(48, 0)})});
  EXPECT_THAT(only_file(compare(before, after)).resources, IsEmpty());
}

TEST(Diff, SizesAreByKindAndArch) {
  auto before = file_of({sass("80"), ptx("80"), sass("75")});
  auto after = file_of({sass("80"), ptx("80"), sass("90")});
  before.images[0].stored = 100;
  after.images[0].stored = 70;
  const auto sizes = only_file(compare(before, after)).sizes;
  ASSERT_EQ(sizes.size(), 4U);
  EXPECT_EQ(sizes[0].arch.text(), "75");
  EXPECT_EQ(sizes[0].after.images, 0U);
  EXPECT_EQ(sizes[1].before.stored, 100U);
  EXPECT_EQ(sizes[1].after.stored, 70U);
  EXPECT_EQ(sizes[2].before.images, 0U);
  EXPECT_EQ(sizes[3].kind, Kind::ptx);
}

TEST(Diff, ErrorsOfBothSidesAreKept) {
  auto before = file_of({sass("80"), unreadable(sass("90"))});
  before.path = "old.so";
  File after = file_of({sass("80")});
  after.path = "new.so";
  after.errors.push_back({0x40, "cut"});
  EXPECT_THAT(compare(before, after).errors,
              ElementsAre(HasSubstr("old.so: sass image 90"), "new.so: at offset 0x40: cut"));
}

/// Returns "a=b" for a pair, "a=" and "=b" for files of one side only.
std::vector<std::string> pairs_of(const Release& before, const Release& after) {
  std::vector<std::string> texts;
  for (const auto& pair : coverage::pair_files(before, after)) {
    texts.push_back((pair.before == coverage::kUnpaired ? "" : before.files[pair.before].path) +
                    "=" + (pair.after == coverage::kUnpaired ? "" : after.files[pair.after].path));
  }
  return texts;
}

Release release(const std::string& path, const std::vector<std::string>& names) {
  Release result{path, {}};
  for (const auto& name : names) {
    result.files.emplace_back();
    result.files.back().path = path + name;
  }
  return result;
}

TEST(Pairs, AreOfOnePathWithinTheirSides) {
  EXPECT_THAT(
      pairs_of(release("old", {"/a/x.so", "/b/x.so"}), release("new", {"/b/x.so", "/a/x.so"})),
      ElementsAre("old/a/x.so=new/a/x.so", "old/b/x.so=new/b/x.so"));
  EXPECT_THAT(pairs_of(release("f-1.whl", {"!p/x.so", "!p/y.so"}),
                       release("f-2.whl", {"!p/x.so", "!p/z.so"})),
              ElementsAre("f-1.whl!p/x.so=f-2.whl!p/x.so", "f-1.whl!p/y.so=", "=f-2.whl!p/z.so"));
}

TEST(Pairs, TolerateVersions) {
  const std::vector<std::pair<std::string, std::string>> same = {
      {"libx.so.12", "libx.so.13"},
      {"libx.so.12.1.2", "libx.so.12.2.0"},
      {"x-1.0/libx.so", "x-1.1.2/libx.so"},
      {"x.libs/libx-1a2b3c4d.so.1", "x.libs/libx-00ff00ff.so.1"},
      {"cublas64_12.dll", "cublas64_13.dll"},
      {"old/lib/libx.so", "lib64/libx.so"},
      {"x-1.0.whl!x/libx.so", "x-1.1.whl!x/libx.so"},
  };
  for (const auto& [before, after] : same) {
    EXPECT_THAT(pairs_of(release("a/", {before, "one"}), release("b/", {after, "two"})),
                ElementsAre("a/" + before + "=b/" + after, "a/one=", "=b/two"));
  }
}

TEST(Pairs, AreNotMadeOfFilesThatOnlyLookAlike) {
  const std::vector<std::pair<std::string, std::string>> different = {
      {"kernels_sm80.o", "kernels_sm90.o"},
      {"libx-deadbee.so", "libx-feedbee.so"},
      {"libx.so.old", "libx.so.new"},
      {"x_1.dat", "x_2.dat"},
  };
  for (const auto& [before, after] : different) {
    EXPECT_THAT(pairs_of(release("a/", {before, "one"}), release("b/", {after, "two"})),
                ElementsAre("a/" + before + "=", "a/one=", "=b/" + after, "=b/two"));
  }
}

TEST(Pairs, AreNotGuessedWhereSeveralMightBeMeant) {
  EXPECT_THAT(pairs_of(release("a/", {"x.so.1", "x.so.2"}), release("b/", {"x.so.2", "x.so.3"})),
              ElementsAre("a/x.so.1=b/x.so.3", "a/x.so.2=b/x.so.2"));
  EXPECT_THAT(pairs_of(release("a/", {"x.so.1"}), release("b/", {"x.so.2", "x.so.3"})),
              ElementsAre("a/x.so.1=", "=b/x.so.2", "=b/x.so.3"));
}

TEST(Pairs, OneFileOnEitherSideIsAPairWhateverTheNames) {
  EXPECT_THAT(pairs_of(release("old.so", {""}), release("build/libx.so", {""})),
              ElementsAre("old.so=build/libx.so"));
}

TEST(Diff, FilesOfOneSideOnlyAreGoneOrNew) {
  Release before{"a", {}};
  Release after{"b", {}};
  for (const auto* name : {"a/x.so", "a/y.so", "a/host.so"}) {
    before.files.push_back(file_of({sass("80")}));
    before.files.back().path = name;
  }
  before.files.back() = File();
  before.files.back().path = "a/host.so";
  after.files.push_back(file_of({sass("80")}));
  after.files.back().path = "b/x.so";
  after.files.push_back(file_of({sass("80")}));
  after.files.back().path = "b/z.so";
  const auto diff = coverage::diff(before, after, {{device("8.0")}, {}});
  ASSERT_EQ(diff.files.size(), 3U) << "host.so holds no device code";
  EXPECT_FALSE(diff.files[0].changed());
  EXPECT_EQ(diff.files[0].after.name, "x.so");
  EXPECT_EQ(diff.files[1].before.name, "y.so");
  EXPECT_TRUE(diff.files[1].after.path.empty());
  EXPECT_THAT(diff.files[1].gone, ElementsAre("k"));
  EXPECT_THAT(diff.files[2].added, ElementsAre("k"));
  const auto totals = coverage::totals_of(diff);
  EXPECT_EQ(totals.files_gone, 1U);
  EXPECT_EQ(totals.files_added, 1U);
  EXPECT_FALSE(coverage::is_lost(totals, false));
  EXPECT_TRUE(coverage::is_lost(totals, true));
}

/// Compares two folders with one common file, and one file of each side only.
Diff compare_folders(File old_only, File new_only) {
  Release before{"a", {file_of({sass("80")}), std::move(old_only)}};
  before.files[0].path = "a/x.so";
  before.files[1].path = "a/y.so";
  Release after{"b", {file_of({sass("80")}), std::move(new_only)}};
  after.files[0].path = "b/x.so";
  after.files[1].path = "b/z.so";
  return coverage::diff(before, after, {{device("8.0"), device("9.0"), device("12.0")}, {}});
}

TEST(Diff, DevicesAreLostAndGainedOverAllFiles) {
  const auto diff = compare_folders(file_of({sass("90")}), file_of({sass("120")}));
  EXPECT_THAT(diff.reach.lost, ElementsAre(device("9.0")));
  EXPECT_THAT(diff.reach.gained, ElementsAre(device("12.0")));
  EXPECT_TRUE(is_lost(diff)) << "whatever else is only gone";
  const auto other_file = compare_folders(file_of({sass("90")}), file_of({sass("90")}));
  EXPECT_THAT(other_file.reach.lost, IsEmpty()) << "another file serves it";
  EXPECT_THAT(other_file.reach.gained, IsEmpty());
  EXPECT_FALSE(is_lost(other_file));
}

TEST(Diff, ADeviceThatOnlyPtxServesNowIsDegraded) {
  const auto diff = compare_folders(file_of({sass("90")}), file_of({ptx("90")}));
  EXPECT_THAT(diff.reach.degraded, ElementsAre(device("9.0")));
  EXPECT_TRUE(is_lost(diff)) << "no kernel of the other file says so";
  const auto back = compare_folders(file_of({ptx("90")}), file_of({sass("90")}));
  EXPECT_THAT(back.reach.degraded, IsEmpty());
  EXPECT_THAT(back.reach.lost, ElementsAre(device("12.0")));
}

TEST(Diff, FilesWithoutCommonKernelsAreComparedByDevice) {
  const auto diff = compare(file_of({sass("80", {kernel("a")}), sass("90", {kernel("a")})}),
                            file_of({sass("80", {kernel("b")}), sass("120", {kernel("b")})}),
                            {"8.0", "9.0", "12.0"});
  const auto& file = only_file(diff);
  EXPECT_TRUE(file.shares_no_kernel());
  EXPECT_THAT(file.reach.lost, ElementsAre(device("9.0")));
  EXPECT_THAT(file.reach.gained, ElementsAre(device("12.0")));
  EXPECT_TRUE(is_lost(diff));
  EXPECT_FALSE(only_file(compare(file_of({sass("80")}), file_of({sass("90")}))).shares_no_kernel());
  const auto releases = [](const std::string& name, std::vector<Image> images) {
    coverage::Release release{name,
                              {file_of(std::move(images)), file_of({sass("75"), sass("80")})}};
    release.files[0].path = name + "/libx.so";
    release.files[1].path = name + "/libother.so";
    return release;
  };
  const auto old = releases("old", {sass("75", {kernel("a")}), sass("80", {kernel("a")})});
  coverage::DiffRequest request;
  request.devices = {device("7.5"), device("8.0")};
  const auto fewer = coverage::diff(old, releases("new", {sass("80", {kernel("b")})}), request);
  EXPECT_THAT(fewer.reach.lost, IsEmpty()) << "the other file serves it";
  EXPECT_EQ(coverage::totals_of(fewer).files_lost, 1U);
  EXPECT_TRUE(is_lost(fewer));
  const auto as_many = releases("new", {sass("75", {kernel("b")}), sass("80", {kernel("b")})});
  EXPECT_FALSE(is_lost(coverage::diff(old, as_many, request)));
  auto unread = file_of({sass("80", {kernel("b")})});
  unread.errors.push_back({0, "cut off"});
  const auto part =
      compare(file_of({sass("80", {kernel("a")}), sass("90", {kernel("a")})}), unread);
  EXPECT_THAT(only_file(part).reach.lost, IsEmpty()) << "nobody knows what was not read";
}

TEST(Diff, ADeviceThatMayBeServedIsNotLost) {
  EXPECT_THAT(compare_folders(file_of({sass("90")}), file_of({lto("90")})).reach.lost, IsEmpty());
  EXPECT_THAT(compare_folders(file_of({sass("90")}), file_of({ptx("90")})).reach.lost, IsEmpty());
  auto unread = file_of({});
  unread.errors.push_back({0, "cut off"});
  const auto diff = compare_folders(file_of({sass("90")}), unread);
  EXPECT_THAT(diff.reach.lost, IsEmpty()) << "nobody knows what was not read";
  EXPECT_FALSE(diff.errors.empty());
}

TEST(Diff, WhatIsLostComesFirstAndWhatIsUnknownLast) {
  const std::vector<fatbin::Kernel> two = {kernel("a"), kernel("b")};
  const auto diff = compare(file_of({sass("75", two), sass("80", {kernel("c")})}),
                            file_of({sass("80", two), sass("87", two), sass("90", {kernel("c")})}),
                            {"7.5", "8.0", "8.7", "9.0"});
  std::vector<Turn> turns;
  for (const auto& change : only_file(diff).coverage) turns.push_back(change.turn);
  EXPECT_TRUE(std::is_sorted(turns.begin(), turns.end()));
  EXPECT_EQ(turns.front(), Turn::lost);
  EXPECT_LT(Turn::lost, Turn::gained);
  EXPECT_LT(Turn::gained, Turn::improved);
  const auto lto_only =
      compare(file_of({sass("80")}), file_of({sass("80"), lto("90")}), {"8.0", "9.0"});
  EXPECT_THAT(changes_of(lto_only), ElementsAre("improved missing unknown 9.0: k"));
}

TEST(Diff, WithoutDevicesIsForAllOfTheTable) {
  const auto diff = compare(file_of({sass("80")}), file_of({sass("80")}), {});
  EXPECT_EQ(diff.devices.size(), coverage::table().architectures.size());
}

}  // namespace
}  // namespace archgrid::tests
