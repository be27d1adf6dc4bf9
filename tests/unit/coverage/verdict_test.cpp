// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <archgrid/words.hpp>
#include <optional>

#include "files.hpp"

namespace archgrid::tests {
namespace {

using coverage::ImageSelector;
using coverage::LaunchPrediction;
using coverage::Verdict;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

LaunchPrediction predict(const File& file, const std::string& where, const std::string& driver = "",
                         const std::string& name = "k") {
  const ImageSelector selector(file);
  const auto known = driver.empty() ? std::nullopt : coverage::parse_driver(driver);
  EXPECT_EQ(driver.empty(), !known.has_value()) << driver;
  for (const auto& row : selector.kernels()) {
    if (row.name == name) return selector.predict(row, device(where), known ? &*known : nullptr);
  }
  ADD_FAILURE() << "no kernel " << name;
  return {};
}

struct Case {
  std::string what;
  std::vector<Image> images;
  std::string device;
  std::string driver;
  Verdict verdict;
};

class VerdictTable : public ::testing::TestWithParam<Case> {};

TEST_P(VerdictTable, Holds) {
  const auto& row = GetParam();
  const auto prediction = predict(file_of(row.images), row.device, row.driver);
  EXPECT_STREQ(name_of(prediction.verdict), name_of(row.verdict))
      << row.what << ": " << report::reason_text(prediction.reason, row.device);
}

bool holds_ptx(const std::vector<Image>& images) {
  return std::any_of(images.begin(), images.end(),
                     [](const Image& image) { return image.kind == Kind::ptx; });
}

bool needs_ptx(const std::vector<Image>& images, const std::vector<std::string>& devices) {
  std::vector<const Image*> pointers;
  for (const auto& image : images) pointers.push_back(&image);
  std::vector<coverage::ComputeCapability> parsed;
  for (const auto& text : devices) parsed.push_back(device(text));
  return coverage::needs_ptx(pointers, parsed);
}

TEST(EmptyBody, IsNamedByWhatItDoes) {
  const std::vector<std::pair<Body, const char*>> cases = {
      {Body::empty, "its sm_75 body is empty, while another of its bodies stores to memory"},
      {Body::inert, "its sm_75 body stores nothing that outlasts its block, while"},
      {Body::trap, "its sm_75 body only traps, while"},
      {Body::print, "its sm_75 body only prints, while"},
      {Body::print_trap, "its sm_75 body only prints and traps, while"},
      {Body::assertion, "its sm_75 body only asserts, while"},
  };
  for (const auto& [body, reason] : cases) {
    const auto prediction = predict(file_of({sass("75", {kernel("k", body)}), sass("80")}), "7.5");
    EXPECT_THAT(report::reason_text(prediction.reason, "7.5"), HasSubstr(reason));
  }
}

TEST(EmptyBody, IsNoneWhereNoBodyStoresWhatOutlastsABlock) {
  const auto inert = [] {
    auto result = kernel("k", Body::inert);
    result.stores = true;  // to shared memory
    return result;
  };
  EXPECT_EQ(predict(file_of({sass("75", {inert()}), sass("80", {inert()})}), "7.5").verdict,
            Verdict::native);
  const auto unsure = file_of({sass("75", {inert()}), sass("80", {kernel_that_may_store("k")})});
  EXPECT_EQ(predict(unsure, "7.5").verdict, Verdict::native);
  EXPECT_EQ(predict(file_of({sass("75", {inert()}), sass("80")}), "7.5").verdict, Verdict::empty);
}

// cuDNN has kernels whose PTX traps and then stores: machine code of it only traps.
TEST(EmptyBody, IsNoneWhereOnlyPtxThatWasCompiledToAnotherStores) {
  auto trapping = sass("120", {kernel("k", Body::trap)});
  const auto judged = [&] {
    return predict(file_of({sass("80", {kernel("k", Body::trap)}), trapping, ptx("120")}), "8.0");
  };
  EXPECT_EQ(judged().verdict, Verdict::empty);
  trapping.compiled_from = fatbin::Arch{120};
  EXPECT_EQ(judged().verdict, Verdict::native);
}

TEST(NeedsPtx, WhereNoMachineCodeIsSureToLoadAndPtxMayReach) {
  EXPECT_FALSE(needs_ptx({sass("90"), ptx("90")}, {"9.0"}));
  EXPECT_FALSE(needs_ptx({sass("90"), ptx("90")}, {"8.0"}));
  EXPECT_FALSE(needs_ptx({sass("90")}, {"10.0"}));
  EXPECT_TRUE(needs_ptx({sass("90"), ptx("90")}, {"9.0", "10.0"}));
  EXPECT_TRUE(needs_ptx({ptx("90")}, {"9.0"}));
  EXPECT_TRUE(needs_ptx({sass("80"), ptx("80")}, {"8.7"}));
  EXPECT_TRUE(needs_ptx({sass("90a"), ptx("90a")}, {"10.0"}));
  EXPECT_TRUE(needs_ptx({sass("100f"), ptx("100f")}, {"12.0"}));
}

const std::vector<Case> kMachineCode = {
    {"plain, exact", {sass("90")}, "9.0", "", Verdict::native},
    {"a, exact", {sass("90a")}, "9.0", "", Verdict::native},
    {"f, exact", {sass("100f")}, "10.0", "", Verdict::native},
    {"plain, later minor", {sass("80")}, "8.6", "", Verdict::compatible},
    {"plain, later minor", {sass("80")}, "8.9", "", Verdict::compatible},
    {"plain, 8.6 on 8.8", {sass("86")}, "8.8", "", Verdict::compatible},
    {"plain, 12.0 on 12.1", {sass("120")}, "12.1", "", Verdict::compatible},
    {"plain, earlier minor", {sass("86")}, "8.0", "", Verdict::missing},
    {"plain, another major", {sass("80")}, "9.0", "", Verdict::missing},
    {"f, later of its family", {sass("100f")}, "10.3", "", Verdict::compatible},
    {"f, last of its family", {sass("100f")}, "10.7", "", Verdict::compatible},
    {"f, middle of its family", {sass("103f")}, "10.7", "", Verdict::compatible},
    {"f, earlier of its family", {sass("103f")}, "10.0", "", Verdict::missing},
    {"f, other family", {sass("120f")}, "12.1", "", Verdict::compatible},
    {"f, another family", {sass("100f")}, "12.0", "", Verdict::missing},
    {"a, later minor", {sass("100a")}, "10.3", "", Verdict::wrong_suffix},
    {"a, later minor", {sass("120a")}, "12.1", "", Verdict::wrong_suffix},
    {"a, another major", {sass("90a")}, "10.0", "", Verdict::missing},
};

const std::vector<Case> kTegra = {
    {"exact", {sass("87")}, "8.7", "", Verdict::native},
    {"desktop code on Orin", {sass("80")}, "8.7", "", Verdict::unknown},
    {"desktop code on Orin, PTX beside", {sass("80"), ptx("80")}, "8.7", "", Verdict::jit},
    {"Orin code on a desktop GPU", {sass("87")}, "8.9", "", Verdict::unknown},
    {"desktop code on Xavier", {sass("70")}, "7.2", "", Verdict::unknown},
    {"desktop code on the Tegra X1", {sass("52")}, "5.3", "", Verdict::unknown},
    {"desktop code on the TX2", {sass("61")}, "6.2", "", Verdict::unknown},
    {"Orin code on a lower minor", {sass("87")}, "8.0", "", Verdict::missing},
    {"Orin code on a lower minor", {sass("87")}, "8.6", "", Verdict::missing},
    {"Xavier code on a lower minor", {sass("72")}, "7.0", "", Verdict::missing},
    {"Tegra X1 code on a lower minor", {sass("53")}, "5.2", "", Verdict::missing},
    {"desktop code on a lower Tegra", {sass("89")}, "8.7", "", Verdict::missing},
    {"desktop code on Thor, lower minor", {sass("103")}, "10.1", "", Verdict::missing},
    {"desktop code on Thor, later minor", {sass("100")}, "10.1", "", Verdict::unknown},
    {"Orin code and its PTX on a lower minor", {sass("87"), ptx("80")}, "8.0", "", Verdict::jit},
    {"the name of Thor before CUDA 13", {sass("101")}, "11.0", "", Verdict::unknown},
    {"the name before CUDA 13, a", {sass("101a")}, "11.0", "", Verdict::unknown},
    {"the name before CUDA 13, f", {sass("101f")}, "11.0", "", Verdict::unknown},
    {"the name since CUDA 13", {sass("110")}, "10.1", "", Verdict::unknown},
    {"the name since CUDA 13, a", {sass("110a")}, "10.1", "", Verdict::unknown},
    {"the name since CUDA 13, f", {sass("110f")}, "10.1", "", Verdict::unknown},
    {"Thor, exact, the name before CUDA 13", {sass("101a")}, "10.1", "", Verdict::native},
    {"Thor code on another chip, a", {sass("101a")}, "10.3", "", Verdict::missing},
    {"Thor code on another chip, f", {sass("110f")}, "12.0", "", Verdict::missing},
    {"Thor, exact", {sass("110")}, "11.0", "", Verdict::native},
    {"another major on Orin", {sass("75")}, "8.7", "", Verdict::missing},
};

const std::vector<Case> kPtx = {
    {"plain, exact", {ptx("90")}, "9.0", "", Verdict::jit},
    {"plain, any later device", {ptx("60")}, "12.1", "", Verdict::jit},
    {"plain, earlier device", {ptx("90")}, "8.9", "", Verdict::missing},
    {"a, exact", {ptx("90a")}, "9.0", "", Verdict::jit},
    {"a, later device", {ptx("90a")}, "10.0", "", Verdict::wrong_suffix},
    {"f, family upward", {ptx("100f")}, "10.3", "", Verdict::jit},
    {"f, outside of its family", {ptx("100f")}, "12.0", "", Verdict::wrong_suffix},
    {"f, earlier device", {ptx("103f")}, "10.0", "", Verdict::missing},
    {"the driver knows its ISA", {ptx("80", "9.0")}, "9.0", "580", Verdict::jit},
    {"the driver is newer", {ptx("80", "8.4")}, "9.0", "580.65.06", Verdict::jit},
    {"the driver is too old", {ptx("80", "9.0")}, "9.0", "575", Verdict::ptx_too_new},
    {"given as CUDA version", {ptx("80", "9.0")}, "9.0", "12.9", Verdict::ptx_too_new},
    {"given as CUDA version", {ptx("80", "9.0")}, "9.0", "13.0", Verdict::jit},
    {"a driver newer than the table", {ptx("80", "99.0")}, "9.0", "999", Verdict::unknown},
    {"machine code needs no PTX", {sass("90"), ptx("90", "9.0")}, "9.0", "525", Verdict::native},
    {"lines of code before PTX", {sass("80"), ptx("80")}, "8.6", "", Verdict::compatible},
    {"PTX without a body beside a",
     {ptx("80", "8.4", {kernel("k", Body::empty)}), sass("90a")},
     "10.0",
     "",
     Verdict::empty},
    {"PTX without a body, and a driver that does not read it",
     {ptx("80", "9.0", {kernel("k", Body::empty)}), sass("90a")},
     "10.0",
     "570",
     Verdict::ptx_too_new},
    {"PTX without the kernel beside a",
     {ptx("80", "8.4", {}), sass("90a"), ptx("90a")},
     "10.0",
     "",
     Verdict::missing},
};

const std::vector<Case> kChoice = {
    {"LTO-IR only, named by another image", {lto("90"), sass("75")}, "9.0", "", Verdict::unknown},
    {"LTO-IR that cannot reach", {lto("90"), sass("75")}, "8.0", "", Verdict::missing},
    {"LTO-IR beside machine code", {lto("90"), sass("90")}, "9.0", "", Verdict::native},
    {"an unreadable image would be taken",
     {unreadable(sass("90")), sass("75")},
     "9.0",
     "",
     Verdict::unknown},
    {"an unreadable image elsewhere",
     {unreadable(sass("75")), sass("90")},
     "9.0",
     "",
     Verdict::native},
    {"unreadable PTX would be taken",
     {unreadable(ptx("90")), sass("75")},
     "9.0",
     "",
     Verdict::unknown},
    {"the nearest image lacks it",
     {sass("86", {kernel("other")}), sass("80")},
     "8.6",
     "",
     Verdict::missing},
    {"the farther image lacks it",
     {sass("86"), sass("80", {kernel("other")})},
     "8.6",
     "",
     Verdict::native},
    {"the nearest PTX lacks it",
     {ptx("90", "8.4", {kernel("other")}), ptx("80")},
     "9.0",
     "",
     Verdict::missing},
    {"several images of one arch, one holds it",
     {sass("90", {kernel("other")}), sass("90")},
     "9.0",
     "",
     Verdict::unknown},
    {"an empty body where another works",
     {sass("75", {kernel("k", Body::empty)}), sass("80")},
     "7.5",
     "",
     Verdict::empty},
    {"the other body, which works",
     {sass("75", {kernel("k", Body::empty)}), sass("80")},
     "8.0",
     "",
     Verdict::native},
    {"a trap where another body works",
     {sass("75", {kernel("k", Body::trap)}), sass("80")},
     "7.5",
     "",
     Verdict::empty},
    {"a body that prints where another works",
     {sass("75", {kernel("k", Body::print)}), sass("80")},
     "7.5",
     "",
     Verdict::empty},
    {"a body that prints and traps where another works",
     {sass("75", {kernel("k", Body::print_trap)}), sass("80")},
     "7.5",
     "",
     Verdict::empty},
    {"a body that asserts where another works",
     {sass("75", {kernel("k", Body::assertion)}), sass("80")},
     "7.5",
     "",
     Verdict::empty},
    {"PTX that prints where another body works",
     {ptx("75", "8.4", {kernel("k", Body::print)}), sass("80")},
     "7.5",
     "",
     Verdict::empty},
    {"prints everywhere: by design",
     {sass("75", {kernel("k", Body::print)}), sass("80", {kernel("k", Body::print)})},
     "7.5",
     "",
     Verdict::native},
    {"prints where another body calls what may print",
     {sass("75", {kernel("k", Body::print)}), sass("80", {kernel_that_may_store("k")})},
     "7.5",
     "",
     Verdict::native},
    {"empty where another body calls what may work",
     {sass("75", {kernel("k", Body::empty)}), sass("80", {kernel_that_may_store("k")})},
     "7.5",
     "",
     Verdict::empty},
    {"an empty body later devices would take",
     {sass("80", {kernel("k", Body::empty)}), sass("90")},
     "8.6",
     "",
     Verdict::empty},
    {"empty PTX where another body works",
     {ptx("75", "8.4", {kernel("k", Body::empty)}), sass("80")},
     "7.5",
     "",
     Verdict::empty},
    {"empty in an image that holds the name twice, with a body that works",
     {sass("75", {kernel("k", Body::empty), kernel("k")})},
     "7.5",
     "",
     Verdict::empty},
    {"empty everywhere: by design",
     {sass("75", {kernel("k", Body::empty)}), sass("80", {kernel("k", Body::empty)})},
     "7.5",
     "",
     Verdict::native},
    {"a before plain at one number",
     {sass("90", {kernel("k", Body::empty)}), sass("90a")},
     "9.0",
     "",
     Verdict::native},
};

/// Returns the images without the kernels of PTX; nothing if no machine code names kernels.
std::optional<std::vector<Image>> with_ptx_unread(std::vector<Image> images) {
  bool named = false;
  for (auto& image : images) {
    if (image.kind == Kind::ptx) image.kernels.clear();
    named = named || !image.kernels.empty();
  }
  return named ? std::optional(std::move(images)) : std::nullopt;
}

// The reader leaves PTX unread only if machine code names its kernels.
TEST(NeedsPtx, IsFalseOnlyWhereNoVerdictAsksWhatPtxHolds) {
  std::size_t judged = 0;
  for (const auto* cases : {&kMachineCode, &kTegra, &kPtx, &kChoice}) {
    for (const auto& [what, images, place, driver, verdict] : *cases) {
      const auto unread = with_ptx_unread(images);
      if (!unread || !holds_ptx(images)) continue;
      for (const auto& known : coverage::table().architectures) {
        const auto where = known.device.text();
        if (needs_ptx(images, {where})) continue;
        EXPECT_STREQ(name_of(predict(file_of(*unread), where, driver).verdict),
                     name_of(predict(file_of(images), where, driver).verdict))
            << what << " on " << where;
        ++judged;
      }
    }
  }
  EXPECT_GT(judged, 50U);
}

INSTANTIATE_TEST_SUITE_P(MachineCode, VerdictTable, ::testing::ValuesIn(kMachineCode));
INSTANTIATE_TEST_SUITE_P(Tegra, VerdictTable, ::testing::ValuesIn(kTegra));
INSTANTIATE_TEST_SUITE_P(Ptx, VerdictTable, ::testing::ValuesIn(kPtx));
INSTANTIATE_TEST_SUITE_P(Choice, VerdictTable, ::testing::ValuesIn(kChoice));

TEST(Verdict, GivesARenamedArchOneReasonWhateverItsSuffix) {
  for (const auto* arch : {"101", "101a", "101f"}) {
    EXPECT_EQ(report::reason_text(predict(file_of({sass(arch)}), "11.0").reason, "11.0"),
              "sources disagree whether sm_" + std::string(arch) + " machine code loads on 11.0");
  }
}

TEST(Verdict, NamesGoBothWays) {
  for (const auto* name : {"native", "compatible", "jit", "unknown", "ptx-too-new", "wrong-suffix",
                           "missing", "empty"}) {
    const auto verdict = coverage::parse_verdict(name);
    ASSERT_TRUE(verdict) << name;
    EXPECT_STREQ(name_of(*verdict), name);
  }
  EXPECT_FALSE(coverage::parse_verdict("fine"));
}

TEST(Modules, WorstOfTheRegisteredOnesCounts) {
  auto file = file_of({sass("90")});
  EXPECT_EQ(predict(file, "9.0").verdict, Verdict::native);
  add_module(file, {sass("80")});
  EXPECT_EQ(predict(file, "9.0").verdict, Verdict::missing);
}

TEST(Modules, OfThoseThatHostCodePicksFromTheBestCounts) {
  auto file = file_of({sass("90")});
  add_module(file, {sass("80")});
  for (auto& module : file.modules) module.registered = false;
  const auto prediction = predict(file, "9.0");
  EXPECT_EQ(prediction.verdict, Verdict::native);
  EXPECT_THAT(report::reason_text(prediction.reason, "9.0"),
              HasSubstr("the best of 2 containers that host code picks from"));
}

/// Returns machine code of k with this hash.
Image picked(const std::string& arch, std::uint64_t hash) {
  auto image = sass(arch);
  image.kernels[0].code_hash = hash;
  return image;
}

/// Returns a file with these modules, from which host code picks.
File file_to_pick_from(const std::vector<std::vector<Image>>& modules) {
  File file;
  for (const auto& images : modules) add_module(file, images).registered = false;
  return file;
}

TEST(Modules, OfSeveralProgramsOfOneNameEachCounts) {
  auto file = file_to_pick_from({{picked("80", 1)}, {sass("90")}, {picked("80", 2)}});
  EXPECT_EQ(predict(file, "8.0").verdict, Verdict::native);
  const auto prediction = predict(file, "9.0");
  EXPECT_EQ(prediction.verdict, Verdict::missing);
  EXPECT_THAT(report::reason_text(prediction.reason, "9.0"),
              HasSubstr("hold 2 programs of this name"));
  add_module(file, {sass("90")}).registered = false;
  EXPECT_EQ(predict(file, "9.0").verdict, Verdict::native);
}

TEST(Modules, FatBinariesWithDifferentCodeAreSeveralPrograms) {
  const auto lacking = file_to_pick_from({{picked("80", 1), sass("90")}, {picked("80", 2)}});
  EXPECT_EQ(predict(lacking, "9.0").verdict, Verdict::missing);
  const auto whole =
      file_to_pick_from({{picked("80", 1), sass("90")}, {picked("80", 2), ptx("80")}});
  EXPECT_EQ(predict(whole, "9.0").verdict, Verdict::jit);
}

TEST(Modules, CopiesAndOtherToolkitsAreOneProgram) {
  EXPECT_EQ(predict(file_to_pick_from({{picked("80", 1)}, {picked("80", 1)}, {sass("90")}}), "9.0")
                .verdict,
            Verdict::native);
  auto file = file_to_pick_from({{picked("80", 1)}, {picked("80", 2)}, {sass("90")}});
  file.images[0].toolkit = "11.8";
  file.images[1].toolkit = "13.0";
  EXPECT_EQ(predict(file, "9.0").verdict, Verdict::native);
  file.images[0].toolkit = "13.0";
  EXPECT_EQ(predict(file, "9.0").verdict, Verdict::missing);
  file.images[0].debug = true;
  EXPECT_EQ(predict(file, "9.0").verdict, Verdict::native);
}

TEST(Modules, WithoutNamedKernelsAreRowsOfTheirOwn) {
  const auto opaque = file_of({lto("90")});
  const ImageSelector selector(opaque);
  ASSERT_EQ(selector.kernels().size(), 1U);
  EXPECT_EQ(selector.kernels()[0].demangled, "module 0 (LTO-IR)");
  EXPECT_EQ(selector.predict(selector.kernels()[0], device("9.0"), nullptr).verdict,
            Verdict::unknown);
  const auto corrupt = file_of({unreadable(sass("90"))});
  EXPECT_EQ(ImageSelector(corrupt).kernels().at(0).demangled, "module 0 (unreadable)");
}

TEST(Modules, WithoutKernelsAreNoRows) {
  const auto file = file_of({sass("90", {})});
  EXPECT_TRUE(ImageSelector(file).kernels().empty());
}

/// Returns a shared object of two .cu files with one template's kernel, for 8.0 and for `second`.
File file_of_template(const std::string& toolkit, std::vector<Image> second) {
  File file;
  file.format = "shared object";
  add_module(file, {sass("80")});
  add_module(file, std::move(second));
  for (auto& image : file.images) {
    image.toolkit = toolkit;
    for (auto& one : image.kernels) one.has_shared_stub = true;
  }
  return file;
}

TEST(Template, BeforeCuda13AnyFileServesTheLaunch) {
  EXPECT_EQ(predict(file_of_template("12.4", {sass("90")}), "9.0").verdict, Verdict::native);
  EXPECT_EQ(predict(file_of_template("12.9", {sass("90")}), "8.0").verdict, Verdict::native);
  EXPECT_EQ(predict(file_of_template("11.8", {sass("90a")}), "10.0").verdict, Verdict::missing);
  EXPECT_EQ(predict(file_of_template("12.4", {ptx("80")}), "8.0").verdict, Verdict::jit)
      << "which file's code runs is unknown";
}

TEST(Template, FromCuda13OnEveryFileLaunchesItsOwn) {
  EXPECT_EQ(predict(file_of_template("13.0", {sass("90")}), "9.0").verdict, Verdict::missing);
  EXPECT_EQ(predict(file_of_template("", {sass("90")}), "9.0").verdict, Verdict::missing);
  auto mixed = file_of_template("12.4", {sass("90")});
  mixed.images[1].toolkit = "13.0";
  EXPECT_EQ(predict(mixed, "9.0").verdict, Verdict::missing);
}

TEST(Template, AFileWhoseImageLacksTheKernelBreaksTheLaunch) {
  auto file = file_of_template("12.4", {sass("90", {}), sass("80")});
  EXPECT_EQ(predict(file, "9.0").verdict, Verdict::missing);
  file.images[1].kernels = {kernel("k", Body::empty)};
  file.images[1].kernels[0].has_shared_stub = true;
  EXPECT_EQ(predict(file, "9.0").verdict, Verdict::empty);
}

TEST(Template, StaticKernelsOfOneNameLaunchTheirOwn) {
  auto file = file_of_template("12.4", {sass("90")});
  for (auto& image : file.images) image.kernels[0].has_shared_stub = false;
  EXPECT_EQ(predict(file, "9.0").verdict, Verdict::missing);
}

/// Returns a device-linked file: a linked module for 8.0 and two relocatable objects.
File linked_file(std::vector<Image> first, std::vector<Image> second) {
  File file;
  add_module(file, {sass("80")}).linked = true;
  add_module(file, std::move(first)).relocatable = true;
  add_module(file, std::move(second)).relocatable = true;
  return file;
}

TEST(DeviceLink, MachineCodeOfTheLinkIsNative) {
  EXPECT_EQ(predict(linked_file({sass("80")}, {sass("80", {})}), "8.0").verdict, Verdict::native);
}

TEST(DeviceLink, PtxOfEveryObjectIsJit) {
  EXPECT_EQ(predict(linked_file({ptx("80")}, {ptx("80", "8.4", {})}), "9.0").verdict, Verdict::jit);
}

TEST(DeviceLink, OneObjectWithoutPtxFails) {
  auto file = linked_file({ptx("80")}, {sass("80", {})});
  file.modules[2].unit = "second.cu";
  const auto prediction = predict(file, "9.0");
  EXPECT_EQ(prediction.verdict, Verdict::missing);
  EXPECT_THAT(report::reason_text(prediction.reason, "9.0"), HasSubstr("second.cu"));
}

TEST(DeviceLink, MachineCodeOfAnObjectReplacesItsPtx) {
  EXPECT_EQ(predict(linked_file({ptx("80")}, {sass("90", {})}), "9.0").verdict, Verdict::jit);
}

/// Two links, as from two static libraries with their own device links: a gap in `second` affects
/// only its own kernel.
TEST(DeviceLink, ObjectsOfAnotherLinkDoNotCount) {
  File file;
  add_module(file, {sass("80", {kernel("a")})}).linked = true;
  add_module(file, {sass("80", {kernel("b")})}).linked = true;
  add_module(file, {ptx("80", "8.4", {kernel("a")})}).relocatable = true;
  add_module(file, {sass("80", {kernel("b")})}).relocatable = true;
  const ImageSelector selector(file);
  ASSERT_EQ(selector.kernels().size(), 2U);
  EXPECT_EQ(selector.predict(selector.kernels()[0], device("9.0"), nullptr).verdict, Verdict::jit);
  EXPECT_EQ(selector.predict(selector.kernels()[1], device("9.0"), nullptr).verdict,
            Verdict::missing);
}

TEST(DeviceLink, AnObjectOfNoKnownLinkLeavesAllInDoubt) {
  File file;
  add_module(file, {sass("80", {kernel("a")})}).linked = true;
  add_module(file, {sass("80", {kernel("b")})}).linked = true;
  add_module(file, {ptx("80", "8.4", {kernel("a")})}).relocatable = true;
  add_module(file, {ptx("80", "8.4", {kernel("b")})}).relocatable = true;
  add_module(file, {sass("80", {})}).relocatable = true;
  const ImageSelector selector(file);
  for (const auto& row : selector.kernels()) {
    EXPECT_EQ(selector.predict(row, device("9.0"), nullptr).verdict, Verdict::unknown) << row.name;
  }
}

/// Returns `linked_file` with PTX in all objects, and one more image in the link.
File linked_file_with(Image image) {
  auto file = linked_file({ptx("80")}, {ptx("80", "8.4", {})});
  image.module = 0;
  file.images.push_back(std::move(image));
  return file;
}

TEST(DeviceLink, MachineCodeOfTheLinkThatLacksTheKernelIsNotLinkedAnew) {
  const auto file = linked_file_with(sass("90", {kernel("other")}));
  const auto prediction = predict(file, "9.0");
  EXPECT_EQ(prediction.verdict, Verdict::missing);
  EXPECT_THAT(report::reason_text(prediction.reason, "9.0"),
              HasSubstr("sm_90 image of its module, which lacks it"));
  EXPECT_EQ(predict(file, "10.0").verdict, Verdict::jit) << "no linked machine code fits there";
}

TEST(DeviceLink, UnreadableMachineCodeOfTheLinkIsNotLinkedAnew) {
  const auto file = linked_file_with(unreadable(sass("90")));
  EXPECT_EQ(predict(file, "9.0").verdict, Verdict::unknown);
  EXPECT_EQ(predict(file, "10.0").verdict, Verdict::jit) << "no linked machine code fits there";
}

TEST(DeviceLink, UnreadableMachineCodeOfAnObjectIsUnknown) {
  const auto prediction = predict(linked_file({ptx("80")}, {unreadable(sass("90"))}), "9.0");
  EXPECT_EQ(prediction.verdict, Verdict::unknown);
  EXPECT_THAT(report::reason_text(prediction.reason, "9.0"),
              HasSubstr("the sm_90 image of module 2 could not be read"));
}

TEST(DeviceLink, ObjectsOfLtoIrAloneAreUnknown) {
  auto file = linked_file({lto("80")}, {lto("80")});
  file.modules[1].unit = "first.cu";
  const auto prediction = predict(file, "9.0");
  EXPECT_EQ(prediction.verdict, Verdict::unknown);
  EXPECT_THAT(report::reason_text(prediction.reason, "9.0"),
              HasSubstr("whether the LTO-IR of first.cu can be linked anew"));
  EXPECT_EQ(predict(file, "7.5").verdict, Verdict::missing) << "compute_80 cannot reach it";
  EXPECT_EQ(predict(file, "8.6").verdict, Verdict::compatible) << "the link serves it";
  EXPECT_EQ(predict(linked_file({lto("80")}, {sass("80", {})}), "9.0").verdict, Verdict::missing)
      << "the other object has nothing";
}

TEST(DeviceLink, AnEmptyBodyInThePtxThatIsLinkedAnewIsEmpty) {
  const auto empty = ptx("75", "8.4", {kernel("k", Body::empty)});
  const auto file = linked_file({empty, ptx("80")}, {ptx("75", "8.4", {})});
  EXPECT_EQ(predict(file, "7.5").verdict, Verdict::empty);
  EXPECT_EQ(predict(file, "9.0").verdict, Verdict::jit) << "compute_80 does real work";
}

TEST(DeviceLink, ThePtxThatIsLinkedAnewMustHoldTheKernel) {
  const auto file = linked_file({ptx("70", "8.4", {}), ptx("80")}, {ptx("70", "8.4", {})});
  const auto prediction = predict(file, "7.5");
  EXPECT_EQ(prediction.verdict, Verdict::missing);
  EXPECT_THAT(report::reason_text(prediction.reason, "7.5"),
              HasSubstr("takes the compute_70 image of its module, which lacks"));
  EXPECT_EQ(predict(file, "9.0").verdict, Verdict::jit);
}

TEST(DeviceLink, KernelsOfTheDeviceRuntimeAreNoneOfTheFile) {
  const std::string runtime =
      "__nv_static_51__0afad4c0_22_cuda_device_runtime_cu_f78b5b52_735892__"
      "Z16memcpy_3d_deviceIjLi1ELi1ELi0EEv12MemcpyParamsIT_E";
  const std::string own =
      "__nv_static_54__0afad4c0_25_my_cuda_device_runtime_cu_f78b5b52__Z5scalePf";
  const auto file = file_of({sass("80", {kernel("k"), kernel(runtime), kernel(own)})});
  const ImageSelector selector(file);
  std::vector<std::string> names;
  for (const auto& row : selector.kernels()) names.push_back(row.name);
  EXPECT_THAT(names, ElementsAre(own, "k"));
}

TEST(DeviceLink, OneObjectWithPtxTooNewIsTooNew) {
  const auto file = linked_file({ptx("80", "8.4")}, {ptx("80", "9.0", {})});
  EXPECT_EQ(predict(file, "9.0", "550").verdict, Verdict::ptx_too_new);
  EXPECT_EQ(predict(file, "9.0", "580").verdict, Verdict::jit);
}

TEST(DeviceLink, WhatTheLinkerDroppedIsNoKernelOfTheFile) {
  const auto file = linked_file({ptx("80", "8.4", {kernel("k"), kernel("dropped")})}, {ptx("80")});
  const ImageSelector selector(file);
  ASSERT_EQ(selector.kernels().size(), 1U);
  EXPECT_EQ(selector.kernels()[0].name, "k");
}

TEST(DeviceLink, PtxAloneIsLinkedAtLoadTime) {
  File file;
  add_module(file, {}).linked = true;
  add_module(file, {ptx("80")}).relocatable = true;
  EXPECT_EQ(predict(file, "9.0").verdict, Verdict::jit);
  EXPECT_EQ(predict(file, "7.5").verdict, Verdict::missing);
}

// A large library: searching every image for every kernel and device took minutes. This test does
// not check the time; tests/bench/read_libraries measures it.
TEST(Modules, OfManyKernelsAreJudgedEachForItself) {
  std::vector<fatbin::Kernel> kernels;
  for (int index = 0; index < 40000; ++index) {
    kernels.push_back(
        kernel("_Z40kernels_of_a_library_that_share_a_prefix" + std::to_string(index)));
  }
  const auto file = file_of({sass("80", kernels), ptx("80", "8.4", kernels)});
  const ImageSelector selector(file);
  for (const auto& row : selector.kernels()) {
    for (const auto* text : {"8.0", "8.6", "8.9"}) {
      ASSERT_LE(selector.predict(row, device(text), nullptr).verdict, Verdict::compatible);
    }
    ASSERT_EQ(selector.predict(row, device("9.0"), nullptr).verdict, Verdict::jit);
  }
  EXPECT_EQ(selector.kernels().size(), kernels.size());
}

TEST(DeviceLink, ObjectsBeforeTheLinkAreModules) {
  File file;
  add_module(file, {sass("80")}).relocatable = true;
  EXPECT_EQ(predict(file, "8.6").verdict, Verdict::compatible);
}

Image lacking(Image image, const std::string& name) {
  image.undefined = {name};
  return image;
}

TEST(Undefined, LeavesUnknownWhatHostCodeLoads) {
  auto file = file_of({lacking(sass("90"), "_Z1ff")});
  file.modules[0].registered = false;
  const auto prediction = predict(file, "9.0");
  EXPECT_EQ(prediction.verdict, Verdict::unknown);
  EXPECT_EQ(report::reason_text(prediction.reason, "9.0"),
            "its sm_90 machine code uses f(float), which no file that was audited defines "
            "(-rdc=true)");
  file.images[0] = lacking(ptx("80"), "_Z1ff");
  EXPECT_EQ(predict(file, "9.0").verdict, Verdict::unknown);
}

TEST(Undefined, IsFoundInOtherImagesThatHostCodeMayLinkAlone) {
  auto file = file_of({lacking(sass("90"), "f")});
  file.modules[0].registered = false;
  auto other = sass("90", {});
  other.defined = {"f"};
  add_module(file, {other}).registered = false;
  EXPECT_EQ(predict(file, "9.0").verdict, Verdict::native);
  file.modules[0].registered = true;
  EXPECT_EQ(predict(file, "9.0").verdict, Verdict::unknown) << "nobody links what is registered";
}

TEST(Undefined, BelongsToObjectsOfADeviceLink) {
  auto file = file_of({lacking(sass("90"), "f")});
  file.modules[0].relocatable = true;
  EXPECT_EQ(predict(file, "9.0").verdict, Verdict::native) << "an object or a static library";
}

}  // namespace
}  // namespace archgrid::tests
