// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests that the fake runtime reports that it is one, and has every function of the real one.
#include <fstream>
#include <regex>
#include <set>

#include "answers.hpp"

namespace archgrid::tests {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::StartsWith;

// ---- Identification ----------------------------------------------------------------------------

TEST_F(Answers, SayThatTheyAreFake) {
  EXPECT_EQ(answer({}, "marker"), "fake: no kernel executes here");
  EXPECT_THAT(answer(machine("8.6"), "properties:0"), StartsWith("0 Fake 8.6 8 6"));
}

TEST_F(Answers, OfTheRealRuntimeHaveNoSuchMark) {
  const auto said = run("env -i '" + folder() + "/ask' marker count");
  ASSERT_EQ(said.code, 0);
  EXPECT_EQ(said.lines.at(0), "absent");
}

TEST_F(Answers, ToABadVariableAreTheEndOfTheProgram) {
  const auto said = ask({"ARCHGRID_FAKE_DEVICES=sm90"}, {"count", "count"});
  EXPECT_EQ(said.code, 2);
  ASSERT_EQ(said.lines.size(), 1U);
  EXPECT_THAT(said.lines[0],
              AllOf(HasSubstr("ARCHGRID_FAKE_DEVICES=sm90"), HasSubstr("compute capabilities")));
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
  EXPECT_EQ(ask({"ARCHGRID_FAKE_DEVICES=sm90"}, {"toolkit"}).code, 0);
}

// ---- Completeness ------------------------------------------------------------------------------

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
  auto ours = exported(folder() + "/fake_cudart/" + soname());
  EXPECT_EQ(ours.erase("archgrid_fake_runtime@@" + soname()), 1U);
  EXPECT_GT(real.size(), 300U);
  EXPECT_EQ(ours, real);
}

TEST_F(Answers, ToWhatIsNotFakeAre801) {
  for (const std::string name :
       {"cudaGraphCreate", "cudaStreamBeginCapture", "cudaStreamBeginCapture_ptsz",
        "cudaMallocArray", "cudaMemcpy3D_ptds", "cudaIpcGetMemHandle"}) {
    EXPECT_THAT(answers(machine("9.0"), {"call:" + name, "last", "last"}),
                ElementsAre("801", "801", "0"))
        << name;
  }
  EXPECT_EQ(answer(failing("cudaGraphCreate=2"), "call:cudaGraphCreate"), "2");
}

TEST_F(Answers, ThatAreFakeAreSoForPerThreadStreams) {
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
    EXPECT_THAT(lines[index], StartsWith(names[index] + ", fake: "));
  }
  EXPECT_THAT(answer({}, "error:209"), HasSubstr("fake: no kernel image for device"));
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
}  // namespace archgrid::tests
