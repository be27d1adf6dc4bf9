// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "requests.hpp"

namespace archgrid::tests {
namespace {

using coverage::Audit;
using coverage::Request;
using coverage::Verdict;
using ::testing::_;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Pair;

Image made_with(const std::string& toolkit, Image image) {
  image.toolkit = toolkit;
  return image;
}

TEST(OldDrivers, AreOneFindingAFile) {
  const auto file = file_of({made_with("13.0", sass("80", {kernel("a"), kernel("b")})),
                             made_with("13.0", sass("90", {kernel("a"), kernel("b")}))});
  auto wanted = request({"8.0", "8.6", "9.0"});
  wanted.promises[0].driver = coverage::parse_driver("575");
  const auto result = audit_one(file, wanted);
  ASSERT_EQ(result.findings.size(), 1U);
  EXPECT_EQ(result.findings[0].code, "driver-too-old");
  EXPECT_EQ(result.findings[0].path, "libx.so");
  EXPECT_EQ(report::message_of(result.findings[0]),
            "its machine code for 8.0, 8.6, 9.0 was made with CUDA 13.0, which needs driver 580 or "
            "newer; promised is driver 575");
  EXPECT_THAT(report::fix_of(result.findings[0]),
              HasSubstr("promise driver 580 or newer, or build it with CUDA 12.x"));
  wanted.driver = coverage::parse_driver("580");
  EXPECT_TRUE(audit_one(file, wanted).findings.empty());
  wanted.driver = coverage::parse_driver("12.9");
  EXPECT_EQ(audit_one(file, wanted).findings.at(0).code, "driver-too-old");
}

Audit audit_with(const std::string& driver, std::vector<std::string> devices, File file,
                 coverage::Verdicts accept = coverage::default_verdicts()) {
  Request wanted;
  wanted.promises = {promise(std::move(devices), std::move(accept))};
  wanted.driver = coverage::parse_driver(driver);
  return audit_one(std::move(file), wanted);
}

std::vector<std::string> codes_and_devices(const Audit& audit) {
  std::vector<std::string> codes;
  for (const auto& finding : audit.findings) codes.push_back(finding.code + " " + finding.device);
  return codes;
}

TEST(UnknownGpus, BreakThePromiseWhateverCodeThereIs) {
  const auto native = audit_with("590", {"7.0"}, file_of({sass("70")}));
  ASSERT_EQ(native.findings.size(), 1U);
  const auto& finding = native.findings[0];
  EXPECT_EQ(finding.code, "driver-too-new-for-gpu");
  EXPECT_EQ(finding.device, "7.0");
  EXPECT_TRUE(finding.path.empty() && finding.kernel.empty());
  EXPECT_EQ(report::message_of(finding),
            "promises[0]: driver 590, which is promised, does not know 7.0: driver 580 is the last "
            "that does");
  EXPECT_EQ(report::fix_of(finding), "promise driver 580 or older for 7.0, or do not promise 7.0");
  EXPECT_THAT(codes_and_devices(audit_with("590", {"5.0", "6.1", "7.0", "7.5"},
                                           file_of({ptx("50")}), {Verdict::jit})),
              ElementsAre("driver-too-new-for-gpu 5.0", "driver-too-new-for-gpu 6.1",
                          "driver-too-new-for-gpu 7.0"));
  EXPECT_TRUE(audit_with("580", {"7.0"}, file_of({sass("70")})).findings.empty());
  const auto old = audit_with("525", {"8.0", "12.0"}, file_of({sass("80"), sass("120")}));
  EXPECT_THAT(codes_and_devices(old), ElementsAre("driver-too-old-for-gpu 12.0"));
  EXPECT_EQ(report::message_of(old.findings[0]),
            "promises[0]: driver 525, which is promised, does not know 12.0: driver 570 is the "
            "first that does");
  EXPECT_EQ(report::fix_of(old.findings[0]),
            "promise driver 570 or newer for 12.0, or do not promise 12.0");
  EXPECT_TRUE(
      audit_with("570", {"8.0", "12.0"}, file_of({sass("80"), sass("120")})).findings.empty());
}

TEST(UnknownGpus, AreOneFindingAnAuditForEachDriver) {
  auto wanted = request({"7.0", "7.5"});
  wanted.cell = "cu124-fat";
  wanted.promises[0].driver = coverage::parse_driver("590");
  wanted.promises.push_back(wanted.promises[0]);
  wanted.promises[1].place = "promises[1]";
  wanted.promises.push_back(wanted.promises[0]);
  wanted.promises[2].place = "promises[2]";
  wanted.promises[2].driver = coverage::parse_driver("13.2");
  const auto file =
      file_of({sass("70", {kernel("a"), kernel("b")}), sass("75", {kernel("a"), kernel("b")})});
  const auto result = coverage::audit({file, file}, wanted);
  ASSERT_EQ(result.findings.size(), 2U);
  EXPECT_THAT(report::message_of(result.findings[0]),
              HasSubstr("promises[0]: driver 590, which is promised, does not know 7.0"));
  EXPECT_THAT(
      report::message_of(result.findings[1]),
      HasSubstr("promises[2]: a driver for CUDA 13.2, which is promised, does not know 7.0"));
  EXPECT_EQ(result.findings[0].cell, "cu124-fat");
}

TEST(UnknownGpus, ConcernOnlyPromisesOfKernelsThatAreThere) {
  auto wanted = request({"7.0"});
  wanted.promises[0].driver = coverage::parse_driver("580");
  wanted.promises.push_back(promise({"7.0"}));
  wanted.promises[1].kernels = "other";
  wanted.promises[1].driver = coverage::parse_driver("590");
  EXPECT_TRUE(audit_one(file_of({sass("70")}), wanted).findings.empty());
  wanted.promises[1].kernels = "k";
  EXPECT_THAT(codes_and_devices(audit_one(file_of({sass("70")}), wanted)),
              ElementsAre("driver-too-new-for-gpu 7.0"));
  wanted.devices = {device("7.5")};
  EXPECT_TRUE(audit_one(file_of({sass("70")}), wanted).findings.empty()) << "not asked for";
}

TEST(UnknownGpus, AreNoneThatMostKernelsAreHeldToUnlessTheyAreNamed) {
  Request wanted;
  wanted.accept_without_promise = coverage::default_verdicts();
  wanted.driver = coverage::parse_driver("590");
  const auto file = file_of({sass("70"), sass("75")});
  const auto result = audit_one(file, wanted);
  EXPECT_TRUE(result.findings.empty());
  EXPECT_THAT(result.devices, ElementsAre(device("7.5")));
  EXPECT_THAT(result.unjudged, ElementsAre(Pair(_, ElementsAre(device("7.0")))));
  EXPECT_EQ(result.notes.at(0).code, "gpus-without-driver");
  EXPECT_EQ(report::message_of(result.notes.at(0)),
            "not judged, as they do not run with driver 590: 7.0");
  wanted.devices = {device("7.0"), device("7.5")};
  EXPECT_THAT(codes_and_devices(audit_one(file, wanted)),
              ElementsAre("driver-too-new-for-gpu 7.0"));
}

TEST(OldDrivers, OfOneMajorReleaseDo) {
  auto wanted = request({"9.0"});
  wanted.promises[0].driver = coverage::parse_driver("525");
  for (const auto* toolkit : {"11.8", "12.0", "12.9", "", "0.1"}) {
    const auto result = audit_one(file_of({made_with(toolkit, sass("90"))}), wanted);
    EXPECT_TRUE(result.findings.empty()) << toolkit;
    EXPECT_TRUE(result.notes.empty()) << toolkit;
  }
}

TEST(OldDrivers, ConcernOnlyWhatTheirPromisesAreAbout) {
  auto wanted = request({"8.0", "9.0"});
  wanted.promises.push_back(promise({"9.0"}));
  wanted.promises[1].kernels = "other";
  wanted.promises[1].driver = coverage::parse_driver("470");
  EXPECT_TRUE(
      audit_one(file_of({made_with("13.0", sass("80")), made_with("13.0", sass("90"))}), wanted)
          .findings.empty())
      << "no kernel matches";
  auto both = file_of({made_with("11.8", sass("80")), made_with("13.0", sass("90"))});
  wanted = request({"8.0"});
  wanted.promises[0].driver = coverage::parse_driver("470");
  EXPECT_TRUE(audit_one(both, wanted).findings.empty()) << "8.0 takes what CUDA 11.8 made";
}

Image in_zstd(Image image) {
  image.compression = fatbin::Compression::zstd;
  return image;
}

TEST(OldDrivers, DoNotDecompressZstd) {
  const auto file =
      file_of({in_zstd(made_with("12.9", sass("80"))), made_with("12.9", sass("90"))});
  const auto old = audit_with("535", {"8.0", "8.6", "9.0"}, file);
  ASSERT_EQ(old.findings.size(), 1U);
  EXPECT_EQ(old.findings[0].code, "driver-too-old");
  EXPECT_EQ(report::message_of(old.findings[0]),
            "its machine code for 8.0, 8.6 is compressed by zstd, which driver 550 is the first to "
            "decompress; promised is driver 535");
  EXPECT_EQ(report::fix_of(old.findings[0]),
            "promise driver 550 or newer, or compile without nvcc's option --compress-mode");
  EXPECT_TRUE(audit_with("535", {"9.0"}, file).findings.empty()) << "9.0 takes what is not packed";
  EXPECT_TRUE(audit_with("550", {"8.0"}, file).findings.empty());
  EXPECT_TRUE(audit_with("12.4", {"8.0"}, file).findings.empty());
  EXPECT_EQ(audit_with("12.3", {"8.0"}, file).findings.size(), 1U);
}

TEST(OldDrivers, LoadAnotherFileOfThePackageWithTheSameKernels) {
  Request asked;
  asked.accept_without_promise = coverage::default_verdicts();
  asked.devices = {device("8.0")};
  asked.driver = coverage::parse_driver("535");
  const auto file_for = [](const std::string& path, const std::string& toolkit) {
    auto file = file_of({made_with(toolkit, sass("80", {kernel("a"), kernel("b")}))});
    file.path = path;
    return file;
  };
  const auto both = coverage::audit(
      {file_for("x.whl!libx_cuda12.so", "12.1"), file_for("x.whl!libx_cuda13.so", "13.0")}, asked);
  EXPECT_TRUE(both.findings.empty());
  ASSERT_EQ(both.notes.size(), 1U);
  EXPECT_EQ(both.notes[0].code, "driver-may-be-too-old");
  EXPECT_EQ(both.notes[0].path, "x.whl!libx_cuda13.so");
  const auto alone = coverage::audit({file_for("x.whl!libx_cuda13.so", "13.0")}, asked);
  ASSERT_EQ(alone.findings.size(), 1U);
  EXPECT_EQ(report::message_of(alone.findings[0]),
            "its machine code for 8.0 was made with CUDA 13.0, which needs driver 580 or newer; "
            "this is driver 535");
  EXPECT_THAT(report::fix_of(alone.findings[0]), HasSubstr("install driver 580 or newer"));
}

TEST(OldDrivers, AreToldOnceWhereTheyAreTooOldForTheToolkitToo) {
  const auto result = audit_with("535", {"8.0"}, file_of({in_zstd(made_with("13.0", sass("80")))}));
  ASSERT_EQ(result.findings.size(), 1U);
  EXPECT_THAT(report::message_of(result.findings[0]), HasSubstr("was made with CUDA 13.0"));
}

TEST(OldDrivers, AreToldOfWhatTheyDoNotDecompressBesideANote) {
  auto file = file_of({in_zstd(made_with("12.9", sass("80")))});
  add_module(file, {made_with("13.0", sass("80"))}).registered = false;
  const auto result = audit_with("535", {"8.0"}, file);
  ASSERT_EQ(result.findings.size(), 1U);
  EXPECT_THAT(report::message_of(result.findings[0]), HasSubstr("compressed by zstd"));
}

TEST(OldDrivers, NeedNotDecompressWhatOnlyALinkWasMadeOf) {
  auto file = file_of({in_zstd(made_with("12.9", sass("80")))});
  file.modules[0].relocatable = true;
  add_module(file, {made_with("12.9", sass("80"))}).linked = true;
  EXPECT_TRUE(audit_with("535", {"8.0"}, file).findings.empty());
}

TEST(OldDrivers, ThatDoNotDecompressAreARemarkWhereHostCodePicks) {
  auto file = file_of({in_zstd(made_with("12.9", sass("80")))});
  file.modules[0].registered = false;
  const auto result = audit_with("535", {"8.0"}, file);
  EXPECT_TRUE(result.findings.empty());
  EXPECT_EQ(result.notes.at(0).code, "driver-may-be-too-old");
}

// No source says whether a driver rejects the code itself; it does reject a program's runtime.
TEST(OldDrivers, AreARemarkWhereHostCodePicks) {
  auto file = file_of({made_with("13.0", sass("80"))});
  file.modules[0].registered = false;
  auto wanted = request({"8.0"});
  wanted.promises[0].driver = coverage::parse_driver("470");
  const auto result = audit_one(file, wanted);
  EXPECT_TRUE(result.findings.empty());
  ASSERT_FALSE(result.notes.empty());
  EXPECT_EQ(result.notes[0].code, "driver-may-be-too-old");
  EXPECT_THAT(report::message_of(result.notes[0]),
              HasSubstr("needs driver 580 or newer: whether driver 470 loads it all the same"));
}

}  // namespace
}  // namespace archgrid::tests
