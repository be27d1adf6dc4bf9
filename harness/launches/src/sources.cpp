// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include "sources.hpp"

#include <algorithm>

#include "calls.hpp"

namespace archgrid::launches {
namespace {

constexpr int kMaxRounds = 4;
constexpr std::size_t kMaxCallers = 2000;
constexpr std::uint64_t kMaxSourceInstructions = 15'000'000;

class Collector {
 public:
  Collector(const Program& program, Gpu gpu) : program_(program), budget_(kMaxSourceInstructions) {
    knowledge_.gpu = gpu;
  }

  Knowledge run() {
    auto functions = sources();
    for (int round = 0; round < kMaxRounds && !functions.empty(); ++round) {
      next_.clear();
      for (const auto function : functions) visit(function);
      std::sort(next_.begin(), next_.end());
      next_.erase(std::unique(next_.begin(), next_.end()), next_.end());
      functions = next_;
    }
    knowledge_.is_complete = !budget_.is_exhausted();
    measure_distances(program_, knowledge_);
    return std::move(knowledge_);
  }

 private:
  [[nodiscard]] std::vector<std::uint32_t> sources() const {
    std::vector<std::uint32_t> found;
    for (std::uint32_t function = 0; function < program_.uses.size(); ++function) {
      const auto begin = program_.binary.functions[function].begin;
      const auto role = program_.role_of({begin, kNone});
      if (!program_.uses[function].is_source) continue;
      if (role != Role::attribute && role != Role::properties) found.push_back(function);
    }
    return found;
  }

  void visit(std::uint32_t function) {
    if (budget_.is_exhausted()) return;
    const auto begin = program_.binary.functions[function].begin;
    KnownCalls calls(program_, knowledge_);
    Machine machine(program_, knowledge_, true, begin);
    const auto outcome =
        evaluate(program_, machine, calls, begin, unknown_entry(), Branches::evaluated, budget_);
    if (outcome.returns) keep_result(function, outcome.result);
  }

  void keep_result(std::uint32_t function, const Value& result) {
    const auto begin = program_.binary.functions[function].begin;
    bool is_new = false;
    if (result.is_number() && result.from_capability) {
      is_new = knowledge_.getters.emplace(begin, result).second;
    } else if (is_properties(result)) {
      is_new = knowledge_.property_getters.insert(begin).second;
    }
    const auto callers = program_.callers.of(function);
    if (is_new && callers.size() < kMaxCallers) {
      next_.insert(next_.end(), callers.begin(), callers.end());
    }
  }

  [[nodiscard]] bool is_properties(const Value& result) const {
    if (result.kind == Kind::properties) return result.offset == 0;
    return result.kind == Kind::address &&
           knowledge_.globals.contains(result.offset + kMajorOffset);
  }

  const Program& program_;
  Knowledge knowledge_;
  Budget budget_;
  std::vector<std::uint32_t> next_;
};

}  // namespace

Knowledge collect_knowledge(const Program& program, Gpu gpu) {
  return Collector(program, gpu).run();
}

}  // namespace archgrid::launches
