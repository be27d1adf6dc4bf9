// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Runs ctest in a matrix tree. Omits output of tests that did not fail, and audit output that the
// closing lines repeat.
#include <fmt/format.h>

#include <algorithm>
#include <archgrid/system/child.hpp>
#include <cstdlib>
#include <filesystem>
#include <iterator>
#include <regex>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "commands/commands.hpp"
#include "options.hpp"
#include "progress.hpp"

namespace archgrid::cli {
namespace {

struct RunTestsOptions {
  std::string tree;
  std::string ctest;
  unsigned every = 30;  ///< seconds between progress lines without a terminal
};

// Reading the output of report::audit_text().

using OutputLines = std::vector<std::string>;

/// The parts of "missing: first(int*) on 7.5 and 9.0, cu130-fat/libx.so". A line of another form is
/// all subject.
struct Headline {
  std::string subject;
  std::set<std::string> devices;
  std::string place;
};

Headline read_headline(const std::string& line) {
  static const std::regex form("^(.*) on ([0-9.]+(?:(?:, | and )[0-9.]+)*)(, .*)$");
  constexpr std::size_t kMaxMatched = 4096;  // std::regex recurses
  std::smatch match;
  if (line.size() > kMaxMatched || !std::regex_match(line, match, form)) return {line, {}, {}};
  static const std::regex device("[0-9.]+");
  const auto devices = match[2].str();
  return {match[1].str(),
          {std::sregex_token_iterator(devices.begin(), devices.end(), device), {}},
          match[3].str()};
}

bool covers(const Headline& wider, const Headline& headline) {
  return wider.subject == headline.subject && wider.place == headline.place &&
         std::includes(wider.devices.begin(), wider.devices.end(), headline.devices.begin(),
                       headline.devices.end());
}

/// Reports whether a line begins with the code of an error, "missing: ". Suspects have a word
/// before it, "suspect jit: ".
bool starts_with_code(const std::string& line) {
  if (line.starts_with("note: ")) return false;
  const auto end = line.find_first_not_of("abcdefghijklmnopqrstuvwxyz-");
  return end != std::string::npos && end > 0 && line[end] == ':';
}

/// Returns the line without "(and 6 more cells)" at its end, as of audits with --brief.
std::string without_more_cells(const std::string& line) {
  const auto at = line.rfind(" (and ");
  const bool is_cell = line.ends_with(" more cells)") || line.ends_with(" more cell)");
  return is_cell && at != std::string::npos ? line.substr(0, at) : line;
}

/// Returns the first lines of findings: "code: ..." above an indented message, or with --brief
/// above another of them or an empty line.
std::vector<Headline> headlines_of(const OutputLines& lines) {
  std::vector<Headline> headlines;
  for (std::size_t index = 0; index + 1 < lines.size(); ++index) {
    const auto& next = lines[index + 1];
    const bool ends = next.empty() || next.starts_with("  ") || starts_with_code(next);
    if (!ends || !starts_with_code(lines[index])) continue;
    headlines.push_back(read_headline(without_more_cells(lines[index])));
  }
  return headlines;
}

OutputLines without_blank_ends(const OutputLines& lines) {
  const auto is_text = [](const std::string& line) { return !line.empty(); };
  const auto begin = std::find_if(lines.begin(), lines.end(), is_text);
  const auto end = std::find_if(lines.rbegin(), lines.rend(), is_text).base();
  return begin < end ? OutputLines(begin, end) : OutputLines();
}

/// Reports whether the output of an audit ends with the number of its findings and lists all of
/// them, without other errors.
bool lists_its_findings(const OutputLines& lines) {
  if (lines.empty()) return false;
  const auto& last = lines.back();
  if (!last.starts_with("promise broken: ") && !last.starts_with("promise not proven: "))
    return false;
  if (last.find(" error") != std::string::npos) return false;
  return std::none_of(lines.begin(), lines.end(), [](const std::string& line) {
    const bool is_cut = line.starts_with("and ") && line.find(" more finding") != std::string::npos;
    return is_cut || line.starts_with("archgrid: ");
  });
}

/// Reports whether `closing` repeats the lines `output` of an audit: all of them, or each finding,
/// maybe for more devices. Returns false if the audit prints anything except findings, such as an
/// error.
bool is_repeated(const OutputLines& output, const OutputLines& closing) {
  const auto lines = without_blank_ends(output);
  const auto place = std::search(closing.begin(), closing.end(), lines.begin(), lines.end());
  if (place != closing.end()) return true;
  if (!lists_its_findings(lines)) return false;
  const auto findings = headlines_of(lines);
  const auto repeated = headlines_of(closing);
  return !findings.empty() &&
         std::all_of(findings.begin(), findings.end(), [&](const auto& finding) {
           return std::any_of(repeated.begin(), repeated.end(),
                              [&](const auto& wider) { return covers(wider, finding); });
         });
}

/// A filter for the lines of ctest to show. All lines between the line of a failed test and ctest's
/// next line are that test's output, even if they look like ctest's: another ctest may run in it.
/// ctest's own lines have the expected numbers.
class Lines {
 public:
  explicit Lines(const RunTestsOptions& options) : signs_(std::chrono::seconds(options.every)) {}

  void take(const std::string& line) {
    if (is_in_list_) {
      is_in_list_ = !line.empty();
    } else if (is_over_) {
      take_of_end(line);
    } else if (!take_of_ctest(line)) {
      show_held();
      if (is_cell_ && is_end_of_script(line)) is_output_shown_ = false;
      if (is_output_shown_ && (is_output_ || !is_of_run(line))) show(line);
    }
  }

  void tick() { signs_.tick(progress()); }
  void end() {
    show_held();
    is_output_ = false;
    for (const Audit& audit : audits_) {
      if (is_repeated(audit.output, closing_)) continue;
      print(audit.outcome);
      for (const auto& line : audit.output) print(line);
    }
    if (!audits_.empty()) print("");
    for (const auto& line : closing_) print(line);
    signs_.end();
  }
  [[nodiscard]] bool has_run_tests() const { return done_ > 0; }

 private:
  /// Returns "62 of 63 tests, 95 s: slow".
  [[nodiscard]] std::string progress() const {
    const auto seconds = signs_.elapsed().count();
    if (running_.empty()) return fmt::format("reading the tests, {} s", seconds);
    if (total_ == 0) return fmt::format("{} s: {}", seconds, running_);
    return fmt::format("{} of {} tests, {} s: {}", done_, total_, seconds, running_);
  }

  /// An output line of a test that looks like the start of another test.
  struct Held {
    int number;
    std::string line;
  };

  /// A failed audit. Its output is held until the closing lines are known.
  struct Audit {
    std::string outcome;  ///< ctest's line
    std::vector<std::string> output;
  };

  /// Handles a line of ctest about a test, or about all. Longer lines are output: std::regex would
  /// overflow the stack.
  bool take_of_ctest(const std::string& line) {
    constexpr std::size_t kLongest = 4096;
    return line.size() <= kLongest &&
           (take_start(line) || take_outcome(line) || take_summary(line));
  }

  /// Handles "      Start  5: gemm". The colons of all such lines are in one column.
  bool take_start(const std::string& line) {
    static const std::regex start("^ +Start +([0-9]{1,8}): (.+)$");
    std::smatch match;
    if (!std::regex_match(line, match, start)) return false;
    const auto column = line.find(':');
    const int number = std::stoi(match[1].str());
    if ((column_ != 0 && column != column_) || ended_.count(number) > 0) return false;
    if (column_ == 0) column_ = column;
    running_ = match[2].str();
    if (is_output_) held_.push_back({number, line});
    started_.insert(number);
    return true;
  }

  /// Handles " 5/17 Test  #5: gemm ....***Failed    0.01 sec".
  bool take_outcome(const std::string& line) {
    static const std::regex outcome(
        "^ *([0-9]{1,8})/([0-9]{1,8}) Test +#([0-9]{1,8}): .* [0-9.]+ sec *$");
    static const std::regex not_failed(
        ".*( Passed|\\*\\*\\*Skipped|\\*\\*\\*Not Run \\(Disabled\\)) +[0-9.]+ sec *$");
    std::smatch match;
    if (!std::regex_match(line, match, outcome)) return false;
    const int total = std::stoi(match[2].str());
    const int number = std::stoi(match[3].str());
    const bool is_due = std::stoi(match[1].str()) == done_ + 1 && (done_ == 0 || total == total_);
    if (!is_due || started_.count(number) == 0 || ended_.count(number) > 0) return false;
    forget_held(number);
    ended_.insert(number);
    ++done_;
    total_ = total;
    is_output_ = !std::regex_match(line, not_failed);
    is_output_shown_ = true;
    is_audit_ = false;
    is_cell_ = false;
    if (line.find("***Not Run (Disabled)") != std::string::npos) ++disabled_;
    if (is_output_) {
      ++failed_;
      is_audit_ = is_failed_audit(line);
      is_cell_ = line.find("/BUILT ") != std::string::npos;
      print(is_audit_ ? line + " (see below)" : line);
      if (is_audit_) audits_.push_back({line, {}});
    }
    return true;
  }

  static bool is_failed_audit(const std::string& outcome) {
    static const std::regex failed(
        ".*: (.*/AUDIT(/sm[0-9]+)?|PROMISES) \\.*\\*\\*\\*Failed +[0-9.]+ sec *$");
    return std::regex_match(outcome, failed);
  }

  /// Reports whether CMake starts to print the error that fails the test of a cell. The reason is
  /// above that line.
  static bool is_end_of_script(const std::string& line) {
    return line.starts_with("CMake Error at ") &&
           line.find("/detail/show_cell.cmake:") != std::string::npos;
  }

  /// Handles "98% tests passed, 1 tests failed out of 62", or since CMake 4 without failures "100%
  /// tests passed out of 62". The total may exclude disabled tests.
  bool take_summary(const std::string& line) {
    static const std::regex summary(
        "^[0-9]+% tests passed(, ([0-9]{1,8}) tests? failed)? out of ([0-9]{1,8})$");
    std::smatch match;
    if (done_ == 0 || done_ != total_ || !std::regex_match(line, match, summary)) return false;
    const int failed = match[2].matched ? std::stoi(match[2].str()) : 0;
    const int count = std::stoi(match[3].str());
    if (failed != failed_ || count > total_ || count < total_ - disabled_) return false;
    show_held();
    is_over_ = true;
    is_output_ = false;
    is_output_shown_ = true;
    is_audit_ = false;
    is_cell_ = false;
    show(line);
    return true;
  }

  void take_of_end(const std::string& line) {
    if (line == "Label Time Summary:" || line == "The following tests did not run:") {
      is_in_list_ = true;
    } else if (!is_of_run(line) && !is_farewell(line)) {
      show(line);
    }
  }

  /// Reports whether the line is part of ctest's ending after failures. The closing lines say more.
  static bool is_farewell(const std::string& line) {
    return line == "Errors while running CTest" ||
           line.starts_with("Output from these tests are in: ") ||
           line.starts_with("Use \"--rerun-failed --output-on-failure\" to re-run");
  }

  static bool is_of_run(const std::string& line) {
    return line.starts_with("Test project ") ||
           line.starts_with("Internal ctest changing into directory") ||
           line.starts_with("Total Test time ");
  }

  /// Drops ctest's line among the held ones: the last line that starts the ended test. The others
  /// are output of the test before, unless ctest runs several at a time.
  void forget_held(int ended) {
    const auto last = std::find_if(held_.rbegin(), held_.rend(),
                                   [&](const Held& held) { return held.number == ended; });
    if (last != held_.rend()) held_.erase(std::next(last).base());
    if (is_parallel_) held_.clear();
    show_held();
  }

  void show_held() {
    for (const Held& held : std::exchange(held_, {})) show(held.line);
  }

  void show(const std::string& line) {
    if (is_over_) {
      closing_.push_back(line);
    } else if (is_audit_) {
      audits_.back().output.push_back(line);
    } else {
      print(line);
    }
  }

  void print(const std::string& line) {
    if (line.empty() && was_empty_ && !is_output_) return;
    was_empty_ = line.empty();
    signs_.print_lines(line);
  }

  /// Reports whether ctest may run tests in parallel.
  static bool runs_in_parallel() {
    const char* const level = std::getenv("CTEST_PARALLEL_LEVEL");
    return level != nullptr && std::string_view(level) != "1";
  }

  const bool is_parallel_ = runs_in_parallel();
  bool is_output_ = false;  ///< of a test that failed
  bool is_output_shown_ = true;
  bool is_audit_ = false;    ///< that test is an audit
  bool is_cell_ = false;     ///< that test reports whether a cell was built
  bool is_over_ = false;     ///< all tests have ended
  bool is_in_list_ = false;  ///< a list that is not shown
  bool was_empty_ = true;
  int done_ = 0;
  int total_ = 0;
  int failed_ = 0;
  int disabled_ = 0;
  std::string::size_type column_ = 0;
  std::set<int> started_;
  std::set<int> ended_;
  std::vector<Held> held_;
  std::vector<Audit> audits_;
  std::vector<std::string> closing_;  ///< from the summary on
  std::string running_;               ///< the test that ctest started last
  SignsOfLife signs_;
};

/// Runs ctest in a matrix tree and shows failures and the closing lines. Omits the lines of tests
/// that passed or were skipped, and audit output that the closing lines repeat. Returns ctest's
/// exit code.
int run_run_tests(const RunTestsOptions& options) {
  Lines lines(options);
  system::Child ctest({options.ctest, "--test-dir", options.tree, "--output-on-failure",
                       "--no-tests=error", "--output-junit", "junit.xml"});
  while (ctest.runs()) {
    for (const auto& line : ctest.read_lines()) lines.take(line);
    lines.tick();
  }
  lines.end();
  const int outcome = ctest.wait();
  const auto log = std::filesystem::path(options.tree) / "Testing/Temporary/LastTest.log";
  if (outcome != 0 && lines.has_run_tests() && std::filesystem::exists(log)) {
    fmt::print("what each test said: {}\n", log.string());
  }
  return outcome;
}

}  // namespace

void add_run_tests(CLI::App& app, Run& run) {
  auto* command = app.add_subcommand("run-tests", "What tests a matrix tree in few words");
  auto& options = options_of(*command, run, run_run_tests);
  command->group("");
  command->add_option("TREE", options.tree, "Build tree of the matrix")->required();
  command->add_option("--ctest", options.ctest, "CTest")->required();
  command->add_option("--every", options.every, "Seconds between signs of life in a pipe");
}

}  // namespace archgrid::cli
