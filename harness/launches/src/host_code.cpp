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
    auto& knowledge = knowledge_of(gpu);
    if (!knowledge.is_complete) return Launch::reachable;
    auto& calls =
        calls_.try_emplace({gpu.major, gpu.minor, assumes_zero}, *program_, knowledge, assumes_zero)
            .first->second;
    return walk(*program_, calls, registrations->second);
  }

 private:
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

}  // namespace archgrid::launches
