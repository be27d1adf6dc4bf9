// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests that the screens of commands fit 80 columns.
#include <gmock/gmock.h>

#include <algorithm>
#include <sstream>

#include "command.hpp"

namespace archgrid::tests {
namespace {

/// Reports whether the line has what no blank may break: a list or a command to paste, or a path or
/// a name of a kernel that is long by itself.
bool is_unbreakable(const std::string& line) {
  for (const char* pasted : {"-gencode ", "{\"cuda\": ", "archgrid audit ", "--ignore '"}) {
    if (line.find(pasted) != std::string::npos) return true;
  }
  constexpr std::size_t kLong = 60;
  std::istringstream words(line);
  for (std::string word; words >> word;) {
    if (word.size() > kLong) return true;
  }
  return false;
}

/// Returns the lines that are too wide.
std::vector<std::string> wide_lines(const std::string& text) {
  std::vector<std::string> wide;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (line.size() > 80 && !is_unbreakable(line)) wide.push_back(line);
  }
  return wide;
}

/// Copies a sample to a folder and a name as long as those of wheels are, and returns its path.
std::string long_copy(const std::string& name, const std::string& toolkit = "13.5") {
  const auto path = folder() / ("release-" + toolkit) /
                    ("a_library_with_a_long_name_of_cuda_" + toolkit + "_" + name);
  write(path, contents_of(sample(name, toolkit)));
  return path.string();
}

TEST(Width, FindsWideLines) {
  const std::string wide(40, 'x');
  EXPECT_TRUE(wide_lines(wide + ' ' + wide.substr(1)).empty()) << "80 columns";
  EXPECT_EQ(wide_lines("x\n" + wide + ' ' + wide + "\n").size(), 1U);
  EXPECT_TRUE(wide_lines(wide + wide + ' ' + wide).empty()) << "a long path";
}

TEST(Width, OfScreensIsAtMost80Columns) {
  const auto plain = long_copy("plain.o");
  const auto older = long_copy("plain.o", "11.8");
  const auto suffixed = long_copy("large_suffixed.o", "13.5");
  const auto gpus = "7.5,8.0,8.6,8.9,9.0,10.0,10.3,12.0,12.1";
  const std::vector<std::vector<std::string>> screens = {
      {"audit", plain},
      {"audit", plain, older, suffixed},
      {"audit", plain, "--gpu", gpus},
      {"audit", plain, "--gpu", gpus, "--driver", "535"},
      {"audit", plain, "--gpu", gpus, "--accept", "native,compatible"},
      {"audit", plain, "--gpu", gpus, "--accept", "jit", "--ignore", "trapping=for later releases"},
      {"audit", plain, "--strict", "--suspects"},
      {"audit", suffixed, "--gpu", gpus},
      {"diff", older, plain},
      {"diff", plain, suffixed},
      {"suggest", "--gpu", gpus, "--toolkit", "13.0", "--ptx"},
      {"suggest", "--gpu", gpus, "--toolkit", "11.8", "--with", "90a"},
      {"suggest", "--gpu", gpus, "--from", plain},
      {"suggest", "--gpu", "7.0,10.0f", "--from", older, "--accept", "native"},
      {"explain"},
      {"explain", "9.0"},
      {"explain", "native"},
      {"explain", "6.1"},
  };
  for (const auto& arguments : screens) {
    const auto outcome = run(arguments);
    EXPECT_THAT(wide_lines(outcome.out), ::testing::IsEmpty())
        << ::testing::PrintToString(arguments);
  }
  for (const auto& arguments : std::vector<std::vector<std::string>>{
           {"list", plain}, {"list", suffixed, older}, {"list", plain, "--sizes"}}) {
    EXPECT_THAT(wide_lines(run(arguments, "COLUMNS=80").out), ::testing::IsEmpty())
        << ::testing::PrintToString(arguments);
  }
  for (const auto& arguments :
       std::vector<std::vector<std::string>>{{"audit", plain, "--gpu", "RTX 6000"},
                                             {"audit", plain, "--accept", "natve", "--gpu", "9.0"},
                                             {"explain", "nonsense"}}) {
    EXPECT_THAT(wide_lines(run(arguments, "COLUMNS=80").err), ::testing::IsEmpty());
  }
}

}  // namespace
}  // namespace archgrid::tests
