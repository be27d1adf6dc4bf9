// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "command.hpp"

namespace archgrid::tests {
namespace {

using nlohmann::json;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

constexpr const char* kPlannedMatrix = R"json({"name": "m",
  "toolkits": [{"cuda": "11.8", "archs": ["80"]}, {"cuda": "13.5", "archs": ["80"]}],
  "promises": [{"devices": ["8.0", "8.6"]}, {"devices": ["10.0"], "toolkits": ["13.5"]},
               {"devices": ["8.6"], "kernels": "*tile*", "accept": ["native"]}]})json";

/// Returns the text without line breaks and alignment blanks.
std::string plain(const std::string& text) {
  std::string result;
  for (const char c : text) {
    if (c == ' ' && !result.empty() && result.back() == ' ') continue;
    result += c;
  }
  return result;
}

TEST(Suggest, SpellsTheListForEachBuildSystem) {
  const auto outcome =
      run({"suggest", "--devices", "7.5,8.0,8.6,9.0", "--toolkit", "13.0", "--ptx"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("CUDA 13.0 for 7.5, 8.0, 8.6, 9.0 (native or compatible)\n"));
  EXPECT_THAT(outcome.out, HasSubstr("  device  verdict     takes\n"
                                     "  7.5     native      machine code for 75\n"
                                     "  8.0     native      machine code for 80\n"
                                     "  8.6     compatible  machine code for 80\n"
                                     "  9.0     native      machine code for 90\n"));
  EXPECT_THAT(outcome.out, HasSubstr("CMAKE_CUDA_ARCHITECTURES  75-real;80-real;90\n"));
  EXPECT_THAT(outcome.out, HasSubstr("-gencode arch=compute_90,code=compute_90\n"));
  EXPECT_THAT(outcome.out, HasSubstr("TORCH_CUDA_ARCH_LIST      7.5;8.0;9.0+PTX\n"));
  EXPECT_THAT(outcome.out, HasSubstr(R"({"cuda": "13.0", "archs": ["75-real", "80-real", "90"]})"));
  EXPECT_THAT(outcome.out,
              Says("they compile it when a program starts, and need driver 580 or newer "
                   "(PTX ISA 9.0)\n"));
  EXPECT_THAT(outcome.out, HasSubstr("\n3 archs of CUDA 13.0 keep the promise for 4 devices: 3 "
                                     "native, 1 compatible\n"));
}

TEST(Suggest, ADeviceThatCannotBeServedIsOneAndTheOthersArePlanned) {
  const auto outcome = run({"suggest", "--device", "7.0,8.0", "--toolkit", "13.0"});
  EXPECT_EQ(outcome.code, 1);
  EXPECT_THAT(outcome.out, HasSubstr("  7.0     NOT SERVED\n"));
  EXPECT_THAT(outcome.out, HasSubstr("CMAKE_CUDA_ARCHITECTURES  80-real\n"));
  EXPECT_THAT(outcome.out,
              HasSubstr("unserved: 7.0\n"
                        "  nothing that CUDA 13.0 compiles is native or compatible there\n"
                        "  fix: CUDA 11.0 to 12.9 can: build for 7.0 with one of those, or do not "
                        "promise\n  it for CUDA 13.0\n"));
  EXPECT_THAT(outcome.out, HasSubstr("\nCUDA 13.0 cannot keep the promise for 7.0\n"));
  EXPECT_EQ(run({"suggest", "--device", "8.0", "--toolkit", "13.0"}).code, 0);
}

TEST(Suggest, TheMatrixFileSaysToolkitsAndPromises) {
  const auto matrix = folder() / "matrix.json";
  write(matrix, kPlannedMatrix);
  const auto outcome = run({"suggest", "--matrix", matrix.string()});
  EXPECT_EQ(outcome.code, 0) << outcome.out << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("CUDA 11.8 for 8.0 (native or compatible) and 8.6 (native)"));
  EXPECT_THAT(outcome.out, HasSubstr(R"({"cuda": "11.8", "archs": ["80-real", "86-real"]})"));
  EXPECT_THAT(outcome.out,
              HasSubstr(R"({"cuda": "13.5", "archs": ["80-real", "86-real", "100-real"]})"));
  const auto one = run({"suggest", "--matrix", matrix.string(), "--toolkit", "13.5"});
  EXPECT_THAT(one.out, Not(HasSubstr("11.8")));
  const auto part = run({"suggest", "--matrix", matrix.string(), "--device", "10.0"});
  EXPECT_EQ(part.code, 0);
  EXPECT_THAT(part.out, HasSubstr("\n1 arch of CUDA 13.5 keeps the promise for 1 device:"));
  EXPECT_THAT(part.out, Not(HasSubstr("11.8")));
}

TEST(Suggest, MeasuresWhatIsThereAndSaysWhatNobodyNeeds) {
  // plain.o of CUDA 11.8 contains 60, 75 and 80, and PTX of 80.
  const auto outcome = run({"suggest", "--device", "8.0,8.6", "--from", sample("plain.o", "11.8")});
  EXPECT_EQ(outcome.code, 0) << outcome.out << outcome.err;
  const auto text = plain(outcome.out);
  EXPECT_THAT(text, HasSubstr("1 5 - nobody\n"));
  EXPECT_THAT(text, HasSubstr("1 5 yes 8.0, 8.6\n"));
  EXPECT_THAT(text, HasSubstr("\nnobody needs sass 60, sass 75, ptx 80: they take "));
  EXPECT_THAT(text, HasSubstr("suggested for CUDA 11.8, the one that the files were built with"));
  EXPECT_THAT(text, HasSubstr("1 native, 1 compatible;\n"));
  EXPECT_THAT(text, HasSubstr(" of what is there serve nobody\n"));
}

TEST(Suggest, PtxIsNeededWhereItIsAskedFor) {
  const auto outcome =
      run({"suggest", "--device", "8.0,8.6", "--from", sample("plain.o", "13.5"), "--ptx"});
  EXPECT_THAT(plain(outcome.out), HasSubstr("\nnobody needs sass 75: they take"));
}

TEST(Suggest, ADeviceThatTheFileMissesIsAFinding) {
  const auto outcome = run({"suggest", "--device", "8.0,9.0", "--from", sample("plain.o")});
  EXPECT_EQ(outcome.code, 1);
  EXPECT_THAT(plain(outcome.out), HasSubstr("sass 90 none - - - - yes -\n"));
  EXPECT_THAT(plain(outcome.out), HasSubstr(" 9.0 5 jit "));
  EXPECT_THAT(outcome.out, Says("; what is there does not keep it on 9.0\n"));
}

TEST(Suggest, UnreadableInputsAreTwoAndTheOthersAreMeasured) {
  const auto outcome =
      run({"suggest", "--device", "8.0", "--from", "no/such/file", sample("plain.o")});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_THAT(outcome.err, Says("archgrid: no/such/file: cannot open"));
  EXPECT_THAT(outcome.out, HasSubstr("sass 80"));
  EXPECT_THAT(outcome.out, Says("; not all could be read\n"));
}

TEST(Suggest, FilesThatRecordNoToolkitNeedOneNamed) {
  const auto outcome = run({"suggest", "--device", "8.0", "--from", sample("ptx.o")});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_THAT(outcome.err, Says("say which is to build it (--toolkit 13.0)"));
  EXPECT_THAT(outcome.out, IsEmpty());
  EXPECT_EQ(
      run({"suggest", "--device", "8.0", "--from", sample("ptx.o"), "--toolkit", "13.5"}).code, 1);
}

TEST(Suggest, JsonSaysTheSame) {
  const auto outcome = run({"suggest", "--device", "7.0,8.0,8.6", "--from", sample("plain.o"),
                            "--toolkit", "13.5", "--json"});
  EXPECT_EQ(outcome.code, 1);
  const auto document = json::parse(outcome.out);
  EXPECT_EQ(document.at("schema"), "archgrid.suggest/1");
  EXPECT_EQ(document.at("holds"), false);
  const auto& plan = document.at("lists").at(0);
  EXPECT_EQ(plan.at("spellings").at("cmake"), "80-real");
  EXPECT_EQ(plan.at("unserved").at(0).at("device"), "7.0");
  std::vector<std::string> needless;
  std::size_t bytes = 0;
  for (const auto& image : document.at("from").at("images")) {
    if (!image.at("needless").get<bool>()) continue;
    needless.push_back(image.at("kind").get<std::string>() + image.at("arch").get<std::string>());
    bytes += image.at("stored").get<std::size_t>();
  }
  EXPECT_THAT(needless, ElementsAre("sass75", "ptx80"));
  EXPECT_EQ(document.at("from").at("needless"), bytes);
  EXPECT_EQ(document.at("from").at("file_bytes"), fs::file_size(sample("plain.o")));
  EXPECT_EQ(document.at("findings").at(0).at("code"), "unserved");
}

TEST(Suggest, UsageErrorsSayWhatToWrite) {
  const auto matrix = folder() / "matrix.json";
  write(matrix, kPlannedMatrix);
  const auto path = matrix.string();
  const std::vector<std::pair<std::vector<std::string>, std::string>> cases = {
      {{}, "suggest: what is promised? Name a matrix file"},
      {{"--device", "8.0"}, "suggest: which toolkit is to build it? Name one (--toolkit 13.0)"},
      {{"--device", "8", "--toolkit", "13.0"}, "unknown GPU \"8\": write 8.0"},
      {{"--device", "8.0", "--toolkit", "13"}, "--toolkit: \"13\" is no CUDA toolkit"},
      {{"--device", "8.0", "--toolkit", "13.0", "--with", "90-real"},
       "--with: \"90-real\" is no architecture: write it as 90"},
      {{"--device", "8.0", "--toolkit", "13.0", "--with", "compute_90"},
       "--with: \"compute_90\" is PTX: --ptx adds some"},
      {{"--device", "8.0", "--toolkit", "12.4", "--with", "100"},
       "--with: CUDA 12.4 cannot compile for 100"},
      {{"--device", "8.0", "--toolkit", "13.0", "--with", "100,100f"},
       "--with: nvcc does not build 100 and 100f into one fat binary: keep one of the two"},
      {{"--device", "8.0", "--toolkit", "13.0", "--ptx", "--no-ptx"}, "--no-ptx"},
      {{"--matrix", path, "--accept", "native"}, "--accept: the matrix file says"},
      {{"--matrix", path, "--device", "12.1"}, "nothing is promised for 12.1"},
      {{"--matrix", path, "--device", "8.0,12.1"}, "--gpu 12.1: nothing is promised there"},
      {{"--matrix", path, "--toolkit", "11.8", "--device", "10.0"},
       "--gpu 10.0: nothing is promised there"},
  };
  for (const auto& [rest, expected] : cases) {
    std::vector<std::string> arguments = {"suggest"};
    arguments.insert(arguments.end(), rest.begin(), rest.end());
    const auto outcome = run(arguments);
    EXPECT_EQ(outcome.code, 2) << expected;
    EXPECT_THAT(outcome.err, Says(expected));
    EXPECT_THAT(outcome.out, IsEmpty());
  }
}

TEST(Suggest, ToolkitsThatNeedANewerDriverServeNobody) {
  const auto with = [](const std::string& driver) {
    return run({"suggest", "--devices", "8.0", "--toolkit", "13.0", "--driver", driver});
  };
  const auto outcome = with("470");
  EXPECT_EQ(outcome.code, 1);
  EXPECT_THAT(outcome.out, HasSubstr("what CUDA 13.0 makes needs driver 580 or newer, and "
                                     "promised is driver 470"));
  EXPECT_THAT(outcome.out, HasSubstr("CUDA 11.0 to 11.8 can: "));
  EXPECT_EQ(with("580").code, 0);
}

TEST(Suggest, ADriverThatDoesNotKnowAGpuServesItWithNoToolkit) {
  const auto with = [](const std::string& driver) {
    return run({"suggest", "--devices", "7.0,8.0", "--toolkit", "12.4", "--driver", driver});
  };
  const auto outcome = with("590");
  EXPECT_EQ(outcome.code, 1);
  EXPECT_THAT(
      outcome.out,
      Says("driver 590, which is promised, does not know 7.0: driver 580 is the last that does"));
  EXPECT_THAT(outcome.out, HasSubstr("promise driver 580 or older for 7.0"));
  EXPECT_EQ(with("580").code, 0);
}

}  // namespace
}  // namespace archgrid::tests
