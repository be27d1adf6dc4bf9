// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include "file_evidence.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include "kernel_names.hpp"
#include "running.hpp"

namespace archgrid::coverage {
namespace {

// A file with at least this many lists of archs has them chosen unit by unit.
constexpr std::size_t kManyArchLists = 6;

std::vector<ArchList> arch_lists_of(const fatbin::File& file) {
  std::vector<std::set<std::pair<int, char>>> archs(file.modules.size());
  for (const auto& image : file.images) {
    archs[image.module].emplace(image.arch.number, image.arch.suffix);
  }
  std::vector<ArchList> lists(file.modules.size());
  for (std::size_t module = 0; module < lists.size(); ++module) {
    auto& list = lists[module];
    for (const auto& [number, suffix] : archs[module]) {
      const auto arch = fatbin::Arch{number, suffix}.text();
      list.text += (list.text.empty() ? "" : " ") + arch;
      list.is_suffixed = list.is_suffixed && suffix != '\0';
    }
    const auto& all = archs[module];
    const bool is_one = !all.empty() && all.begin()->first == all.rbegin()->first;
    if (is_one && all.size() > 1) list.is_suffixed = true;  // 90 and 90a
  }
  return lists;
}

/// Returns the archs that modules are compiled for alone, with a suffix.
std::set<int> archs_compiled_alone(const fatbin::File& file, const std::vector<ArchList>& lists) {
  std::map<std::size_t, std::set<int>> archs;
  for (const auto& image : file.images) archs[image.module].insert(image.arch.number);
  std::set<int> alone;
  for (const auto& [module, numbers] : archs) {
    if (numbers.size() == 1 && lists[module].is_suffixed) alone.insert(*numbers.begin());
  }
  return alone;
}

std::vector<Oldest> oldest_by_module(const fatbin::File& file) {
  std::vector<Oldest> modules(file.modules.size());
  for (const auto& image : file.images) {
    auto& oldest = modules[image.module];
    oldest.arch = std::min(oldest.arch, image.arch.number);
    if (image.kind != fatbin::Kind::sass || image.arch.number > oldest.sass) continue;
    if (image.arch.number < oldest.sass) oldest.first_device = 0;
    oldest.sass = image.arch.number;
    for (const auto& kernel : image.kernels) {
      if (kernel.opcodes.none()) continue;
      oldest.first_device = std::max(oldest.first_device, first_device_with(kernel.opcodes));
    }
  }
  return modules;
}

}  // namespace

FileEvidence evidence_in(const fatbin::File& file, const ImageSelector& selector) {
  FileEvidence evidence;
  evidence.lists = arch_lists_of(file);
  evidence.oldest = oldest_by_module(file);
  evidence.compiled_alone = archs_compiled_alone(file, evidence.lists);
  evidence.of_nvidia = modules_of_nvidia(file, selector);
  evidence.compiles_at_run_time = run_time_compiler(file) != nullptr;
  std::map<std::string_view, std::size_t> units;
  for (const auto& module : file.modules) {
    const std::string_view list = evidence.lists[module.index].text;
    auto& first = evidence.first_with[list];
    first = std::max(first, evidence.oldest[module.index].first_device);
    if (module.registered) ++units[list];
  }
  const auto shared =
      std::count_if(units.begin(), units.end(), [](const auto& list) { return list.second > 1; });
  evidence.has_many_lists = static_cast<std::size_t>(shared) >= kManyArchLists;
  return evidence;
}

}  // namespace archgrid::coverage
