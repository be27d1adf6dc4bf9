// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <archgrid/coverage/names.hpp>
#include <archgrid/coverage/text_file.hpp>
#include <archgrid/evidence/needed_runs.hpp>
#include <set>

#include "checked.hpp"

namespace archgrid::evidence {
namespace {

namespace fs = std::filesystem;

std::string count_of(std::size_t count, const char* what) {
  return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

/// Returns "scale<float> and 1 more".
std::string example_of(const std::vector<std::string>& kernels) {
  const auto name = fatbin::shortened(
      fatbin::printable(coverage::without_namespaces(coverage::without_signature(kernels.front()))),
      60);
  return kernels.size() == 1 ? name : fmt::format("{} and {} more", name, kernels.size() - 1);
}

/// Returns the path of a test's program in a list that detail/list_gpu_tests.cmake wrote; empty if
/// there is none.
std::string program_in(const std::string& list) {
  constexpr std::string_view kBegin = "]=] [=[\n";
  const auto test = list.find("add_test([=[");
  const auto begin = test == std::string::npos ? test : list.find(kBegin, test);
  if (begin == std::string::npos) return {};
  const auto path = begin + kBegin.size();
  return list.substr(path, list.find("]=]", path) - path);
}

}  // namespace

std::string why_needed(const std::string& name, const fatbin::File& program,
                       coverage::ComputeCapability device, const Evidence& evidence) {
  const coverage::ImageSelector selector(program);
  const auto hash = coverage::code_hash_of(selector, device);
  if (!hash.empty() && evidence.find_passed(name, hash, device) != nullptr) return {};
  std::vector<std::string> changed;
  std::vector<std::string> never;
  std::string date;
  for (const auto& kernel : evidence_for({program}, {{device}, {}, {}}, evidence)) {
    const auto state = kernel.states.at(device);
    if (state == RunState::changed || state == RunState::unknown)
      changed.push_back(kernel.demangled);
    if (state == RunState::never) never.push_back(kernel.demangled);
    const auto last = kernel.last.find(device);
    if (last != kernel.last.end()) date = std::max(date, last->second.run.date);
  }
  if (!changed.empty()) {
    return fmt::format("other code than on {} in {}: {}", date, count_of(changed.size(), "kernel"),
                       example_of(changed));
  }
  if (date.empty()) return "no test of its kernels is known to have passed there";
  if (!never.empty()) {
    return fmt::format("{} without a run there, or changed: {}", count_of(never.size(), "kernel"),
                       example_of(never));
  }
  return "its tests have not all passed there with this code";
}

std::vector<TestProgram> test_programs_in(const fs::path& tree) {
  constexpr std::string_view kEnding = "-tests.cmake";
  std::vector<TestProgram> programs;
  std::error_code error;
  fs::recursive_directory_iterator at(tree, error);
  for (const fs::recursive_directory_iterator end; !error && at != end; at.increment(error)) {
    const auto name = at->path().filename().string();
    if (!name.ends_with(kEnding)) continue;
    TestProgram program;
    program.name = name.substr(0, name.size() - kEnding.size());
    const fs::path recorded = program_in(coverage::read_text_file(at->path(), kMaxBytes));
    const auto beside = at->path().parent_path() / recorded.filename();
    const bool is_within = fs::weakly_canonical(recorded).string().starts_with(
        fs::weakly_canonical(tree).string() + '/');
    if (!recorded.empty() && fs::exists(beside)) program.path = beside;
    if (program.path.empty() && is_within && fs::exists(recorded)) program.path = recorded;
    programs.push_back(std::move(program));
  }
  std::sort(programs.begin(), programs.end(),
            [](const auto& left, const auto& right) { return left.name < right.name; });
  return programs;
}

}  // namespace archgrid::evidence
