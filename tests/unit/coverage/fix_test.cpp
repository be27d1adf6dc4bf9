// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "requests.hpp"

namespace archgrid::tests {
namespace {

using coverage::Request;
using coverage::Verdict;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::Not;

TEST(Fix, WhereTheArchIsThereAndTheKernelIsNotItSaysSo) {
  auto file = file_of({sass("80"), sass("90", {kernel("other")})});
  file.modules[0].unit = "gemv.cu";
  const auto result = audit_one(file, request({"9.0"}));
  const auto finding = std::find_if(result.findings.begin(), result.findings.end(),
                                    [](const auto& one) { return one.kernel == "k"; });
  ASSERT_NE(finding, result.findings.end());
  EXPECT_EQ(
      report::fix_of(*finding),
      "gemv.cu of libx.so is compiled for 90, but without this kernel: look for an `#if "
      "__CUDA_ARCH__` around it or around what instantiates it, do not promise 9.0, or ignore "
      "it with a reason");
}

TEST(Fix, SaysWhenTheToolkitCannotCompileForTheDevice) {
  auto wanted = request({"10.0"});
  wanted.toolkit = coverage::Version{11, 8};
  const auto result = audit_one(file_of({sass("90")}), wanted);
  ASSERT_EQ(result.findings.size(), 1U);
  EXPECT_THAT(report::fix_of(result.findings[0]),
              HasSubstr("CUDA 11.8 cannot compile for 100, CUDA 12.8 to "));
  wanted.toolkit = coverage::Version{13, 0};
  EXPECT_THAT(report::fix_of(audit_one(file_of({sass("90")}), wanted).findings.at(0)),
              HasSubstr("code=sm_100 to"));
}

TEST(Fix, NamesTheTargetThatCompilesTheFile) {
  auto wanted = request({"9.0"});
  wanted.options = coverage::Options::cmake;
  wanted.target = "mylib";
  const auto fix_with = [&](bool linked) {
    auto file = file_of({sass("80")});
    file.modules.at(0).linked = linked;
    return report::fix_of(audit_one(std::move(file), wanted).findings.at(0));
  };
  EXPECT_THAT(fix_with(false), EndsWith("add 90 to the CUDA_ARCHITECTURES of mylib"));
  EXPECT_THAT(fix_with(true), HasSubstr("of mylib and of what it is linked with"));
}

TEST(Fix, SaysWhenTheToolkitThatAFileRecordsCannotCompileForTheDevice) {
  const auto fix_of = [](const std::string& toolkit, const std::string& device) {
    auto image = sass("80");
    image.toolkit = toolkit;
    return report::fix_of(audit_one(file_of({image}), request({device})).findings.at(0));
  };
  EXPECT_EQ(fix_of("13.0", "7.0"),
            "it was built with CUDA 13.0, which cannot compile for 70; CUDA 11.0 to 12.9 can: "
            "build with one of those, or do not promise 7.0");
  EXPECT_THAT(fix_of("11.8", "12.0"), HasSubstr("CUDA 12.8 to "));
  EXPECT_THAT(
      fix_of("12.8", "12.0"),
      HasSubstr("add -gencode arch=compute_120,code=sm_120 to nvcc's options, or in CMake 120 to "
                "CUDA_ARCHITECTURES"));
  for (const auto* unknown : {"", "10.2", "99.0", "new"}) {
    EXPECT_THAT(fix_of(unknown, "7.0"), HasSubstr("code=sm_70 to nvcc's options")) << unknown;
  }
  auto image = sass("80");
  image.toolkit = "13.0";
  auto wanted = request({"7.0"});
  wanted.toolkit = coverage::Version{12, 4};
  EXPECT_THAT(report::fix_of(audit_one(file_of({image}), wanted).findings.at(0)),
              HasSubstr("code=sm_70 to"))
      << "who names the toolkit knows";
}

/// Returns the fix for a device that a file of `image` does not serve.
std::string fix_for(Image image, const std::string& toolkit, const std::string& device,
                    coverage::Verdicts accept = coverage::default_verdicts()) {
  image.toolkit = toolkit;
  Request wanted;
  wanted.promises = {promise({device}, std::move(accept))};
  return report::fix_of(audit_one(file_of({std::move(image)}), wanted).findings.at(0));
}

TEST(Fix, NamesAnotherArchOfTheToolkitThatServesTheDevice) {
  EXPECT_EQ(
      fix_for(sass("90"), "12.4", "8.8"),
      "compile the source of this kernel in libx.so for 80 too, which serves 8.8 (CUDA 12.4 "
      "cannot compile for 88): add -gencode arch=compute_80,code=sm_80 to nvcc's options, or in "
      "CMake 80 to CUDA_ARCHITECTURES");
  EXPECT_THAT(fix_for(sass("90"), "12.8", "10.3"), HasSubstr("code=sm_100 to"));
  EXPECT_THAT(fix_for(sass("90"), "12.8", "12.1"), HasSubstr("code=sm_120 to"));
  EXPECT_THAT(fix_for(sass("75"), "11.2", "8.9"), HasSubstr("code=sm_80 to"));
  EXPECT_THAT(fix_for(sass("100a"), "12.8", "10.3"), HasSubstr("code=sm_100 to")) << "wrong-suffix";
  EXPECT_THAT(fix_for(ptx("90"), "12.4", "10.0", {Verdict::compatible}),
              HasSubstr("it was built with CUDA 12.4, which cannot compile for 100"));
}

/// Returns the fix for 10.0 of a kernel that does nothing in PTX for 8.0, with other code for
/// `arch`.
std::string fix_beside_idle_ptx(const std::string& arch, std::vector<std::string> cell = {}) {
  auto wanted = request({"10.0"});
  wanted.cell_archs = std::move(cell);
  if (!wanted.cell_archs.empty()) wanted.toolkit = coverage::Version{13, 0};
  const auto file = file_of({ptx("80", "8.4", {kernel("k", Body::empty)}), sass(arch)});
  return report::fix_of(audit_one(file, wanted).findings.at(0));
}

TEST(Fix, WhereOldPtxDoesNothingCompilesForTheDevice) {
  EXPECT_EQ(fix_beside_idle_ptx("90a"),
            "compile the source of this kernel in libx.so for 100 too: add -gencode "
            "arch=compute_100,code=sm_100 to nvcc's options, or in CMake 100 to "
            "CUDA_ARCHITECTURES; or look at the `#if __CUDA_ARCH__` guards there");
  EXPECT_THAT(fix_beside_idle_ptx("120"), HasSubstr("give the kernel a body for 10.0"))
      << "only newer code works";
  EXPECT_THAT(fix_beside_idle_ptx("90a", {"80-virtual", "90a-real"}),
              HasSubstr("give the kernel a body for 10.0"))
      << "a cell compiles for its own archs";
}

TEST(Fix, AnotherArchServesOnlyByAVerdictThatThePromiseAccepts) {
  EXPECT_THAT(fix_for(sass("90"), "12.4", "8.8", {Verdict::native}),
              HasSubstr("which cannot compile for 88; CUDA 13.0 to 13.5 can"));
  EXPECT_THAT(fix_for(sass("90"), "12.4", "10.0"), HasSubstr("which cannot compile for 100"));
  EXPECT_THAT(fix_for(sass("90"), "12.4", "10.0", {Verdict::native, Verdict::jit}),
              HasSubstr("for 90-virtual too, which serves 10.0 (CUDA 12.4 cannot compile for 100): "
                        "add -gencode arch=compute_90,code=compute_90 to"));
  EXPECT_THAT(fix_for(sass("75"), "11.2", "8.7"), HasSubstr("which cannot compile for 87"));
  EXPECT_THAT(fix_for(sass("75"), "11.2", "8.7", {Verdict::unknown}), HasSubstr("code=sm_80 to"));
}

TEST(Fix, PtxThatThePromisedDriverCannotReadServesNoDevice) {
  auto image = sass("90");
  image.toolkit = "12.4";
  Request wanted;
  wanted.promises = {promise({"8.8"}, {Verdict::native, Verdict::jit})};
  wanted.promises[0].driver = coverage::parse_driver("545");
  EXPECT_THAT(report::fix_of(audit_one(file_of({image}), wanted).findings.at(0)),
              HasSubstr("which cannot compile for 88"));
  wanted.promises[0].driver = coverage::parse_driver("550");
  EXPECT_THAT(report::fix_of(audit_one(file_of({image}), wanted).findings.at(0)),
              HasSubstr("code=compute_87 to"));
}

TEST(Fix, TheSaidToolkitDecidesWhichArchServes) {
  auto wanted = request({"8.8"});
  wanted.toolkit = coverage::Version{12, 4};
  EXPECT_THAT(report::fix_of(audit_one(file_of({sass("90")}), wanted).findings.at(0)),
              HasSubstr("code=sm_80 to"));
  wanted.toolkit = coverage::Version{13, 0};
  EXPECT_THAT(report::fix_of(audit_one(file_of({sass("90")}), wanted).findings.at(0)),
              HasSubstr("code=sm_88 to"));
}

TEST(Fix, AddsNoArchBeforeWhichTheDeviceTakesOneWithoutTheKernel) {
  const auto fix_of = [](std::vector<Image> images, const std::string& where,
                         coverage::Verdicts accept = coverage::default_verdicts()) {
    for (auto& image : images) image.toolkit = "12.4";
    Request wanted;
    wanted.promises = {promise({where}, std::move(accept))};
    const auto result = audit_one(file_of(std::move(images)), wanted);
    const auto finding = std::find_if(result.findings.begin(), result.findings.end(),
                                      [](const auto& one) { return one.kernel == "k"; });
    return finding == result.findings.end() ? std::string() : report::fix_of(*finding);
  };
  const auto other = std::vector<fatbin::Kernel>{kernel("other")};
  EXPECT_THAT(fix_of({sass("90"), sass("80", other)}, "8.8"),
              HasSubstr("is compiled for 80, but without this kernel"));
  EXPECT_THAT(fix_of({sass("80"), sass("86", other)}, "8.8"),
              HasSubstr("is compiled for 86, but without this kernel"))
      << "80, the lowest that serves, is there and not taken";
  const coverage::Verdicts jit = {Verdict::native, Verdict::jit};
  EXPECT_THAT(fix_of({sass("90"), ptx("90", "8.4", other)}, "10.0", jit),
              HasSubstr("is compiled for 90, but without this kernel"));
  EXPECT_THAT(fix_of({sass("90"), ptx("80", "8.4", other)}, "10.0", jit),
              HasSubstr("code=compute_90 to"));
}

TEST(Fix, AnArchThatMayServeServesWhereUnknownIsAccepted) {
  EXPECT_FALSE(coverage::arch_serves("80-real", device("8.7"), coverage::default_verdicts()));
  EXPECT_TRUE(coverage::arch_serves("80-real", device("8.7"), {Verdict::unknown}));
}

TEST(Fix, OfADamagedImageIsAnUndamagedOne) {
  auto broken = sass("90", {});
  broken.error = "the zstd frame is corrupt";
  auto file = file_of({sass("80"), broken});
  const auto result = audit_one(file, request({"9.0"}));
  ASSERT_EQ(result.findings.size(), 1U);
  EXPECT_EQ(result.findings[0].code, "unknown");
  EXPECT_EQ(report::fix_of(result.findings[0]),
            "audit an undamaged copy of libx.so: what it has for 9.0 cannot be read");
  file.images[1].obfuscated = true;
  EXPECT_THAT(report::fix_of(audit_one(file, request({"9.0"})).findings.at(0)),
              Not(HasSubstr("undamaged")));
}

TEST(Fix, OfALinkIsToLinkForTheArchToo) {
  File file;
  add_module(file, {sass("80")}).linked = true;
  add_module(file, {sass("80"), sass("90")}).relocatable = true;
  auto wanted = request({"9.0"});
  EXPECT_THAT(report::fix_of(audit_one(file, wanted).findings.at(0)),
              HasSubstr(" and what it is linked with for 90 too: add -gencode"));
  wanted.cell = "cu130-fat";
  wanted.options = coverage::Options::cmake;
  const auto result = audit_one(file, wanted);
  ASSERT_EQ(result.findings.size(), 1U);
  EXPECT_THAT(report::fix_of(result.findings[0]),
              HasSubstr("add 90 to the CUDA_ARCHITECTURES of the targets that compile them, and of "
                        "the one that links them"));
  wanted.options = coverage::Options::nvcc;
  const auto by_nvcc = report::fix_of(audit_one(file, wanted).findings.at(0));
  EXPECT_THAT(by_nvcc, HasSubstr("add -gencode arch=compute_90,code=sm_90 to nvcc's options"));
  EXPECT_THAT(by_nvcc, Not(HasSubstr("CUDA_ARCHITECTURES")));
}

/// Returns the fix for a file of `image` in a cell of `archs`.
std::string fix_in_cell(const std::vector<std::string>& archs, Image image, Request wanted) {
  wanted.cell = "cu135-fat";
  wanted.toolkit = wanted.toolkit.value_or(coverage::Version{13, 5});
  if (wanted.options == coverage::Options::both) wanted.options = coverage::Options::cmake;
  wanted.cell_archs = archs;
  return report::fix_of(audit_one(file_of({std::move(image)}), wanted).findings.at(0));
}

TEST(Fix, WhereNoArchOfTheCellServesTheDeviceItIsInTheMatrixFile) {
  const std::string matrix = "add 90 to the archs of CUDA 13.5 in the matrix file";
  EXPECT_EQ(fix_in_cell({"80"}, sass("80"), request({"9.0"})), matrix);
  EXPECT_EQ(fix_in_cell({"80", "100", "90a-virtual"}, sass("80"), request({"9.0"})), matrix)
      << "jit is not accepted";
  EXPECT_EQ(fix_in_cell({"80", "90"}, sass("80"), request({"9.0"})),
            "compile the source of this kernel in libx.so for 90 too: add 90 to the "
            "CUDA_ARCHITECTURES of the target that compiles it");
  auto by_nvcc = request({"9.0"});
  by_nvcc.options = coverage::Options::nvcc;
  EXPECT_EQ(fix_in_cell({"80"}, sass("80"), by_nvcc),
            matrix +
                ", and -gencode arch=compute_90,code=sm_90 to nvcc's options where they do not "
                "follow CMAKE_CUDA_ARCHITECTURES");
  EXPECT_EQ(fix_in_cell({"80", "90"}, sass("80"), by_nvcc),
            "compile the source of this kernel in libx.so for 90 too: add -gencode "
            "arch=compute_90,code=sm_90 to nvcc's options");
}

TEST(Fix, InACellNamesTheArchThatTheCellHasForTheDevice) {
  EXPECT_EQ(fix_in_cell({"75", "80-real"}, sass("75"), request({"8.6"})),
            "compile the source of this kernel in libx.so for 80-real too, which serves 8.6: add "
            "80-real to the CUDA_ARCHITECTURES of the target that compiles it")
      << "code for 86 would fail the cell";
  EXPECT_THAT(fix_in_cell({"80", "90a"}, sass("80"), request({"9.0"})),
              HasSubstr("for 90a too: add 90a to the"));
  for (const auto& archs : {std::vector<std::string>{"75", "80", "86"}, {"75", "86", "80"}}) {
    EXPECT_THAT(fix_in_cell(archs, sass("75"), request({"8.9"})), HasSubstr("add 86 to the"))
        << "the nearest, wherever it stands";
  }
  auto any = request({"8.9"});
  any.promises[0].accept = {Verdict::native, Verdict::compatible, Verdict::jit};
  EXPECT_THAT(fix_in_cell({"86", "89-virtual", "80"}, sass("75"), any), HasSubstr("add 86 to the"))
      << "machine code first";
  auto by_ptx = request({"9.0"});
  by_ptx.promises[0].accept = {Verdict::native, Verdict::jit};
  by_ptx.options = coverage::Options::nvcc;
  EXPECT_THAT(fix_in_cell({"80"}, sass("80"), by_ptx),
              HasSubstr("add -gencode arch=compute_80,code=compute_80 to nvcc's options"));
}

TEST(Fix, WhereNoPtxOfTheCellCanBeReadItIsInTheMatrixFile) {
  auto wanted = request({"9.0"});
  wanted.promises[0].accept = {Verdict::native, Verdict::jit};
  wanted.promises[0].driver = coverage::parse_driver("580");
  EXPECT_EQ(fix_in_cell({"80"}, ptx("80", "9.3"), wanted),
            "add 90 to the archs of CUDA 13.5 in the matrix file, or promise a newer driver");
}

TEST(Fix, WhereTheToolkitHasAnotherArchForTheDeviceTheMatrixFileGetsThat) {
  auto wanted = request({"8.8"});
  wanted.toolkit = coverage::Version{12, 4};
  EXPECT_EQ(fix_in_cell({"90"}, sass("90"), wanted),
            "add 80, which serves 8.8 (CUDA 12.4 cannot compile for 88), to the archs of CUDA 12.4 "
            "in the matrix file");
  EXPECT_EQ(fix_in_cell({"86", "90"}, sass("90"), wanted),
            "compile the source of this kernel in libx.so for 86 too, which serves 8.8: add 86 to "
            "the CUDA_ARCHITECTURES of the target that compiles it");
}

TEST(Fix, OfAnEmptyBodyNamesThePlaceOfThePromise) {
  const auto fix_at = [](coverage::PromisePlace place, const std::string& name, int kernels) {
    coverage::Remedy remedy;
    remedy.device = device("7.5");
    remedy.verdict = Verdict::empty;
    remedy.place = place;
    remedy.audited = "mylib";
    remedy.options = coverage::Options::nvcc;
    return report::fix_text(
        remedy, {}, {"libx.so", name, true, static_cast<std::size_t>(kernels), {"x.cu"}, 1});
  };
  using coverage::PromisePlace;
  for (const auto place : {PromisePlace::matrix_file, PromisePlace::pyproject,
                           PromisePlace::options, PromisePlace::cmake}) {
    EXPECT_THAT(fix_at(place, "k", 1), EndsWith("guards, or ignore it with a reason"));
  }
  const std::string many = "ignore them with that reason, or add ";
  EXPECT_THAT(fix_at(PromisePlace::matrix_file, "k", 2),
              EndsWith(many + "\"empty\" to \"accept\" in the matrix file"));
  EXPECT_THAT(fix_at(PromisePlace::pyproject, "k", 2),
              EndsWith(many + "\"empty\" to \"accept\" in [tool.archgrid]"));
  EXPECT_THAT(fix_at(PromisePlace::options, "k", 2), EndsWith(many + "empty to --accept"));
  EXPECT_THAT(fix_at(PromisePlace::cmake, "k", 2),
              EndsWith(many + "empty to the ACCEPT of archgrid_promise()"));
}

TEST(Fix, OfAnUndefinedSymbolIsToLinkOrToIgnore) {
  const auto fix_of = [](std::size_t kernels) {
    coverage::Remedy remedy;
    remedy.verdict = Verdict::unknown;
    remedy.undefined = "f";
    return report::fix_text(remedy, {}, {"libx.so", "k", true, kernels, {}, 1});
  };
  EXPECT_THAT(fix_of(1), EndsWith("links it when it runs, ignore it with that reason"));
  EXPECT_THAT(fix_of(2), EndsWith("links them when it runs, ignore them with that reason"));
}

TEST(Fix, OfAFileThatACommandMakesIsForNvcc) {
  const auto fix_with = [](const std::set<std::string>& handmade, const std::string& path) {
    auto wanted = request({"9.0"});
    wanted.cell = "cu135-fat";
    wanted.toolkit = coverage::Version{13, 5};
    wanted.options = coverage::Options::cmake;
    wanted.cell_archs = {"80", "90"};
    wanted.handmade = handmade;
    auto file = file_of({sass("80")});
    file.path = path;
    return report::fix_of(audit_one(std::move(file), wanted).findings.at(0));
  };
  const auto by_nvcc = HasSubstr("add -gencode arch=compute_90,code=sm_90 to nvcc's options");
  const auto by_cmake = HasSubstr("add 90 to the CUDA_ARCHITECTURES of the target");
  EXPECT_THAT(fix_with({"hand/liba.a", "hand/libx.so"}, "hand/libx.so"), by_nvcc);
  EXPECT_THAT(fix_with({"hand/liba.a"}, "hand/liba.a!kernel.o"), by_nvcc) << "a member";
  EXPECT_THAT(fix_with({"hand/liba.a"}, "libx.so"), by_cmake);
  EXPECT_THAT(fix_with({"hand/liba"}, "hand/liba.a"), by_cmake);
  const auto of_package = fix_with({"x.whl"}, "x.whl!x/libx.so");
  EXPECT_THAT(of_package, by_nvcc) << "which may hold either";
  EXPECT_THAT(of_package, HasSubstr("or in CMake 90 to CUDA_ARCHITECTURES"));
  EXPECT_THAT(fix_with({}, "hand/libx.so"), by_cmake);
}

}  // namespace
}  // namespace archgrid::tests
