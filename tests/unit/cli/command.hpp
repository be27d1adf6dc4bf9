// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Runs the command like a user.
#ifndef ARCHGRID_TESTS_COMMAND_HPP
#define ARCHGRID_TESTS_COMMAND_HPP

#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "contents.hpp"
#include "paths.hpp"

namespace archgrid::tests {

namespace fs = std::filesystem;

struct Outcome {
  int code = -1;
  std::string out;
  std::string err;
};

inline void write(const fs::path& path, const std::string& text) {
  fs::create_directories(path.parent_path());
  std::ofstream(path, std::ios::binary) << text;
}

/// Returns a folder for the running test, initially empty.
inline fs::path folder() {
  const auto* test = ::testing::UnitTest::GetInstance()->current_test_info();
  const auto path =
      fs::path(::testing::TempDir()) / "archgrid-cli" / test->test_suite_name() / test->name();
  static std::string cleaned;
  if (cleaned != path.string()) fs::remove_all(path);
  cleaned = path.string();
  fs::create_directories(path);
  return path;
}

inline std::string quoted(const std::string& word) {
  std::string text = "'";
  for (const char c : word) text += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return text + "'";
}

/// Returns a text on one line, as sentences are wrapped to the width of the screen.
inline std::string unwrapped(const std::string& text) {
  std::string line;
  for (const char c : text) {
    const bool is_space = c == ' ' || c == '\n';
    if (!is_space || (!line.empty() && line.back() != ' ')) line += is_space ? ' ' : c;
  }
  return line;
}

/// Matches output that contains the text, wrapped or not.
inline auto Says(const std::string& text) {
  return ::testing::ResultOf(unwrapped, ::testing::HasSubstr(unwrapped(text)));
}

/// Runs the command. `environment` is "NAME=value NAME=value".
inline Outcome run(const std::vector<std::string>& arguments, const std::string& environment = "") {
  const auto out = folder() / "out";
  const auto err = folder() / "err";
  std::string line = environment + " " + quoted(tests::kCommand);
  for (const auto& argument : arguments) line += " " + quoted(argument);
  line += " >" + quoted(out.string()) + " 2>" + quoted(err.string()) + " </dev/null";
  const int status = std::system(line.c_str());
  return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, contents_of(out), contents_of(err)};
}

/// Returns a sample of the newest toolkit.
inline std::string sample(const std::string& name,
                          const std::string& toolkit = ARCHGRID_NEW_TOOLKIT) {
  return std::string(tests::kSamples) + "/" + toolkit + "/" + name;
}

}  // namespace archgrid::tests

#endif
