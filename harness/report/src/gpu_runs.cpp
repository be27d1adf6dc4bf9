// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <archgrid/gpu_runs.hpp>
#include <string_view>

namespace archgrid::report {
namespace {

constexpr std::string_view kTest = " Testing: ";  // "3/17 Testing: cu130-sm90/gemm.Shapes"
constexpr std::string_view kGpu = "archgrid: gpu ";
constexpr std::string_view kRuntime = "archgrid: runtime ";
constexpr std::string_view kSkipped = "archgrid: skipped: ";
constexpr std::string_view kFailed = "archgrid: failed: ";
constexpr std::string_view kPassed = "archgrid: passed: ";

/// What the lines of one test say; a test that named its GPU and then stood aside did not run.
struct OneTest {
  std::string gpu;
  bool pretended = false;
  bool passed = false;
  std::string failure;  ///< the code
  std::string skip_code;
  std::string skip_reason;
};

std::string_view trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(' ');
  return first == std::string_view::npos ? std::string_view() : text.substr(first);
}

/// "NVIDIA H100, 9.0, device 0 of 1" without the last part, which differs between runs of one GPU.
std::string gpu_name(std::string_view text) {
  return std::string(text.substr(0, text.rfind(", device ")));
}

bool begins(std::string_view line, std::string_view with) {
  return line.substr(0, with.size()) == with;
}

/// "no-gpu" of "no-gpu: no driver is installed"
std::string_view code_of(std::string_view text) {
  return text.substr(0, text.find(": "));
}

/// The last line counts: what runs a program may have more to say than the program.
void forget_end(OneTest& test) {
  test.passed = false;
  test.failure.clear();
  test.skip_code.clear();
  test.skip_reason.clear();
}

void read_line(std::string_view line, OneTest& test) {
  if (begins(line, kGpu)) {
    test.gpu = gpu_name(trimmed(line.substr(kGpu.size())));
  } else if (begins(line, kRuntime)) {
    test.pretended = test.pretended || line.find(", pretended") != std::string_view::npos;
  } else if (begins(line, kPassed)) {
    forget_end(test);
    test.passed = true;
  } else if (begins(line, kFailed)) {
    forget_end(test);
    test.failure = std::string(code_of(line.substr(kFailed.size())));
  } else if (begins(line, kSkipped)) {
    forget_end(test);
    const auto rest = line.substr(kSkipped.size());
    test.skip_code = std::string(code_of(rest));
    const auto reason = std::min(test.skip_code.size() + 2, rest.size());
    test.skip_reason = std::string(rest.substr(reason));
  }
}

void count(const OneTest& test, GpuRuns& runs) {
  if (!test.skip_code.empty()) {
    auto& skips = runs.skips[test.skip_code];
    if (skips.count++ == 0) skips.example = test.skip_reason;
  } else if (test.pretended) {
    ++runs.pretended;
    if (!test.passed) ++runs.pretended_failed;
  } else if (!test.gpu.empty()) {
    runs.gpus.insert(test.gpu);
    ++runs.ran;
    // Who passes says so in the last line: a program without one was killed.
    if (test.passed) {
      ++runs.passed;
    } else {
      ++runs.failures[test.failure.empty() ? "killed" : test.failure];
    }
  } else if (!test.failure.empty()) {
    ++runs.failures[test.failure];  // before it had a GPU
  }
}

/// "cu130-fat/AUDIT/sm90", "cu130-sm90/BUILT", "PROMISES"
bool judges_cells(std::string_view name, bool of_cell) {
  if (!of_cell) return name == "PROMISES";
  const auto rest = name.substr(name.find('/') + 1);
  return rest == "BUILT" || rest.substr(0, rest.find('/')) == "AUDIT";
}

}  // namespace

GpuRuns read_gpu_runs(std::istream& log, const std::set<std::string>& cells) {
  GpuRuns runs;
  OneTest test;
  bool of_cell = false;
  for (std::string line; std::getline(log, line);) {
    const auto after_number = line.find_first_not_of("0123456789/");
    if (after_number != 0 && after_number != std::string::npos &&
        line.compare(after_number, kTest.size(), kTest) == 0) {
      if (of_cell) count(test, runs);
      test = {};
      const auto name = line.substr(after_number + kTest.size());
      of_cell = cells.count(name.substr(0, name.find('/'))) > 0;
      ++runs.tests;
      if (of_cell) ++runs.cell_tests;
      if (judges_cells(name, of_cell)) ++runs.verdicts;
    } else {
      read_line(line, test);
    }
  }
  if (of_cell) count(test, runs);
  return runs;
}

std::string gpu_runs_text(const GpuRuns& runs) {
  if (runs.ran + runs.pretended + runs.failures.size() + runs.skips.size() == 0) return {};
  std::string text = "GPU tests: ";
  if (runs.ran == 0) {
    text += "none ran";
  } else {
    text +=
        fmt::format("{} ran on {}: {} passed", runs.ran, fmt::join(runs.gpus, "; "), runs.passed);
  }
  for (const auto& [code, failed] : runs.failures)
    text += fmt::format(", {} failed ({})", failed, code);
  if (runs.pretended > 0) {
    text += fmt::format("; {} on a pretended GPU, which ran no kernel", runs.pretended);
    if (runs.pretended_failed > 0) text += fmt::format(", {} failed", runs.pretended_failed);
  }
  for (const auto& [code, skips] : runs.skips) {
    text += fmt::format("; {} skipped ({}): {}", skips.count, code, skips.example);
  }
  return text;
}

}  // namespace archgrid::report
