// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// `archgrid list` on what compilers made.
#include <gmock/gmock.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "command.hpp"

namespace archgrid::tests {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::StartsWith;

TEST(List, ShowsModulesImagesAndKernels) {
  const auto outcome = run({"list", sample("plain.o")});
  EXPECT_EQ(outcome.code, 0);
  EXPECT_THAT(outcome.out, HasSubstr("plain.o: object, "));
  EXPECT_THAT(outcome.out, HasSubstr(", 1 module, 3 images, 5 kernels\n"));
  EXPECT_THAT(outcome.out, HasSubstr("module 0  .nv_fatbin  sample.cu\n"));
  EXPECT_THAT(outcome.out, HasSubstr("  sass  80    CUDA 13.5"));
  EXPECT_THAT(outcome.out, HasSubstr("    void tile<3>(float*, int)\n"));
  const auto document = json::parse(run({"list", sample("plain.o"), "--json"}).out);
  EXPECT_EQ(document.at("schema"), "archgrid.list/1");
  const auto& file = document.at("files").at(0);
  EXPECT_EQ(file.at("images").size(), 3U);
  EXPECT_EQ(file.at("bytes"), fs::file_size(sample("plain.o")));
}

TEST(List, UnreadableInputsAreTwo) {
  const auto outcome = run({"list", "no/such/file", sample("plain.o")});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_THAT(outcome.err, HasSubstr("no/such/file: cannot open: No such file"));
  EXPECT_THAT(outcome.out, StartsWith(sample("plain.o") + ": object"));
  EXPECT_THAT(run({"list", "no/such/file"}).out, IsEmpty());
}

TEST(List, FiltersTextAndJson) {
  const auto text = run({"list", sample("plain.o"), "--arch", "75", "--kernel", "*tile*"});
  EXPECT_EQ(text.code, 0);
  EXPECT_THAT(text.out, HasSubstr("1 module, 1 image, 2 kernels\n"));
  EXPECT_THAT(text.out, HasSubstr("  void tile<3>(float*, int)\n    sass  75 "));
  EXPECT_THAT(text.out, Not(HasSubstr("idle")));
  const auto document =
      json::parse(run({"list", sample("plain.o"), "--kind", "ptx", "--json"}).out);
  ASSERT_EQ(document.at("files").at(0).at("images").size(), 1U);
  EXPECT_EQ(document.at("files").at(0).at("images").at(0).at("kind"), "ptx");
  const auto nothing = run({"list", sample("plain.o"), "--arch", "90"});
  EXPECT_EQ(nothing.code, 0);
  EXPECT_THAT(nothing.out, StartsWith("nothing that was asked for: "));
}

TEST(List, OrdersKernelsAndTakesTheFirst) {
  const auto outcome = run({"list", sample("plain.o"), "--sort", "shared", "--top", "1"});
  EXPECT_EQ(outcome.code, 0);
  EXPECT_THAT(outcome.out, HasSubstr("  void tile<3>(float*, int)\n"));
  EXPECT_THAT(outcome.out, HasSubstr("  ... and 4 more\n"));
}

TEST(List, ShowsSizes) {
  const auto outcome = run({"list", sample("plain.o"), sample("linked"), "--sizes"});
  EXPECT_EQ(outcome.code, 0);
  for (const auto* title : {"by arch\n", "\nby kernel", "\nby library\n", "\n  rest "}) {
    EXPECT_THAT("\n" + outcome.out, HasSubstr(title));
  }
}

/// The machine code that the reader finds is that of the compiler: all of it, and no more.
TEST(List, KnowsTheCodeOfKernels) {
  const auto document = json::parse(run({"list", sample("plain.o"), "--json"}).out);
  for (const auto& image : document.at("files").at(0).at("images")) {
    std::uint64_t code = 0;
    for (const auto& kernel : image.at("kernels")) {
      EXPECT_EQ(kernel.contains("code"), image.at("kind") == "sass");
      if (kernel.contains("code")) code += kernel.at("code").get<std::uint64_t>();
    }
    EXPECT_LE(code, image.at("bytes").get<std::uint64_t>());
  }
}

TEST(List, RefusesWhatItCannotDo) {
  const auto file = sample("plain.o");
  const std::vector<std::pair<std::vector<std::string>, std::string>> cases = {
      {{"--sort", "register"},
       "--sort: \"register\" is no order: write registers; there are name, "},
      {{"--kind", "cubin"}, "--kind: \"cubin\" is no kind of image: write sass, ptx, lto, tile"},
      {{"--arch", "sm_90"}, "--arch: \"sm_90\" is no arch of an image: write it as 90 or 90a"},
      {{"--sizes", "--sort", "stack"}, "--sort stack: orders kernels only: add --kernels"},
      {{"--json", "--top", "3"}, "--json: it has every image, kernel and size"},
      {{"--top", "0"}, "--top"},
  };
  for (const auto& [options, message] : cases) {
    std::vector<std::string> arguments = {"list", file};
    arguments.insert(arguments.end(), options.begin(), options.end());
    const auto outcome = run(arguments);
    EXPECT_EQ(outcome.code, 2) << message;
    EXPECT_THAT(outcome.err, HasSubstr(message));
    EXPECT_THAT(outcome.out, IsEmpty()) << message;
  }
}

}  // namespace
}  // namespace archgrid::tests
