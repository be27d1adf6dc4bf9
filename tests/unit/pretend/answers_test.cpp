// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests the answers that the program `ask` gets from the pretended runtime of one toolkit. The
// environment specifies the folder of the programs, the toolkit's folder and its version.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <algorithm>
#include <archgrid/coverage/image_selector.hpp>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

namespace archgrid {
namespace {

using coverage::Verdict;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::StartsWith;

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  if (value == nullptr) {
    std::fprintf(stderr, "%s is not set; ctest sets it\n", name);
    std::exit(2);
  }
  return value;
}

std::string folder() {
  return variable("ARCHGRID_PRETEND_PROGRAMS");
}

std::string toolkit() {
  return variable("ARCHGRID_PRETEND_OF_TOOLKIT");
}

std::string toolkit_root() {
  return variable("ARCHGRID_PRETEND_TOOLKIT_ROOT");
}

int cuda_major() {
  return std::atoi(toolkit().c_str());
}

struct Said {
  int code = -1;
  std::vector<std::string> lines;
};

Said run(const std::string& command) {
  Said said;
  auto* pipe = popen((command + " 2>&1").c_str(), "r");
  if (pipe == nullptr) return said;
  std::string line;
  for (int letter = std::fgetc(pipe); letter != EOF; letter = std::fgetc(pipe)) {
    if (letter != '\n') {
      line += static_cast<char>(letter);
      continue;
    }
    said.lines.push_back(line);
    line.clear();
  }
  const int status = pclose(pipe);
  said.code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  return said;
}

/// Returns the output of `ask`, one line per question, on a machine that the environment describes:
/// "ARCHGRID_PRETEND_DEVICES=9.0".
Said ask(const std::vector<std::string>& environment, const std::vector<std::string>& questions) {
  std::string command = "env -i LD_LIBRARY_PATH='" + folder() + "/pretend'";
  for (const auto& item : environment) command += " '" + item + "'";
  command += " '" + folder() + "/ask'";
  for (const auto& question : questions) command += " '" + question + "'";
  return run(command);
}

std::vector<std::string> answers(const std::vector<std::string>& environment,
                                 const std::vector<std::string>& questions) {
  const auto said = ask(environment, questions);
  EXPECT_EQ(said.code, 0) << ::testing::PrintToString(said.lines);
  return said.lines;
}

/// Returns the environment of a machine with the toolkit's own driver, and `rest`.
std::vector<std::string> machine(const std::string& devices,
                                 const std::vector<std::string>& rest = {},
                                 const std::string& driver = toolkit()) {
  std::vector<std::string> environment = {"ARCHGRID_PRETEND_DEVICES=" + devices,
                                          "ARCHGRID_PRETEND_DRIVER=" + driver};
  environment.insert(environment.end(), rest.begin(), rest.end());
  return environment;
}

std::string answer(const std::vector<std::string>& environment, const std::string& question) {
  const auto lines = answers(environment, {question});
  return lines.empty() ? "nothing" : lines[0];
}

/// Parses "a=0 b=209".
std::map<std::string, int> launches(const std::string& line) {
  std::map<std::string, int> found;
  std::istringstream words(line);
  for (std::string word; words >> word;) {
    const auto equals = word.find('=');
    found[word.substr(0, equals)] = std::atoi(word.c_str() + equals + 1);
  }
  return found;
}

std::map<std::string, int> launches(const std::vector<std::string>& environment) {
  return launches(answer(environment, "launches"));
}

std::vector<int> numbers(const std::string& line) {
  std::vector<int> found;
  std::istringstream words(line);
  for (int number = 0; words >> number;) found.push_back(number);
  return found;
}

/// The numbers in the answer to `attributes`.
struct Attributes {
  int error = -1;
  int binary = -1;
  int ptx = -1;
  int registers = -1;
  int shared = -1;
  int local = -1;
  int constant = -1;
  int threads = -1;
  int dynamic_shared = -1;
};

Attributes attributes(const std::vector<std::string>& environment, const std::string& kernel) {
  const auto found = numbers(answer(environment, "attributes:" + kernel));
  Attributes result;
  if (!found.empty()) result.error = found[0];
  if (found.size() != 9) return result;
  return {found[0], found[1], found[2], found[3], found[4], found[5], found[6], found[7], found[8]};
}

class Answers : public ::testing::Test {};

// ---- Images that a GPU loads --------------------------------------------------------------------

struct Case {
  const char* kernel;
  const char* device;
  int error;
  int from_cuda = 11;  ///< first major release that can compile it
};

// Written by hand from NVIDIA's documents. Each fat binary contains the images in its kernel's
// name.
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
    {"linked_with_ptx", "7.5", 209},
    {"linked_without_ptx", "8.0", 0},
    {"linked_without_ptx", "9.0", 209},
    {"linked_without_ptx", "7.5", 209},
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

// ---- Agreement with the audit -------------------------------------------------------------------

/// Returns the program's file and its libraries, as an audit reads them.
const std::vector<fatbin::File>& files() {
  static const auto* read = [] {
    auto* all = new std::vector<fatbin::File>;
    for (const std::string name : {"/ask", "/liblinked_with_ptx.so", "/liblinked_without_ptx.so"}) {
      all->push_back(fatbin::read(folder() + name));
    }
    return all;
  }();
  return *read;
}

/// Returns verdicts by demangled name without parameters.
std::map<std::string, Verdict> verdicts(coverage::Device device, const coverage::Driver& driver) {
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
    case Verdict::unknown:  // an image that is not known to load is refused
      return error == 209 || error == 222;
    case Verdict::wrong_suffix:
      return error == 209;
    case Verdict::missing:
      return error == 209 || error == 500;
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
        // The toolkit knows more than the table about a driver that is newer than the table.
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

// ---- Attributes ---------------------------------------------------------------------------------

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

// ---- Drivers ------------------------------------------------------------------------------------

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

TEST_F(Answers, OfANewerDriverAreNoErrors) {
  EXPECT_THAT(answers(machine("9.0", {}, "13.5"), {"launch:sass_90", "launch:ptx_75"}),
              ElementsAre("0", "0"));
}

TEST_F(Answers, WithoutADriverAre35AndTheCountIsLeft) {
  const std::vector<std::string> none = {"ARCHGRID_PRETEND_DEVICES=9.0"};
  EXPECT_THAT(answers(none, {"count", "launch:sass_90", "last", "last"}),
              ElementsAre("35 -1", "35", "0", "0"));
  EXPECT_THAT(answer(none, "versions"), StartsWith(cuda_major() == 11 ? "0 0 35" : "0 0 0"));
}

TEST_F(Answers, WithoutAGpuAre100) {
  EXPECT_THAT(answers(machine(""), {"count", "malloc", "launch:sass_90"}),
              ElementsAre("100 -1", "100", "100"));
  EXPECT_THAT(answers(machine("9.0", {"CUDA_VISIBLE_DEVICES="}), {"count", "launch:sass_90"}),
              ElementsAre("100 -1", "100"));
}

TEST_F(Answers, OfADriverThatDoesNotKnowTheGpuAreThoseWithoutIt) {
  const bool old = cuda_major() == 11;
  const auto newer = machine(old ? "8.0,9.0" : "8.0,10.7", {}, old ? "11.4" : "13.0");
  EXPECT_THAT(answers(newer, {"count", "properties:0"}),
              ElementsAre("0 1", StartsWith("0 Pretended 8.0")));
  // 580 is the last branch for 7.0.
  EXPECT_EQ(answer(machine("7.0,8.0", {}, "13.0"), "count"), "0 2");
  EXPECT_EQ(answer(machine("7.0,8.0", {}, "13.1"), "count"), "0 1");
}

TEST_F(Answers, ToVersionsAreThoseSet) {
  EXPECT_EQ(answer(machine("9.0", {"ARCHGRID_PRETEND_RUNTIME=12.1"}, "580.65.06"), "versions"),
            "0 13000 0 12010");
}

// ---- The driver's own variables -----------------------------------------------------------------

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
                                       "launch:linked_with_ptx", "launch:linked_without_ptx"}),
      ElementsAre("209", "0", "0", "209"));
  EXPECT_EQ(attributes(machine("8.6", forced), "sass_80_ptx_80").binary, 86);
}

TEST_F(Answers, AreTheSameWhenModulesAreLoadedEagerly) {
  for (const std::string device : {"7.5", "8.6", "9.0"}) {
    const auto lazy = launches(machine(device, {"CUDA_MODULE_LOADING=LAZY"}));
    EXPECT_EQ(launches(machine(device, {"CUDA_MODULE_LOADING=EAGER"})), lazy);
    EXPECT_GT(lazy.size(), 10U);
  }
}

TEST_F(Answers, AreOfTheGpusThatAreVisibleInTheirOrder) {
  const auto two = machine("7.5,8.0,9.0", {"CUDA_VISIBLE_DEVICES=2,0"});
  EXPECT_THAT(answers(two, {"count", "launch:sass_90", "device:1", "launch:sass_90",
                            "launch:sass_75", "device:2"}),
              ElementsAre("0 2", "0", "0", "209", "0", "101"));
  EXPECT_THAT(answer(two, "properties:0"), StartsWith("0 Pretended 9.0 9 0"));
}

// ---- Limits of a launch -------------------------------------------------------------------------

TEST_F(Answers, ToBlocksThatNoKernelCanHaveAre9) {
  EXPECT_THAT(
      answers(machine("9.0"), {"launch:sass_90,1024", "launch:sass_90,1025", "launch:sass_90,0"}),
      ElementsAre("0", "9", "9"));
}

TEST_F(Answers, ToBlocksThatTheKernelsRegistersDoNotAllowAre701) {
  EXPECT_THAT(answers(machine("9.0"), {"launch:heavy,32", "launch:heavy,1024"}),
              ElementsAre("0", "701"));
}

TEST_F(Answers, ToBlocksBeyondTheLaunchBoundsAre1) {
  EXPECT_THAT(answers(machine("9.0"), {"launch:bounded,128", "launch:bounded,129"}),
              ElementsAre("0", "1"));
}

TEST_F(Answers, ToSharedMemoryThatIsNotAllowedAre1) {
  EXPECT_THAT(answers(machine("9.0"),
                      {"launch:sass_90,32,49024", "launch:sass_90,32,49025", "allow:sass_90,232320",
                       "launch:sass_90,32,232320", "allow:sass_90,232321"}),
              ElementsAre("0", "1", "0", "0", "1"));
  EXPECT_EQ(answer(machine("8.6"), "allow:sass_80,101249"), "1");
}

TEST_F(Answers, ToCooperativeLaunchesThatDoNotFitAre720) {
  EXPECT_THAT(answers(machine("9.0"),
                      {"launch-together:sass_90,1024,0,32", "launch-together:sass_90,1024,0,33"}),
              ElementsAre("0", "720"));
}

TEST_F(Answers, ToAPointerThatIsNoKernelAre98) {
  EXPECT_EQ(answer(machine("9.0"), "launch-nothing"), "98");
}

// ---- Failures -----------------------------------------------------------------------------------

std::vector<std::string> failing(const std::string& rules) {
  return machine("9.0", {"ARCHGRID_PRETEND_FAIL=" + rules});
}

TEST_F(Answers, FailAsAskedForEachTimeOrOnce) {
  EXPECT_THAT(answers(failing("cudaMalloc=2"), {"malloc", "malloc", "last", "launch:sass_90"}),
              ElementsAre("2", "2", "2", "0"));
  EXPECT_THAT(
      answers(failing("cudaMalloc#2=cudaErrorMemoryAllocation"), {"malloc", "malloc", "malloc"}),
      ElementsAre("0", "2", "0"));
}

TEST_F(Answers, FailForTheKernelThatIsNamed) {
  EXPECT_THAT(answers(failing("launch:tile<3, 4>=209"), {"launch:tile", "launch:bounded"}),
              ElementsAre("209", "0"));
  EXPECT_THAT(answers(failing("launch:bounded#2=701"),
                      {"launch:bounded", "launch:tile", "launch:bounded", "launch:bounded"}),
              ElementsAre("0", "0", "701", "0"));
  EXPECT_THAT(answers(failing("launch=719"), {"launch:bounded", "sync"}), ElementsAre("0", "719"));
}

TEST_F(Answers, FailWhereTheCompilerOfPtxDoes) {
  EXPECT_THAT(answers(failing("jit=221"), {"launch:ptx_75", "launch:ptx_75", "attributes:ptx_75",
                                           "last", "launch:sass_90"}),
              ElementsAre("221", "221", "221", "221", "0"));
  EXPECT_THAT(answers(failing("jit#2=221"), {"launch:ptx_75", "launch:sass_80_ptx_80"}),
              ElementsAre("0", "221"));
}

TEST_F(Answers, FailWhereNothingStarts) {
  EXPECT_THAT(answers(failing("start=803"), {"count", "malloc", "launch:sass_90"}),
              ElementsAre("803 -1", "803", "803"));
  EXPECT_THAT(answer(failing("start=804"), "versions"), StartsWith("0 "));
}

TEST_F(Answers, AboutAKernelThatRunsWildComeWithTheNextWait) {
  EXPECT_THAT(
      answers(failing("launch:sass_90=700"), {"launch:sass_90", "last", "memory", "last", "last"}),
      ElementsAre("0", "0", "700", "700", "700"));
}

TEST_F(Answers, StayAfterAnErrorThatLeavesTheContextUnusable) {
  EXPECT_THAT(answers(failing("cudaMalloc#1=719"), {"malloc", "malloc", "launch:sass_90", "sync",
                                                    "reset", "last", "peek", "attributes:sass_90"}),
              ElementsAre("719", "719", "719", "719", "719", "719", "719", "719"));
  // Calls that only query the machine still work.
  EXPECT_THAT(answers(failing("cudaMalloc#1=719"), {"malloc", "count", "properties:0"}),
              ElementsAre("719", "0 1", StartsWith("0 Pretended 9.0")));
}

TEST_F(Answers, DoNotStayAfterOtherErrors) {
  EXPECT_THAT(answers(failing("cudaMalloc#1=2"), {"malloc", "peek", "last", "last", "malloc"}),
              ElementsAre("2", "2", "2", "0", "0"));
}

TEST_F(Answers, OfOneThreadAreNotTheLastErrorsOfAnother) {
  EXPECT_THAT(answers(machine("9.0"), {"free-foreign", "last-elsewhere", "last"}),
              ElementsAre("1", "0", "1"));
}

// ---- Time ---------------------------------------------------------------------------------------

std::vector<double> times(const std::string& rules, const std::vector<std::string>& questions) {
  std::vector<double> found;
  for (const auto& line :
       answers(machine("9.0", {"ARCHGRID_PRETEND_LATENCY=" + rules}), questions)) {
    std::istringstream words(line);
    int error = -1;
    double time = -1;
    words >> error >> time;
    EXPECT_EQ(error, 0) << line;
    found.push_back(time);
  }
  return found;
}

// The lower limit of a pretended time. A busy machine adds to it.
TEST_F(Answers, TakeTheTimeOfTheirLatency) {
  EXPECT_GE(times("cudaMalloc=30ms", {"malloc-time"}).at(0), 30);
  EXPECT_GE(times("cudaLaunchKernel=10ms", {"launch-time:sass_90"}).at(0), 10);
}

TEST_F(Answers, ToEventsFollowFromTheLatenciesOfKernels) {
  EXPECT_GE(times("launch:sass_90=20ms", {"elapsed:sass_90,3"}).at(0), 60);
  EXPECT_GE(times("launch=20ms", {"elapsed:sass_90,1"}).at(0), 20);
  EXPECT_GE(times("cudaLaunchKernel=5ms", {"elapsed:sass_90,4"}).at(0), 20);
}

// 600 (not ready) is not stored as an error.
TEST_F(Answers, TellThatAKernelStillRuns) {
  const auto slow = machine("9.0", {"ARCHGRID_PRETEND_LATENCY=launch=3600s"});
  EXPECT_THAT(answers(slow, {"done:sass_90", "last"}), ElementsAre("0 600 600", "0"));
  EXPECT_EQ(answer(machine("9.0"), "done:sass_90"), "0 0 0");
}

TEST_F(Answers, TakeTheTimeOfJitOncePerModule) {
  const auto rules = machine("9.0", {"ARCHGRID_PRETEND_LATENCY=jit#1=40ms,jit#2=1s"});
  const auto lines = answers(rules, {"launch-time:ptx_75", "launch:ptx_75", "launch-time:sass_90"});
  ASSERT_EQ(lines.size(), 3U);
  EXPECT_GE(std::atof(lines[0].c_str() + 2), 40);
}

TEST_F(Answers, TakeTheTimeOfTheStartOnce) {
  const auto slow = times("start=40ms", {"malloc-time"});
  EXPECT_GE(slow.at(0), 40);
}

TEST_F(Answers, OfSeveralThreadsAreTheSame) {
  EXPECT_EQ(answer(machine("9.0"), "threads:sass_90,200"), "0 1600");
  EXPECT_EQ(answer(machine("7.5"), "threads:sass_90,200"), "0 0");
}

// ---- Memory -------------------------------------------------------------------------------------

TEST_F(Answers, OfMemoryAreWhatWasWritten) {
  EXPECT_THAT(answers(machine("9.0"),
                      {"memory", "symbol", "free-foreign", "malloc:17179869185", "malloc:0"}),
              ElementsAre("0 5 6 2", "0 3 4 64", "1", "2", "0"));
}

// ---- Identification -----------------------------------------------------------------------------

TEST_F(Answers, SayThatTheyArePretended) {
  EXPECT_EQ(answer({}, "marker"), "pretended: no kernel executes here");
  EXPECT_THAT(answer(machine("8.6"), "properties:0"), StartsWith("0 Pretended 8.6 8 6"));
}

TEST_F(Answers, OfTheRealRuntimeHaveNoSuchMark) {
  const auto said = run("env -i '" + folder() + "/ask' marker count");
  ASSERT_EQ(said.code, 0);
  EXPECT_EQ(said.lines.at(0), "absent");
}

TEST_F(Answers, ToABadVariableAreTheEndOfTheProgram) {
  const auto said = ask({"ARCHGRID_PRETEND_DEVICES=sm90"}, {"count", "count"});
  EXPECT_EQ(said.code, 2);
  ASSERT_EQ(said.lines.size(), 1U);
  EXPECT_THAT(said.lines[0],
              AllOf(HasSubstr("ARCHGRID_PRETEND_DEVICES=sm90"), HasSubstr("compute capabilities")));
}

TEST_F(Answers, CannotBeMadeToFailWhereTheyAreNoErrors) {
  for (const std::string call :
       {"cudaGetLastError", "cudaMemcpyAsync_ptsz", "__cudaLaunchKernel"}) {
    const auto said = ask(failing(call + "=2"), {"count"});
    EXPECT_EQ(said.code, 2) << call;
    EXPECT_THAT(said.lines, ElementsAre(HasSubstr("not '" + call + "'")));
  }
}

TEST_F(Answers, ThatNobodyAsksForNeedNoSoundVariable) {
  EXPECT_EQ(ask({"ARCHGRID_PRETEND_DEVICES=sm90"}, {"toolkit"}).code, 0);
}

// ---- Completeness -------------------------------------------------------------------------------

std::set<std::string> exported(const std::string& library) {
  std::set<std::string> found;
  for (const auto& line : run("nm -D --defined-only '" + library + "'").lines) {
    const auto name = line.substr(line.rfind(' ') + 1);
    if (name.find('@') != std::string::npos) found.insert(name);
  }
  return found;
}

/// Returns "libcudart.so.13", which is also the version of the symbols.
std::string soname() {
  return cuda_major() == 11 ? "libcudart.so.11.0" : "libcudart.so." + std::to_string(cuda_major());
}

TEST_F(Answers, ThereAreToAllFunctionsOfTheRealRuntime) {
  const auto real = exported(toolkit_root() + "/lib64/libcudart.so");
  auto ours = exported(folder() + "/pretend/" + soname());
  EXPECT_EQ(ours.erase("archgrid_pretended_runtime@@" + soname()), 1U);
  EXPECT_GT(real.size(), 300U);
  EXPECT_EQ(ours, real);
}

TEST_F(Answers, ToWhatIsNotPretendedAre801) {
  for (const std::string name :
       {"cudaGraphCreate", "cudaStreamBeginCapture", "cudaStreamBeginCapture_ptsz",
        "cudaMallocArray", "cudaMemcpy3D_ptds", "cudaIpcGetMemHandle"}) {
    EXPECT_THAT(answers(machine("9.0"), {"call:" + name, "last", "last"}),
                ElementsAre("801", "801", "0"))
        << name;
  }
  EXPECT_EQ(answer(failing("cudaGraphCreate=2"), "call:cudaGraphCreate"), "2");
}

TEST_F(Answers, ThatArePretendedAreSoForPerThreadStreams) {
  EXPECT_EQ(answer(machine("9.0"), "call:cudaStreamSynchronize_ptsz"), "0");
  EXPECT_EQ(answer(machine("9.0"), "call:cudaMemcpy_ptds"), "0");
}

TEST_F(Answers, NameEveryErrorOfTheHeaders) {
  std::ifstream header(toolkit_root() + "/include/driver_types.h");
  const std::regex pattern("^ *(cuda(Success|Error[A-Za-z0-9]+)) *= *([0-9]+),?.*$");
  std::vector<std::string> questions;
  std::vector<std::string> names;
  for (std::string line; std::getline(header, line);) {
    std::smatch match;
    if (!std::regex_match(line, match, pattern)) continue;
    names.push_back(match[1]);
    questions.push_back("error:" + match[3].str());
  }
  ASSERT_GT(names.size(), 100U);
  const auto lines = answers({}, questions);
  ASSERT_EQ(lines.size(), names.size());
  for (std::size_t index = 0; index < names.size(); ++index) {
    EXPECT_THAT(lines[index], StartsWith(names[index] + ", pretended: "));
  }
  EXPECT_THAT(answer({}, "error:209"), HasSubstr("pretended: no kernel image for device"));
  EXPECT_THAT(answer({}, "error:12345"), StartsWith("unrecognized error code"));
}

/// Returns the text of a file with each comment on one line.
std::string unwrapped(const std::string& path) {
  std::ifstream file(path);
  std::stringstream text;
  text << file.rdbuf();
  return std::regex_replace(text.str(), std::regex("\n *\\* *"), " ");
}

TEST_F(Answers, StayAfterEachErrorOfWhichTheHeadersSaySo) {
  const auto content = unwrapped(toolkit_root() + "/include/driver_types.h");
  const std::regex pattern("(cudaError[A-Za-z0-9]+) *= *([0-9]+),?");
  std::size_t comment = 0;
  int sticky = 0;
  int passing = 0;
  for (auto found = std::sregex_iterator(content.begin(), content.end(), pattern);
       found != std::sregex_iterator(); ++found) {
    const auto at = static_cast<std::size_t>(found->position());
    const auto said = content.substr(comment, at - comment);
    comment = at;
    const bool stays = said.find("must be terminated and relaunched") != std::string::npos;
    // Skips 600 (work is running) and 10000 (older than all toolkits), which cannot be requested.
    const auto number = (*found)[2].str();
    if (!stays && number.size() != 3) continue;
    const auto lines = answers(failing("cudaMalloc#1=" + number), {"malloc", "malloc"});
    EXPECT_THAT(lines, ElementsAre(number, stays ? number : "0")) << (*found)[1];
    ++(stays ? sticky : passing);
  }
  EXPECT_GE(sticky, 8);
  EXPECT_GE(passing, 50);
}

}  // namespace
}  // namespace archgrid
