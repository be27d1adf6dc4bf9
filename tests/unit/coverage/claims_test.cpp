// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "packages.hpp"
#include "requests.hpp"

namespace archgrid::tests {
namespace {

using coverage::Claims;
using coverage::Request;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr const char* kVariant = "x.whl!x-1.0.dist-info/variant.json";
constexpr const char* kIndex = "x.conda!info-x.tar.zst!info/index.json";

/// Returns a wheel's metadata with a variant for these archs.
std::string variant_for(const std::string& archs) {
  return R"({"variants": {"cu13": {"nvidia": {"sm_arch": [)" + archs +
         R"(], "cuda_version_lower_bound": ["13.0"]}, "x86_64": {"level": ["v3"]}}}})";
}

std::string index_with(const std::string& dependency) {
  return R"({"name": "x", "depends": ["python >=3.11", ")" + dependency + R"("]})";
}

TEST(Claims, AreInMetadataOfPackages) {
  EXPECT_TRUE(coverage::may_claim(kVariant));
  EXPECT_TRUE(coverage::may_claim(kIndex));
  EXPECT_TRUE(coverage::may_claim("x.tar.bz2!info/index.json"));
  EXPECT_TRUE(coverage::may_claim("x.whl!x-1.0.dist-info/METADATA"));
  for (const auto* other : {"x-1.0.dist-info/variant.json", "x.whl!pkg/variant.json",
                            "x.whl!x/_vendor/z-1.0.dist-info/variant.json",
                            "x.whl!pkg/info/index.json", "x.whl!pkg/METADATA"}) {
    EXPECT_FALSE(coverage::may_claim(other)) << other;
  }
}

TEST(Claims, CountTheCudaSourcesOfArchives) {
  EXPECT_TRUE(coverage::may_claim("x.whl!x/csrc/a.cu"));
  EXPECT_FALSE(coverage::may_claim("checkout/src/a.cu")) << "a folder may be that of its build";
  Claims claims;
  for (const char* path : {"x.whl!x/a.cu", "x.whl!x/b.cu"}) coverage::add_claim(path, "", claims);
  coverage::add_claim("x.whl!x-1.0.dist-info/variant.json", variant_for("\"90_real\""), claims);
  EXPECT_EQ(claims.at("x.whl").cuda_sources, 2U);
  coverage::add_claim("checkout/src/a.cu", "", claims);
  EXPECT_EQ(claims.size(), 1U);
}

TEST(Claims, OfDescriptionsAreTheOldestGpuThatTheyName) {
  const auto gpu = [](const char* text) { return coverage::described_gpu(text); };
  EXPECT_EQ(gpu("- GPU: Must be compute capability 7.5 or higher.\n"), device("7.5"));
  EXPECT_EQ(gpu("x\nGPU: compute capability 8.9+\nCompute Capability >= 7.0\n"), device("7.0"));
  for (const char* line :
       {"Requires an NVIDIA GPU with compute capability 7.5+", "Compute capability: >=7.5.",
        "* Needs compute capability of 7.5 and newer (Turing)", "GPU: **compute capability 7.5 +**",
        "Compute capability \xe2\x89\xa5 7.5"}) {
    EXPECT_EQ(gpu(line), device("7.5")) << line;
  }
  for (const char* line :
       {"FP8 features require Compute Capability 8.9+ (Ada/Hopper/Blackwell)",
        "Flash attention requires a GPU with compute capability 8.0 or higher",
        "GPUs with compute capability 7.5 or higher are not supported before 2.0; use 8.0.",
        "A GPU of compute capability 8.9+ for FP8", "GPU: compute capability 7.5",
        "compute capability", "compute capability 7 or higher", "Compute capability 8.0 or"}) {
    EXPECT_EQ(gpu(line), std::nullopt) << line;
  }
  EXPECT_EQ(gpu("available on devices with compute capability 8.0 or 8.6 (Ampere GPUs)"),
            std::nullopt);
  EXPECT_EQ(gpu("COMPUTE_CAPABILITIES=\"75,80,86\" pip install"), std::nullopt);
  EXPECT_EQ(gpu(""), std::nullopt);
}

TEST(Claims, OfVariantsAreArchs) {
  const auto claim = coverage::read_claim(kVariant, variant_for(R"("90_real", "100_virtual")"));
  ASSERT_TRUE(claim.has_value());
  EXPECT_THAT(claim->archs, ElementsAre("100-virtual", "90-real"));
  EXPECT_FALSE(coverage::leaves_out(*claim, device("9.0")));
  EXPECT_FALSE(coverage::leaves_out(*claim, device("12.0"))) << "by PTX";
  EXPECT_TRUE(coverage::leaves_out(*claim, device("8.0")));
  EXPECT_THAT(coverage::named_by(*claim), ElementsAre(device("9.0")));
}

TEST(Claims, OfCondaPackagesAreTheOldestGpu) {
  for (const auto* dependency :
       {"cuda-arch >=7.5", "__cuda_arch >=7.5,<13", "cuda-arch >=7.5 py_0"}) {
    const auto claim = coverage::read_claim(kIndex, index_with(dependency));
    ASSERT_TRUE(claim.has_value()) << dependency;
    EXPECT_TRUE(coverage::leaves_out(*claim, device("7.0")));
    EXPECT_FALSE(coverage::leaves_out(*claim, device("7.5")));
    EXPECT_FALSE(coverage::leaves_out(*claim, device("12.0")));
    EXPECT_THAT(coverage::named_by(*claim), ElementsAre(device("7.5")));
  }
}

TEST(Claims, ThatCannotBeReadAreSaid) {
  for (const auto* text : {"", "{}", "[]", "not JSON", R"({"variants": 3})",
                           R"({"variants": {"a": {"nvidia": {"sm_arch": [3]}}}})"}) {
    const auto claim = coverage::read_claim(kVariant, text);
    ASSERT_TRUE(claim.has_value()) << text;
    EXPECT_TRUE(claim->is_unread) << text;
    EXPECT_FALSE(coverage::leaves_out(*claim, device("5.0"))) << text;
    EXPECT_THAT(coverage::named_by(*claim), IsEmpty()) << text;
  }
  Request wanted;
  wanted.accept_without_promise = coverage::default_verdicts();
  coverage::add_claim(kVariant, "not JSON", wanted.claims);
  auto file = file_of_many(3, {sass("75")});
  file.path = "x.whl!x/libx.so";
  const auto result = audit_one(file, wanted);
  EXPECT_THAT(result.notes,
              ::testing::Contains(::testing::Field(&coverage::Note::code, "metadata-not-read")));
}

TEST(Claims, OfOtherMetadataAreNone) {
  EXPECT_FALSE(coverage::read_claim(kVariant, variant_for(R"("new_real", "90")")).has_value());
  for (const auto* dependency : {"cuda-version >=12.4", "__cuda >=12", "my-cuda-arch >=7.5",
                                 "cuda-arch >9.0a", "cuda-arch >=9.0|>=8.0", "cuda-arch ==9.0"}) {
    EXPECT_FALSE(coverage::read_claim(kIndex, index_with(dependency)).has_value()) << dependency;
  }
}

TEST(Claims, AreOfTheInnermostPackage) {
  Claims claims;
  coverage::add_claim("all.tar!a.whl!a.dist-info/variant.json", variant_for(R"("90_real")"),
                      claims);
  coverage::add_claim(kIndex, index_with("cuda-arch >=8.0"), claims);
  EXPECT_NE(coverage::find_claim(claims, "all.tar!a.whl!a/liba.so"), nullptr);
  EXPECT_EQ(coverage::find_claim(claims, "all.tar!b.whl!b/libb.so"), nullptr);
  EXPECT_NE(coverage::find_claim(claims, "x.conda!pkg-x.tar.zst!lib/libx.so"), nullptr);
  EXPECT_EQ(coverage::find_claim(claims, "x.conda"), nullptr);
}

/// Returns the findings of a wheel for 7.5 and 8.0 with a unit that lacks 7.5.
std::vector<std::string> errors_with(const Claims& claims) {
  auto file = file_of_many(3, {sass("75"), sass("80")});
  add_module(file, {sass("80", {kernel("x")})});
  file.path = "x.whl!x/libx.so";
  Request wanted;
  wanted.accept_without_promise = coverage::default_verdicts();
  wanted.claims = claims;
  std::vector<std::string> texts;
  for (const auto& finding : audit_one(file, wanted).findings) {
    std::string devices;
    for (const auto device : finding.cause->devices) devices += " " + device.text();
    texts.push_back(std::string(coverage::name_of(finding.cause->rule)) + devices);
  }
  return texts;
}

/// Returns the rules of errors and suspects of a wheel with a file for 8.0 alone beside one for
/// 7.5.
std::vector<std::string> rules_with(const Claims& claims, const char* end = "") {
  auto files = package_with({sass("80"), sass("90")});
  for (auto& file : files) file.path = "x.whl!x/" + file.path + end;
  Request wanted;
  wanted.accept_without_promise = coverage::default_verdicts();
  wanted.claims = claims;
  const auto result = coverage::audit(std::move(files), wanted);
  std::vector<std::string> rules;
  for (const auto& finding : result.findings)
    rules.push_back("error " + std::string(coverage::name_of(finding.cause->rule)));
  for (const auto& suspect : result.suspects)
    rules.push_back("suspect " + std::string(coverage::name_of(suspect.cause->rule)));
  return rules;
}

TEST(Claims, OfDescriptionsHoldForEachFile) {
  constexpr const char* kMetadata = "x.whl!x-1.0.dist-info/METADATA";
  EXPECT_THAT(rules_with({}), ElementsAre("suspect newer-gpus"));
  Claims claims;
  coverage::add_claim(kMetadata, "Needs compute capability 7.5 or higher.", claims);
  EXPECT_THAT(rules_with(claims), ElementsAre("error claimed"));
  coverage::add_claim("x.whl!x/a.py", "if torch.cuda.get_device_capability() < (8, 0):", claims);
  EXPECT_THAT(rules_with(claims, ".abi3.so"), ElementsAre("suspect python-checks"));
  EXPECT_THAT(rules_with(claims), ElementsAre("error claimed")) << "no Python module";
  Claims others;
  coverage::add_claim(kMetadata, "Needs compute capability 7.0 or higher.", others);
  EXPECT_THAT(rules_with(others), ElementsAre("error claimed")) << "7.5 is newer than 7.0";
  coverage::add_claim(kMetadata, "Needs compute capability 8.0 or higher.", others);
  EXPECT_THAT(rules_with(others), ElementsAre("error claimed")) << "the oldest one counts";
  Claims newer;
  coverage::add_claim(kMetadata, "Needs compute capability 8.0 or higher.", newer);
  EXPECT_THAT(rules_with(newer), ElementsAre("suspect newer-gpus"));
}

TEST(Claims, OfPackagesWithoutKernelsAskForNothing) {
  File empty;
  empty.path = "x.whl!x/libx.so";
  auto other = file_of_many(3, {sass("75"), sass("80")});
  other.path = "y.whl!y/liby.so";
  Request wanted;
  wanted.accept_without_promise = coverage::default_verdicts();
  coverage::add_claim(kVariant, variant_for(R"("90_real")"), wanted.claims);
  std::vector<File> files;
  files.push_back(empty);
  files.push_back(other);
  const auto result = coverage::audit(std::move(files), wanted);
  EXPECT_THAT(result.findings, IsEmpty());
  for (const auto each : result.devices) EXPECT_NE(each, device("9.0"));
}

TEST(Claims, AKernelWithoutCodeIsNoneThatIsCompiledFromPtx) {
  auto file = file_of_many(3, {sass("80"), ptx("80")});
  add_module(file, {sass("80", {kernel("without")})});
  file.path = "x.whl!x/libx.so";
  Request wanted;
  wanted.accept_without_promise = coverage::default_verdicts();
  coverage::add_claim(kVariant, variant_for(R"("80_real", "90_real")"), wanted.claims);
  const auto result = audit_one(file, wanted);
  ASSERT_EQ(result.findings.size(), 1U);
  EXPECT_EQ(result.findings[0].code, "file-lacks-arch");
  EXPECT_EQ(result.findings[0].kernel, "without");
  ASSERT_EQ(result.suspects.size(), 1U);
  EXPECT_EQ(result.suspects[0].code, "jit");
  EXPECT_EQ(result.suspects[0].kernels, 3U);
}

TEST(Claims, DecideWhichGpusArePromised) {
  EXPECT_THAT(errors_with({}), ElementsAre("unit 7.5"));
  Claims claims;
  coverage::add_claim(kVariant, variant_for(R"("80_real")"), claims);
  EXPECT_THAT(errors_with(claims), IsEmpty()) << "not for 7.5";
  claims.clear();
  coverage::add_claim(kVariant, variant_for(R"("75_real", "80_real", "90_real")"), claims);
  EXPECT_THAT(errors_with(claims), ElementsAre("claimed 9.0", "unit 7.5"));
}

/// Returns the oldest GPU that a claim says the file at `path` needs; empty for none.
std::string described_for(const coverage::Claims& claims, const std::string& path) {
  const auto* claim = coverage::find_claim(claims, path);
  return claim == nullptr || !claim->described ? "" : claim->described->text();
}

TEST(Claims, OfAnUnpackedWheelAreOfItsFolder) {
  const std::string text = "Requires compute capability 7.5 or higher\n";
  EXPECT_TRUE(coverage::may_claim("x/foo-1.0.dist-info/METADATA"));
  EXPECT_TRUE(coverage::may_claim("x/foo/a.py"));
  EXPECT_FALSE(coverage::may_claim("x/METADATA"));
  coverage::Claims one;
  coverage::add_claim("x/foo-1.0.dist-info/METADATA", text, one);
  coverage::add_claim("x/foo/sub/a.py", "torch.cuda.get_device_capability()", one);
  coverage::settle_folders(one);
  EXPECT_EQ(described_for(one, "x/bar/libbar.so"), "7.5") << "it has the folder for itself";
  EXPECT_EQ(described_for(one, "x/inner.zip!libbar.so"), "7.5");
  EXPECT_EQ(described_for(one, "other/bar/libbar.so"), "");
  EXPECT_TRUE(coverage::find_claim(one, "x/foo/_C.so")->python_checks);
  coverage::Claims several;
  coverage::add_claim("site/foo-1.0.dist-info/METADATA", text, several);
  coverage::add_claim("site/bar-2.0.dist-info/METADATA", "No GPU is named", several);
  coverage::add_claim("site/bar/a.py", "torch.cuda.get_device_capability()", several);
  coverage::settle_folders(several);
  EXPECT_EQ(described_for(several, "site/foo/libfoo.so"), "7.5");
  EXPECT_EQ(described_for(several, "site/foo.libs/libfoo.so"), "7.5");
  EXPECT_EQ(described_for(several, "site/bar/libbar.so"), "");
  EXPECT_EQ(described_for(several, "site/libother.so"), "");
  EXPECT_FALSE(coverage::find_claim(several, "site/foo/libfoo.so")->python_checks);
  EXPECT_TRUE(coverage::find_claim(several, "site/bar/libbar.so")->python_checks);
}

}  // namespace
}  // namespace archgrid::tests
