// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include "command.hpp"

namespace archgrid::tests {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;

TEST(Help, ShowsExamples) {
  for (const auto* command : {"audit", "list", "matrix"}) {
    const auto outcome = run({command, "--help"});
    EXPECT_EQ(outcome.code, 0);
    EXPECT_THAT(outcome.out, HasSubstr("Examples:"));
    EXPECT_THAT(outcome.err, IsEmpty());
  }
  EXPECT_EQ(run({"--help"}).code, 0);
  EXPECT_THAT(run({"--version"}).out, StartsWith("archgrid "));
}

TEST(Usage, ErrorsAreTwoAndGoToStandardError) {
  const auto file = sample("plain.o");
  const auto matrix = std::string(ARCHGRID_SOURCE) + "/matrices/default.json";
  const std::vector<std::pair<std::vector<std::string>, std::string>> cases = {
      {{}, "subcommand is required"},
      {{"frobnicate"}, "subcommand"},
      {{"audit", "--frobnicate"}, "--frobnicate"},
      {{"audit"}, "name a FILE, or a build tree"},
      {{"audit", file}, "what is promised?"},
      {{"audit", file, "--device", "9.5"}, "\"9.5\" is no device"},
      {{"audit", file, "--device", "9.0", "--accept", "fine"}, "\"fine\" is no verdict"},
      {{"audit", file, "--device", "9.0", "--driver", "new"}, "\"new\" is no driver"},
      {{"audit", file, "--device", "9.0", "--toolkit", "12.10"}, "\"12.10\" is no CUDA toolkit"},
      {{"audit", file, "--device", "9.0", "--arch", "90f"}, "\"90f\" is no architecture"},
      {{"audit", file, "--device", "9.0", "--arch", "90-fake"}, "\"90-fake\" is no architecture"},
      {{"audit", file, "--matrix", "no.json"}, "no.json: cannot open"},
      {{"audit", file, "--matrix", matrix}, "promises[0] is for some toolkits only"},
      {{"audit", file, "--matrix", matrix, "--toolkit", "12.9"}, "no promise applies to CUDA 12.9"},
      {{"audit", file, "--matrix", matrix, "--accept", "jit"}, "leave out one of the two"},
      {{"audit", file, "--tree", "build"}, "--tree: the tree says what to audit"},
      {{"audit", "--tree", "no/such/tree"}, "no/such/tree/plan.json: cannot open"},
      {{"list"}, "FILE is required"},
      {{"matrix", "no.json"}, "archgrid: no.json: there is no such file"},
  };
  for (const auto& [arguments, message] : cases) {
    const auto outcome = run(arguments);
    EXPECT_EQ(outcome.code, 2) << message;
    EXPECT_THAT(outcome.err, HasSubstr(message));
    EXPECT_THAT(outcome.out, IsEmpty()) << message;
  }
}

TEST(Output, ThatCannotBeWrittenIsTwo) {
  for (const auto& command : {"list", "audit --device 8.0"}) {
    const auto line = quoted(ARCHGRID_COMMAND) + " " + command + " " +
                      quoted(sample("sample.cubin")) + " >/dev/full 2>" +
                      quoted((folder() / "err").string());
    const int status = std::system(line.c_str());
    EXPECT_EQ(WEXITSTATUS(status), 2) << line;
    EXPECT_THAT(text_of(folder() / "err"), HasSubstr("cannot write the output"));
  }
}

}  // namespace
}  // namespace archgrid::tests
