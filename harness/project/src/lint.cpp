// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <archgrid/project/lint.hpp>
#include <iterator>
#include <set>
#include <utility>

namespace archgrid::project {
namespace {

using coverage::ComputeCapability;

bool serves(const ArchList& list, ComputeCapability device, const coverage::Verdicts& accept) {
  return std::any_of(list.archs.begin(), list.archs.end(), [&](const promises::SpelledArch& arch) {
    return coverage::arch_serves(arch.text(), device, accept);
  });
}

/// Reports whether the list names PTX for just this GPU.
bool names_ptx(const ArchList& list, ComputeCapability device) {
  return std::any_of(
      list.archs.begin(), list.archs.end(), [&](const promises::SpelledArch& spelled) {
        return spelled.arch.number == device.number() &&
               coverage::arch_serves(spelled.text(), device, {coverage::Verdict::jit});
      });
}

/// Returns the GPUs of boards for which a list has machine code.
std::set<ComputeCapability> served_by(const ArchList& list) {
  std::set<ComputeCapability> served;
  for (const auto& gpu : coverage::table().architectures) {
    const bool is_board = !gpu.integrated && !gpu.products.empty();
    if (is_board && serves(list, gpu.device, coverage::default_verdicts())) {
      served.insert(gpu.device);
    }
  }
  return served;
}

std::vector<fatbin::Arch> unable_archs(const ArchList& list) {
  std::vector<fatbin::Arch> unable;
  if (!list.toolkit || coverage::table().find_toolkit(*list.toolkit) == nullptr) return unable;
  for (const auto& spelled : list.archs) {
    const auto able = coverage::table().toolkits_for(spelled.arch);
    if (std::find(able.begin(), able.end(), *list.toolkit) == able.end()) {
      unable.push_back(spelled.arch);
    }
  }
  return unable;
}

std::optional<LateArchs> late_part(const ArchList& list, const std::vector<LateArchs>& late) {
  if (list.name != "CMAKE_CUDA_ARCHITECTURES") return std::nullopt;
  const auto found = std::find_if(late.begin(), late.end(), [&](const LateArchs& part) {
    return part.path == list.path && part.line >= list.line;
  });
  return found == late.end() ? std::nullopt : std::optional(*found);
}

void compare_with_promises(Lint& lint, const std::vector<coverage::Promise>& promises) {
  for (auto& judged : lint.lists) {
    std::set<ComputeCapability> lacks;
    for (const auto& promise : promises) {
      for (const auto device : promise.devices) {
        if (!serves(judged.list, device, promise.accept)) lacks.insert(device);
      }
    }
    judged.lacks.assign(lacks.begin(), lacks.end());
  }
}

/// Removes the GPUs that follow from another one that lacks: 12.1, which no list names, where 12.0
/// lacks.
void keep_named(const Lint& lint, std::vector<ComputeCapability>& lacks) {
  const auto is_named = [&](ComputeCapability device) {
    return std::any_of(lint.lists.begin(), lint.lists.end(), [&](const JudgedList& judged) {
      return std::any_of(
          judged.list.archs.begin(), judged.list.archs.end(),
          [&](const promises::SpelledArch& arch) { return arch.arch.number == device.number(); });
    });
  };
  std::vector<ComputeCapability> kept;
  for (const auto device : lacks) {
    const bool is_first = kept.empty() || kept.back().major != device.major;
    if (is_first || is_named(device)) kept.push_back(device);
  }
  lacks = std::move(kept);
}

void compare_with_each_other(Lint& lint) {
  std::vector<std::set<ComputeCapability>> served;
  std::set<ComputeCapability> all;
  for (std::size_t index = 0; index < lint.lists.size(); ++index) {
    served.push_back(served_by(lint.lists[index].list));
    for (const auto device : served.back()) {
      all.insert(device);
      lint.served_by.try_emplace(device, index);
    }
  }
  for (std::size_t index = 0; index < lint.lists.size(); ++index) {
    std::set_difference(all.begin(), all.end(), served[index].begin(), served[index].end(),
                        std::back_inserter(lint.lists[index].lacks));
    keep_named(lint, lint.lists[index].lacks);
  }
}

}  // namespace

std::size_t Lint::faults() const {
  return static_cast<std::size_t>(
      std::count_if(lists.begin(), lists.end(), [](const JudgedList& judged) {
        return !judged.lacks.empty() || !judged.unable.empty() || judged.late;
      }));
}

Lint lint(ProjectArchs archs, const std::vector<coverage::Promise>& promises) {
  Lint result;
  result.unread = std::move(archs.unread);
  result.is_promised = !promises.empty();
  for (auto& list : archs.lists) {
    auto unable = unable_archs(list);
    auto late = late_part(list, archs.late);
    result.lists.push_back({std::move(list), {}, {}, std::move(unable), std::move(late)});
  }
  if (result.is_promised) {
    compare_with_promises(result, promises);
  } else {
    compare_with_each_other(result);
  }
  for (auto& judged : result.lists) {
    std::copy_if(judged.lacks.begin(), judged.lacks.end(), std::back_inserter(judged.only_ptx),
                 [&](ComputeCapability device) { return names_ptx(judged.list, device); });
  }
  return result;
}

}  // namespace archgrid::project
