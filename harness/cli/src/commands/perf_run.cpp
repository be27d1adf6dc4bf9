// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <archgrid/fatbin.hpp>
#include <archgrid/system/process.hpp>
#include <archgrid/system/programs.hpp>
#include <archgrid/system/temporary_folder.hpp>
#include <archgrid/system/terminal.hpp>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <stdexcept>

#include "commands/commands.hpp"
#include "options.hpp"
#include "outputs.hpp"
#include "perf_gate.hpp"

namespace archgrid::cli {
namespace {

constexpr const char* kRunExamples = R"(Examples:
  archgrid perf run --base old/gemm_perf --new new/gemm_perf
  archgrid perf run --base old/gemm_perf --new new/gemm_perf --pairs 60 -- --gtest_filter='Gemm*'
      ARG are arguments of both programs
  archgrid perf run --base old/gemm_perf --new new/gemm_perf --save-base b.json --save-new n.json

Each run gets the name of a file in ARCHGRID_PERF_RECORD and writes archgrid.perf/1 to it. The order
is base, new, new, base, and so on.
)";

struct PerfRunOptions {
  GateOptions gate;
  std::string base;
  std::string fresh;
  std::size_t pairs = 30;
  std::vector<std::string> arguments;
  std::string save_base;
  std::string save_new;
};

namespace fs = std::filesystem;

constexpr const char* kRecordVariable = "ARCHGRID_PERF_RECORD";
constexpr std::size_t kMaxOutput = 2000;

/// One run of one of the two programs.
struct Turn {
  const std::string& program;
  const char* side;
  std::size_t pair;
};

[[noreturn]] void fail(const Turn& turn, const std::string& problem) {
  throw std::runtime_error(
      fmt::format("{} ({}, pair {}): {}", turn.program, turn.side, turn.pair + 1, problem));
}

/// Returns the program's output, or the end of it.
std::string output_in(const fs::path& log) {
  std::ifstream stream(log, std::ios::binary);
  std::string text{std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
  if (text.size() > kMaxOutput) text = "..." + text.substr(text.size() - kMaxOutput);
  return text.empty() ? "it printed nothing" : "it printed:\n" + text;
}

/// Runs the program to its end, with standard output and standard error in `log`.
void run_to_end(const Turn& turn, const std::vector<std::string>& arguments, const fs::path& record,
                const fs::path& log) {
  using How = system::Ended::How;
  std::vector<std::string> words = {turn.program};
  words.insert(words.end(), arguments.begin(), arguments.end());
  const auto ended = system::run_logged(words, log, {{kRecordVariable, record.string()}});
  if (ended.good()) return;
  if (ended.how == How::not_started) fail(turn, "cannot be started: " + ended.problem);
  if (ended.how == How::lost) fail(turn, "is lost: " + ended.problem);
  const auto* what = ended.how == How::exited ? "ended with exit code" : "was ended by signal";
  fail(turn, fmt::format("{} {}; {}", what, ended.code, output_in(log)));
}

perf::File read_record(const Turn& turn, const fs::path& record, const fs::path& log) {
  try {
    return perf::read_file(record.string());
  } catch (const std::exception& error) {
    fail(turn,
         fmt::format("wrote a record that cannot be read: {}; {}", error.what(), output_in(log)));
  }
}

/// Runs the program and returns its record, with the pair's number in every run.
perf::File measure(const Turn& turn, const std::vector<std::string>& arguments,
                   const std::string& series, const fs::path& folder) {
  const auto record = folder / fmt::format("{}-{}.json", turn.pair, turn.side);
  const auto log = folder / "log";
  run_to_end(turn, arguments, record, log);
  if (!fs::exists(record)) {
    fail(turn, fmt::format("wrote no record to ${}: is it a benchmark that does? {}",
                           kRecordVariable, output_in(log)));
  }
  auto file = read_record(turn, record, log);
  if (file.record.benchmarks.empty()) fail(turn, "its record has no benchmark");
  for (auto& benchmark : file.record.benchmarks) {
    if (benchmark.runs.size() != 1) {
      fail(turn, fmt::format("its record has {} runs of \"{}\", and one is expected",
                             benchmark.runs.size(), benchmark.name));
    }
    auto& run = benchmark.runs.front();
    run.series = series;
    run.pair = turn.pair;
  }
  file.path = turn.program;
  return file;
}

std::set<std::string> builds_of(const std::vector<perf::File>& files) {
  std::set<std::string> builds;
  for (const auto& file : files) {
    for (const auto& benchmark : file.record.benchmarks) {
      for (const auto& run : benchmark.runs) builds.insert(run.build);
    }
  }
  return builds;
}

/// Names builds without a name, or with equal names, after their programs.
void name_by_program(std::vector<perf::File>& base, std::vector<perf::File>& fresh) {
  const bool one_name = builds_of(base) == builds_of(fresh);
  for (auto* side : {&base, &fresh}) {
    for (auto& file : *side) {
      for (auto& benchmark : file.record.benchmarks) {
        for (auto& run : benchmark.runs) {
          if (one_name || run.build == perf::kUnnamedBuild) run.build = file.path;
        }
      }
    }
  }
}

/// Returns a series that no other measurement on this computer has.
std::string new_series() {
  const auto now = std::chrono::system_clock::now();
  return fmt::format("{} {}", perf::text_of_date(std::chrono::system_clock::to_time_t(now)),
                     system::process_id());
}

void show_progress(std::size_t pair, std::size_t pairs) {
  if (!system::is_terminal(system::kStandardError)) return;
  fmt::print(stderr, "\rpair {} of {}{}", pair, pairs, pair == pairs ? "\n" : "");
}

/// Measurements of both programs in alternation.
struct Interleaved {
  perf::File base;
  perf::File fresh;
};

/// Runs both programs `pairs` times in alternation: base, new, new, base, and so on. Throws
/// std::runtime_error naming the run if one fails or writes no valid record.
Interleaved interleave(const PerfRunOptions& options) {
  const system::TemporaryFolder folder;
  const auto series = new_series();
  std::vector<perf::File> base;
  std::vector<perf::File> fresh;
  for (std::size_t pair = 0; pair < options.pairs; ++pair) {
    const auto run = [&](const std::string& program, const char* side) {
      return measure({program, side, pair}, options.arguments, series, folder.path());
    };
    // Alternating the order exposes both builds equally to drift and to effects of the first run.
    const bool base_first = pair % 2 == 0;
    if (base_first) base.push_back(run(options.base, "base"));
    fresh.push_back(run(options.fresh, "new"));
    if (!base_first) base.push_back(run(options.base, "base"));
    show_progress(pair + 1, options.pairs);
  }
  name_by_program(base, fresh);
  return {{options.base, perf::merge(base)}, {options.fresh, perf::merge(fresh)}};
}

int run_perf_run(const PerfRunOptions& options) {
  const auto rules = compare_options(options.gate, false);
  GateOutputs outputs(options.gate, {options.base, options.fresh});
  Documents records;
  records.add("--save-base", options.save_base);
  records.add("--save-new", options.save_new);
  records.spare({options.base, options.fresh, options.gate.json, options.gate.markdown});
  records.open();
  const auto both = interleave(options);
  const auto save = [&](const char* option, const perf::File& file) {
    return records.write(option,
                         [&](const report::Sink& sink) { sink(perf::to_json(file.record)); });
  };
  const bool saved_base = save("--save-base", both.base);
  const bool saved_new = save("--save-new", both.fresh);
  const int outcome = judge(both.base, both.fresh, rules, options.gate, outputs);
  return saved_base && saved_new ? outcome : kTrouble;
}

}  // namespace

void add_perf_run(CLI::App& perf, Run& run) {
  auto* command = perf.add_subcommand("run", "Run two builds of a benchmark in turn, and decide");
  auto& options = options_of(*command, run, run_perf_run);
  command->footer(std::string(kRunExamples) + kGateExitCodes);
  command->add_option("--base", options.base, "The base's program")
      ->option_text("PROGRAM")
      ->required();
  command->add_option("--new", options.fresh, "The new build's program")
      ->option_text("PROGRAM")
      ->required();
  command->add_option("--pairs", options.pairs, "How often each is run (30)")
      ->option_text("N")
      ->check(positive("pairs"));
  command->add_option("--save-base", options.save_base, "Write what was measured of the base")
      ->option_text("FILE");
  command->add_option("--save-new", options.save_new, "Write what was measured of the new build")
      ->option_text("FILE");
  add_gate(*command, options.gate);
  command->add_option("ARG", options.arguments, "Arguments of both programs, after --");
}

}  // namespace archgrid::cli
