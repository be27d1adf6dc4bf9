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
/// Limits for hostile files: keys of one evaluation, and of all that are kept for other GPUs. In
/// torch 2.6.0 a function looks up 3,120 at most, and all of them 195,592, with repetitions.
constexpr std::size_t kMaxKeys = 4096;
constexpr std::size_t kMaxAllKeys = std::size_t{1} << 20;

void sort_unique(std::vector<std::uint64_t>& keys) {
  std::sort(keys.begin(), keys.end());
  keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
  keys.shrink_to_fit();
}

class Collector {
 public:
  Collector(const Program& program, Gpu gpu, CommonEvaluations& common)
      : program_(program), common_(common), budget_(kMaxSourceInstructions) {
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
    if (budget_.is_exhausted() || is_common(function)) return;
    const auto begin = program_.binary.functions[function].begin;
    KnownCalls calls(program_, knowledge_);
    Machine machine(program_, knowledge_, true, begin);
    const auto left = budget_.left();
    const auto outcome =
        evaluate(program_, machine, calls, begin, unknown_entry(), Branches::evaluated, budget_);
    if (outcome.returns && keep_result(function, outcome.result)) return;
    if (machine.uses_capability() || machine.has_recorded() || budget_.is_exhausted()) return;
    keep_common(function, {machine.take_lookups(), left - budget_.left()}, outcome);
  }

  /// Reports whether a function does the same on this GPU as on an earlier one.
  bool is_common(std::uint32_t function) {
    const auto found = common_.by_function.find(function);
    if (found == common_.by_function.end() || !knowledge_.agrees(found->second.lookups))
      return false;
    budget_.spend(found->second.instructions);
    return true;
  }

  void keep_common(std::uint32_t function, CommonEvaluation evaluation, const Outcome& outcome) {
    auto& [hits, missed] = evaluation.lookups;
    if (outcome.returns && outcome.result.kind == Kind::address) {
      missed.push_back(outcome.result.offset + kMajorOffset);  // by is_properties()
    }
    sort_unique(hits);
    sort_unique(missed);
    const auto keys = hits.size() + missed.size();
    if (keys > kMaxKeys || keys > kMaxAllKeys - common_.keys) return;
    common_.keys += keys;
    common_.by_function.insert_or_assign(function, std::move(evaluation));
  }

  /// Adds a function that returns a part of the compute capability, or a cudaDeviceProp; reports
  /// whether it does.
  bool keep_result(std::uint32_t function, const Value& result) {
    const auto begin = program_.binary.functions[function].begin;
    const bool is_getter = result.is_number() && result.from_capability;
    if (!is_getter && !is_properties(result)) return false;
    const bool is_new =
        is_getter ? knowledge_.add_getter(begin, result) : knowledge_.add_property_getter(begin);
    const auto callers = program_.callers.of(function);
    if (is_new && callers.size() < kMaxCallers) {
      next_.insert(next_.end(), callers.begin(), callers.end());
    }
    return true;
  }

  [[nodiscard]] bool is_properties(const Value& result) const {
    if (result.kind == Kind::properties) return result.offset == 0;
    return result.kind == Kind::address &&
           knowledge_.globals.contains(result.offset + kMajorOffset);
  }

  const Program& program_;
  CommonEvaluations& common_;
  Knowledge knowledge_;
  Budget budget_;
  std::vector<std::uint32_t> next_;
};

}  // namespace

Knowledge collect_knowledge(const Program& program, Gpu gpu, CommonEvaluations& common) {
  return Collector(program, gpu, common).run();
}

}  // namespace archgrid::launches
