// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <archgrid/gpu_runs.hpp>
#include <string_view>

namespace archgrid::report {
namespace {

constexpr std::string_view kTest = " Testing: ";  // "3/17 Testing: cu130-sm90/gemm.Shapes"
constexpr std::string_view kGpu = "archgrid: gpu ";
constexpr std::string_view kSkipped = "archgrid: skipped: ";

/// What the lines of one test say; a test that named its GPU and then stood aside did not run.
struct OneTest {
  std::string gpu;
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

void read_line(std::string_view line, OneTest& test) {
  if (line.substr(0, kGpu.size()) == kGpu) {
    test.gpu = gpu_name(trimmed(line.substr(kGpu.size())));
  } else if (line.substr(0, kSkipped.size()) == kSkipped) {
    const auto rest = line.substr(kSkipped.size());
    const auto colon = rest.find(": ");
    test.skip_code = std::string(rest.substr(0, colon));
    if (colon != std::string_view::npos) test.skip_reason = std::string(rest.substr(colon + 2));
  }
}

void count(const OneTest& test, GpuRuns& runs) {
  if (!test.skip_code.empty()) {
    auto& skips = runs.skips[test.skip_code];
    if (skips.count++ == 0) skips.example = test.skip_reason;
  } else if (!test.gpu.empty()) {
    runs.gpus.insert(test.gpu);
    ++runs.ran;
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
  if (runs.ran == 0 && runs.skips.empty()) return {};
  std::string text = "GPU tests: ";
  if (runs.ran == 0) {
    text += "none ran";
  } else {
    text += fmt::format("{} ran on {}", runs.ran, fmt::join(runs.gpus, "; "));
  }
  for (const auto& [code, skips] : runs.skips) {
    text += fmt::format("; {} skipped ({}): {}", skips.count, code, skips.example);
  }
  return text;
}

}  // namespace archgrid::report
