// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Runs ctest in a matrix tree and leaves out what it prints of tests that did not fail.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <regex>
#include <string_view>

#include "child.hpp"
#include "commands.hpp"
#include "progress.hpp"

namespace archgrid::cli {
namespace {

/// The lines of ctest that people are to see.
class Lines {
 public:
  explicit Lines(const RunTestsOptions& options) : signs_(std::chrono::seconds(options.every)) {}

  void take(const std::string& line) {
    if (in_list_) {
      in_list_ = !line.empty();
    } else if (line == "Label Time Summary:" || line == "The following tests did not run:") {
      in_list_ = true;
    } else if (!is_routine(line)) {
      show(line);
    }
  }

  void tick() { signs_.tick(where_); }
  void end() { signs_.end(); }

 private:
  /// Reports whether it speaks of a test that begins, passed or was skipped, or of the run itself.
  bool is_routine(const std::string& line) {
    static const std::regex begin("^ +Start +[0-9]+: (.+)$");
    static const std::regex end(
        "^ *([0-9]+)/([0-9]+) Test +#[0-9]+: .*"
        "( Passed|\\*\\*\\*Skipped|\\*\\*\\*Not Run \\(Disabled\\)) +[0-9.]+ sec *$");
    std::smatch match;
    if (std::regex_match(line, match, begin)) {
      where_ = fmt::format("{}{}", done_, match[1].str());
      return true;
    }
    if (std::regex_match(line, match, end)) {
      done_ = fmt::format("{} of {} tests, {} s: ", match[1].str(), match[2].str(),
                          signs_.elapsed().count());
      return true;
    }
    return line.starts_with("Test project ") ||
           line.starts_with("Internal ctest changing into directory") ||
           line.starts_with("Total Test time ");
  }

  void show(const std::string& line) {
    if (line.empty() && was_empty_) return;
    was_empty_ = line.empty();
    signs_.print_lines(line);
  }

  bool in_list_ = false;
  bool was_empty_ = true;
  std::string done_;
  std::string where_;
  SignsOfLife signs_;
};

}  // namespace

int run_run_tests(const RunTestsOptions& options) {
  Lines lines(options);
  Child ctest({options.ctest, "--test-dir", options.tree, "--output-on-failure", "--no-tests=error",
               "--output-junit", "junit.xml"});
  while (ctest.runs()) {
    for (const auto& line : ctest.read_lines()) lines.take(line);
    lines.tick();
  }
  lines.end();
  const int outcome = ctest.wait();
  if (outcome != 0) {
    const auto log = std::filesystem::path(options.tree) / "Testing/Temporary/LastTest.log";
    fmt::print("what each test said: {}\n", log.string());
  }
  return outcome;
}

}  // namespace archgrid::cli
