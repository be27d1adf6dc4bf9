// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <archgrid/launches.hpp>
#include <map>
#include <optional>
#include <tuple>

#include "binary.hpp"
#include "sources.hpp"
#include "walk.hpp"

namespace archgrid::launches {

class HostCode::Impl {
 public:
  explicit Impl(std::string_view bytes) : program_(read_program(bytes)) {}

  Launch launch_of(const std::string& kernel, Gpu gpu, bool assumes_zero) {
    if (!program_) return Launch::unknown;
    const auto registrations = program_->kernels.find(kernel);
    if (registrations == program_->kernels.end()) return Launch::unknown;
    if (!has_path(*program_, registrations->second)) return Launch::never;
    auto* const calls = calls_on(gpu, assumes_zero);
    if (calls == nullptr) return Launch::reachable;
    return walk(*program_, *calls, registrations->second);
  }

  /// Reports whether a function keeps `kernel` from one GPU, and launches it on one of the others.
  bool is_kept_by_any(const std::string& kernel, Gpu failing, const std::vector<Gpu>& working) {
    if (!program_) return false;
    const auto registrations = program_->kernels.find(kernel);
    auto* const calls = calls_on(failing, true);
    if (registrations == program_->kernels.end() || calls == nullptr) return false;
    const auto refused = find_refused(*program_, *calls, registrations->second);
    return !refused.empty() && std::any_of(working.begin(), working.end(), [&](Gpu gpu) {
      auto* const on_working = calls_on(gpu, false);
      return on_working != nullptr &&
             is_launched_by_any(*program_, *on_working, registrations->second, refused);
    });
  }

 private:
  /// Returns the calls on a GPU; null if its values in host code are unknown.
  Calls* calls_on(Gpu gpu, bool assumes_zero) {
    auto& knowledge = knowledge_of(gpu);
    if (!knowledge.is_complete) return nullptr;
    return &calls_
                .try_emplace({gpu.major, gpu.minor, assumes_zero}, *program_, knowledge,
                             assumes_zero)
                .first->second;
  }

  Knowledge& knowledge_of(Gpu gpu) {
    auto& knowledge = knowledge_[{gpu.major, gpu.minor}];
    if (!knowledge) knowledge = collect_knowledge(*program_, gpu, common_);
    return *knowledge;
  }

  std::optional<Program> program_;
  CommonEvaluations common_;
  std::map<std::pair<int, int>, std::optional<Knowledge>> knowledge_;
  std::map<std::tuple<int, int, bool>, Calls> calls_;
};

HostCode::HostCode(std::string_view bytes) : impl_(std::make_unique<Impl>(bytes)) {}
HostCode::~HostCode() = default;
HostCode::HostCode(HostCode&& other) noexcept = default;
HostCode& HostCode::operator=(HostCode&& other) noexcept = default;

bool HostCode::may_read(std::string_view bytes) {
  return is_readable_elf(bytes);
}

Launch HostCode::launch_of(const std::string& kernel, Gpu gpu) {
  return impl_->launch_of(kernel, gpu, false);
}

bool HostCode::is_guarded(const std::string& kernel, const std::vector<Gpu>& failing,
                          const std::vector<Gpu>& working) {
  const auto is_never = [&](Gpu gpu) {
    return impl_->launch_of(kernel, gpu, true) == Launch::never;
  };
  const auto is_reachable = [&](Gpu gpu) {
    return impl_->launch_of(kernel, gpu, false) == Launch::reachable;
  };
  return !failing.empty() && std::all_of(failing.begin(), failing.end(), is_never) &&
         std::any_of(working.begin(), working.end(), is_reachable);
}

bool HostCode::is_guarded_on_some_paths(const std::string& kernel, Gpu failing,
                                        const std::vector<Gpu>& working) {
  return impl_->is_kept_by_any(kernel, failing, working);
}

}  // namespace archgrid::launches
