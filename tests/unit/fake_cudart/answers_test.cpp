// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests which images the fake GPUs load, and what that says of kernels.
#include "answers.hpp"

#include <algorithm>
#include <archgrid/coverage/image_selector.hpp>
#include <set>

namespace archgrid::tests {
namespace {

using coverage::Verdict;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::StartsWith;

// ---- Images that a GPU loads -------------------------------------------------------------------

struct Case {
  const char* kernel;
  const char* device;
  int error;
  int from_cuda = 11;  ///< first major release that can compile it
};

// Written by hand from NVIDIA's documents and, for device links, from the answers of an H200
// (docs/measurements). Each fat binary contains the images in its kernel's name.
constexpr Case kCases[] = {
    {"sass_75", "7.5", 0},
    {"sass_75", "8.0", 209},
    {"sass_80", "8.0", 0},
    {"sass_80", "8.6", 0},
    {"sass_80", "8.9", 0},
    {"sass_80", "7.5", 209},
    {"sass_80", "9.0", 209},
    {"sass_86", "8.6", 0},
    {"sass_86", "8.0", 209},
    {"sass_90", "9.0", 0},
    {"sass_90", "8.6", 209},
    {"sass_75_80_90", "7.5", 0},
    {"sass_75_80_90", "8.6", 0},
    {"sass_75_80_90", "9.0", 0},
    {"ptx_75", "7.5", 0},
    {"ptx_75", "9.0", 0},
    {"ptx_90", "9.0", 0},
    {"ptx_90", "8.6", 209},
    {"sass_80_ptx_80", "8.6", 0},
    {"sass_80_ptx_80", "9.0", 0},
    {"sass_80_ptx_80", "7.5", 209},
    {"only_90", "9.0", 0},
    {"only_90", "7.5", 500},
    {"only_90", "8.0", 209},
    {"linked_with_ptx", "8.0", 0},
    {"linked_with_ptx", "8.6", 0},
    {"linked_with_ptx", "9.0", 0},
    {"linked_with_ptx", "7.5", 500},
    {"linked_with_some_ptx", "8.0", 0},
    {"linked_with_some_ptx", "9.0", 300},
    {"linked_with_some_ptx", "7.5", 500},
    {"sass_90a", "9.0", 0, 12},
    {"sass_90a", "10.0", 209, 12},
    {"ptx_90a", "9.0", 0, 12},
    {"ptx_90a", "10.0", 209, 12},
    {"ptx_90", "10.0", 0, 12},
    {"sass_100", "10.0", 0, 13},
    {"sass_100", "10.3", 0, 13},
    {"sass_100", "12.0", 209, 13},
    {"sass_100f", "10.0", 0, 13},
    {"sass_100f", "10.3", 0, 13},
    {"sass_100f", "11.0", 209, 13},
    {"sass_100f", "9.0", 209, 13},
    {"ptx_100f", "10.3", 0, 13},
    {"ptx_100f", "12.0", 209, 13},
    {"sass_120", "12.1", 0, 13},
    {"sass_90", "12.0", 209, 13},
};

// The toolkit's driver does not support a newer GPU: such a case uses a driver that does.
std::string driver_for(const std::string& device) {
  return device == "10.0" || device == "10.3" || device == "11.0" || device == "12.0" ||
                 device == "12.1"
             ? std::max(toolkit(), std::string("13.0"))
             : toolkit();
}

TEST_F(Answers, ToLaunchesAreThoseOfTheDocuments) {
  int asked = 0;
  for (const auto& known : kCases) {
    if (cuda_major() < known.from_cuda) continue;
    const auto environment = machine(known.device, {}, driver_for(known.device));
    EXPECT_EQ(answer(environment, std::string("launch:") + known.kernel),
              std::to_string(known.error))
        << known.kernel << " on " << known.device;
    ++asked;
  }
  EXPECT_GE(asked, 31);
}

TEST_F(Answers, ToAllWaysOfLaunchingAreTheSame) {
  const std::vector<std::string> ways = {"launch",          "launch-pointer", "launch-config",
                                         "launch-together", "launch-handle",  "attributes",
                                         "occupancy"};
  for (const std::string kernel : {"sass_90", "sass_80", "ptx_75", "only_90"}) {
    for (const auto& way : ways) {
      for (const std::string device : {"7.5", "9.0"}) {
        const auto expected = answer(machine(device), "launch:" + kernel);
        EXPECT_THAT(answer(machine(device), way + ":" + kernel), StartsWith(expected))
            << way << " " << kernel << " on " << device;
      }
    }
  }
}

// ---- Agreement with the audit ------------------------------------------------------------------

/// Returns the program's file and its libraries, as an audit reads them.
const std::vector<fatbin::File>& files() {
  static const auto* read = [] {
    auto* all = new std::vector<fatbin::File>;
    for (const std::string name :
         {"/ask", "/liblinked_with_ptx.so", "/liblinked_with_some_ptx.so"}) {
      all->push_back(fatbin::read(folder() + name));
    }
    return all;
  }();
  return *read;
}

/// Returns verdicts by demangled name without parameters.
std::map<std::string, Verdict> verdicts(coverage::ComputeCapability device,
                                        const coverage::Driver& driver) {
  std::map<std::string, Verdict> found;
  for (const auto& file : files()) {
    const coverage::ImageSelector judge(file);
    for (const auto& row : judge.kernels()) {
      auto name = row.demangled.str();
      if (name.rfind("void ", 0) == 0) name.erase(0, 5);
      found[name.substr(0, name.find_first_of("<("))] = judge.verdict(row, device, &driver);
    }
  }
  return found;
}

bool agrees(Verdict verdict, int error) {
  switch (verdict) {
    case Verdict::native:
    case Verdict::compatible:
    case Verdict::jit:
    case Verdict::empty:
      return error == 0;
    case Verdict::ptx_too_new:
      return error == 222;
    case Verdict::unknown:  // an image that is not known to load is refused; 222: its PTX is, too
      return error == 209 || error == 222;
    case Verdict::wrong_suffix:
      return error == 209;
    case Verdict::missing:  // 222 and 300: of a device link whose objects do not all have PTX
      return error == 209 || error == 222 || error == 300 || error == 500;
  }
  return false;
}

TEST_F(Answers, AgreeWithWhatAnAuditSays) {
  std::set<Verdict> met;
  for (const std::string text : {"11.8", "12.4", "575.51.03", "580", "13.5"}) {
    const auto driver = *coverage::parse_driver(text);
    for (const auto& gpu : coverage::table().architectures) {
      if (coverage::fit_of(driver, gpu) != coverage::DriverFit::fits) continue;
      const auto environment = machine(gpu.device.text(), {}, text);
      const auto lines = answers(environment, {"launches"});
      ASSERT_EQ(lines.size(), 1U);
      const auto judged = verdicts(gpu.device, driver);
      const auto launched = launches(lines[0]);
      if (driver.cuda.major < cuda_major()) {
        for (const auto& [kernel, error] : launched) EXPECT_EQ(error, 35) << kernel;
        continue;
      }
      ASSERT_EQ(launched.size(), judged.size());
      for (const auto& [kernel, verdict] : judged) {
        met.insert(verdict);
        // The toolkit has more than the table about a driver that is newer than the table.
        if (driver.beyond && verdict == Verdict::unknown) continue;
        EXPECT_TRUE(agrees(verdict, launched.at(kernel)))
            << kernel << " on " << gpu.device.text() << " with " << text << ": " << name_of(verdict)
            << ", but " << launched.at(kernel);
      }
    }
  }
  EXPECT_TRUE(met.count(Verdict::native) != 0 && met.count(Verdict::compatible) != 0 &&
              met.count(Verdict::jit) != 0 && met.count(Verdict::missing) != 0);
}

// ---- Attributes --------------------------------------------------------------------------------

TEST_F(Answers, ToAttributesAreThoseOfTheImageThatIsTaken) {
  const auto native = attributes(machine("9.0"), "sass_90");
  EXPECT_EQ(native.error, 0);
  EXPECT_EQ(native.binary, 90);
  EXPECT_EQ(native.ptx, 90);
  EXPECT_GT(native.registers, 0);
  EXPECT_EQ(native.shared, 128);
  EXPECT_EQ(native.local, 0);
  EXPECT_EQ(native.constant, 0);
  EXPECT_EQ(native.threads, 1024);
  EXPECT_EQ(native.dynamic_shared, 48 * 1024 - 128);

  const auto compatible = attributes(machine("8.6"), "sass_75_80_90");
  EXPECT_EQ(compatible.binary, 80);
  EXPECT_EQ(compatible.shared, 128);
}

TEST_F(Answers, ToAttributesOfPtxAreThoseOfTheGpuThatItIsCompiledFor) {
  const auto compiled = attributes(machine("9.0"), "ptx_75");
  EXPECT_EQ(compiled.error, 0);
  EXPECT_EQ(compiled.binary, 90);
  EXPECT_EQ(compiled.ptx, 75);
  const auto linked = attributes(machine("9.0"), "linked_with_ptx");
  EXPECT_EQ(linked.binary, 90);
  EXPECT_EQ(linked.ptx, 80);
}

TEST_F(Answers, ToAttributesTellBoundsAndConstants) {
  const auto bounded = attributes(machine("9.0"), "bounded");
  EXPECT_EQ(bounded.threads, 128);
  EXPECT_EQ(bounded.constant, 64);
  const auto heavy = attributes(machine("9.0"), "heavy");
  EXPECT_GT(heavy.registers, 64);
  EXPECT_LT(heavy.threads, 1024);
}

TEST_F(Answers, ToNamesAreThoseThatWereRegistered) {
  EXPECT_EQ(answer(machine("9.0"), "name:sass_90"), "0 sass_90");
}

TEST_F(Answers, ToAttributesOfAKernelWithoutCodeAreItsError) {
  EXPECT_EQ(answer(machine("7.5"), "attributes:sass_90"), "209");
}

// ---- Drivers -----------------------------------------------------------------------------------

TEST_F(Answers, OfAnOldDriverAre35) {
  const auto old = machine("9.0", {}, std::to_string(cuda_major() - 1) + ".0");
  EXPECT_THAT(answers(old, {"count", "malloc", "launch:sass_90", "attributes:sass_90", "sync"}),
              ElementsAre("35 -1", "35", "35", "35", "35"));
}

TEST_F(Answers, OfAnOlderDriverOfTheSameMajorReleaseAreThoseOfMachineCodeOnly) {
  const auto older = machine("9.0", {}, std::to_string(cuda_major()) + ".0");
  // 11.0 does not support 9.0.
  if (cuda_major() == 11) {
    EXPECT_EQ(answer(older, "count"), "100 -1");
    const auto turing = machine("7.5", {}, "11.0");
    EXPECT_THAT(answers(turing, {"launch:sass_75", "launch:ptx_75"}), ElementsAre("0", "222"));
    return;
  }
  const auto minor = toolkit().substr(toolkit().find('.') + 1);
  EXPECT_THAT(answers(older, {"launch:sass_90", "launch:ptx_75"}),
              ElementsAre("0", minor == "0" ? "0" : "222"));
}

// Kernels of archgrid refuse what this driver's compiler does with their PTX on 9.0.
TEST_F(Answers, OfTheDriverThatCompilesFp8WronglyAreNotUsed) {
  if (toolkit() != "12.4") GTEST_SKIP() << "no other toolkit writes PTX that this driver reads";
  const auto errors = [](const std::string& device, const std::string& driver) {
    return ask(machine(device, {}, driver), {}, "ask_fp8").lines;
  };
  EXPECT_THAT(errors("9.0", "12.4"), ElementsAre("209", "209", "209", "209", "0"));
  EXPECT_THAT(errors("9.0", "12.5"), ElementsAre("0", "0", "0", "0", "0"));
  EXPECT_THAT(errors("8.9", "12.4"), ElementsAre("0", "0", "0", "0", "0"));
  EXPECT_THAT(errors("9.0", "12.3"), ElementsAre("222", "222", "222", "222", "0"));
}

TEST_F(Answers, ToATemplateOfTwoUnitsAreOfEitherBeforeCuda13) {
  const auto errors = [](const std::string& device) {
    return ask(machine(device), {}, "ask_copied").lines;
  };
  const std::string other = cuda_major() < 13 ? "0" : "209";
  EXPECT_THAT(errors("9.0"), ElementsAre(other, "0", "209", "0"));
  EXPECT_THAT(errors("8.0"), ElementsAre("0", other, "0", "209"));
  EXPECT_THAT(errors("7.5"), ElementsAre("209", "209", "209", "209"));
  const auto file = fatbin::read(folder() + "/ask_copied");
  const coverage::ImageSelector audited(file);
  ASSERT_EQ(audited.kernels().size(), 2U);
  for (const auto& row : audited.kernels()) {
    const bool is_static = row.demangled.str().find("own") != std::string::npos;
    const bool is_found = cuda_major() < 13 && !is_static;
    EXPECT_EQ(audited.verdict(row, *coverage::parse_device("9.0"), nullptr),
              is_found ? Verdict::native : Verdict::missing)
        << row.demangled.str();
    EXPECT_EQ(audited.verdict(row, *coverage::parse_device("7.5"), nullptr), Verdict::missing);
  }
}

TEST_F(Answers, OfANewerDriverAreNoErrors) {
  EXPECT_THAT(answers(machine("9.0", {}, "13.5"), {"launch:sass_90", "launch:ptx_75"}),
              ElementsAre("0", "0"));
}

TEST_F(Answers, WithoutADriverAre35AndTheCountIsLeft) {
  const std::vector<std::string> none = {"ARCHGRID_FAKE_DEVICES=9.0"};
  EXPECT_THAT(answers(none, {"count", "launch:sass_90", "last", "last"}),
              ElementsAre("35 -1", "35", "35", "35"));
  EXPECT_EQ(answer(none, "peek"), "35");
  EXPECT_THAT(answer(none, "versions"), StartsWith(cuda_major() == 11 ? "0 0 35" : "0 0 0"));
}

TEST_F(Answers, WithoutAGpuAre100) {
  EXPECT_THAT(answers(machine(""), {"count", "malloc", "launch:sass_90", "last", "last"}),
              ElementsAre("100 -1", "100", "100", "100", "100"));
  EXPECT_THAT(answer(machine(""), "versions"), HasSubstr(cuda_major() == 11 ? " 100 " : " 0 "));
  EXPECT_THAT(answers(machine("9.0", {"CUDA_VISIBLE_DEVICES="}), {"count", "launch:sass_90"}),
              ElementsAre("100 -1", "100"));
}

TEST_F(Answers, OfADriverThatDoesNotKnowTheGpuAreThoseWithoutIt) {
  const bool old = cuda_major() == 11;
  const auto newer = machine(old ? "8.0,9.0" : "8.0,10.7", {}, old ? "11.4" : "13.0");
  EXPECT_THAT(answers(newer, {"count", "properties:0"}),
              ElementsAre("0 1", StartsWith("0 Fake 8.0")));
  // 580 is the last branch for 7.0.
  EXPECT_EQ(answer(machine("7.0,8.0", {}, "13.0"), "count"), "0 2");
  EXPECT_EQ(answer(machine("7.0,8.0", {}, "13.1"), "count"), "0 1");
}

TEST_F(Answers, ToVersionsAreThoseSet) {
  EXPECT_EQ(answer(machine("9.0", {"ARCHGRID_FAKE_RUNTIME=12.1"}, "580.65.06"), "versions"),
            "0 13000 0 12010");
}

// ---- The driver's own variables ----------------------------------------------------------------

TEST_F(Answers, WhereJitIsDisabledAre223ForPtxAlone) {
  const auto disabled = machine("9.0", {"CUDA_DISABLE_PTX_JIT=1"});
  EXPECT_THAT(answers(disabled, {"launch:sass_90", "launch:ptx_75", "attributes:ptx_75",
                                 "launch:linked_with_ptx", "launch:sass_80"}),
              ElementsAre("0", "223", "223", "223", "209"));
}

TEST_F(Answers, WhereJitIsForcedAreThoseOfPtxAlone) {
  const std::vector<std::string> forced = {"CUDA_FORCE_PTX_JIT=1"};
  EXPECT_THAT(
      answers(machine("8.0", forced), {"launch:sass_80", "launch:sass_80_ptx_80",
                                       "launch:linked_with_ptx", "launch:linked_with_some_ptx"}),
      ElementsAre("209", "0", "0", "300"));
  EXPECT_EQ(attributes(machine("8.6", forced), "sass_80_ptx_80").binary, 86);
}

TEST_F(Answers, AreTheSameWhenModulesAreLoadedEagerly) {
  for (const std::string device : {"7.5", "8.6", "9.0"}) {
    const auto lazy = launches(machine(device, {"CUDA_MODULE_LOADING=LAZY"}));
    EXPECT_EQ(launches(machine(device, {"CUDA_MODULE_LOADING=EAGER"})), lazy);
    EXPECT_GT(lazy.size(), 10U);
  }
}

TEST_F(Answers, ToQuestionsAboutAKernelThatDidNotLoadEagerlyAre98BeforeCuda13) {
  const auto eager = machine("7.5", {"CUDA_MODULE_LOADING=EAGER"});
  const std::string unknown = cuda_major() < 13 ? "98" : "209";
  EXPECT_THAT(answers(eager, {"launch:sass_90", "attributes:sass_90", "occupancy:sass_90,32"}),
              ElementsAre("209", unknown, unknown));
}

TEST_F(Answers, AreOfTheGpusThatAreVisibleInTheirOrder) {
  const auto two = machine("7.5,8.0,9.0", {"CUDA_VISIBLE_DEVICES=2,0"});
  EXPECT_THAT(answers(two, {"count", "launch:sass_90", "device:1", "launch:sass_90",
                            "launch:sass_75", "device:2"}),
              ElementsAre("0 2", "0", "0", "209", "0", "101"));
  EXPECT_THAT(answer(two, "properties:0"), StartsWith("0 Fake 9.0 9 0"));
}

}  // namespace
}  // namespace archgrid::tests
