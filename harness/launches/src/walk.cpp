// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include "walk.hpp"

#include <algorithm>
#include <deque>
#include <utility>

namespace archgrid::launches {
namespace {

constexpr std::uint64_t kMaxWalkInstructions = 8'000'000;
/// To look behind the first path, too: onnxruntime 1.18.0 needs less than this.
constexpr std::uint64_t kMaxExploredInstructions = 1'000'000;
constexpr int kMaxDistance = 14;
constexpr int kMaxCallersVisited = 3000;
/// A larger caller that calls a function is assumed to lead to a stub through it.
constexpr std::uint64_t kMaxSearchedSize = 20000;
constexpr std::uint64_t kMaxSiblings = 16;
constexpr std::uint64_t kMaxSiblingSize = 4000;
constexpr int kMaxSiblingDistance = 3;
constexpr int kMaxCalleeDistance = 2;

/// Reports whether code outside of the file, or data, may call a function. Exported C++ functions
/// that the file calls itself do not count: they are exported unless a build hides them.
bool may_be_root(const Program& program, std::uint32_t function) {
  const auto& uses = program.uses[function];
  if (uses.is_c_api || uses.is_pointed || uses.is_outside) return true;
  return program.callers.of(function).empty() && (uses.is_exported || uses.is_taken);
}

/// Reports whether a table in data has the address of a stub, or code outside of .text uses it.
/// Pointers of the GOT are for code.
bool is_used_elsewhere(const Program& program, std::uint32_t stub) {
  if (program.uses[stub].is_outside) return true;
  const auto& binary = program.binary;
  const auto pointers = binary.pointers_to(binary.functions[stub].begin);
  return std::any_of(pointers.begin(), pointers.end(), [&](std::uint32_t pointer) {
    return !binary.slots.contains(binary.pointers[pointer].slot);
  });
}

bool contains(const std::vector<std::uint32_t>& sorted, std::uint32_t function) {
  return std::binary_search(sorted.begin(), sorted.end(), function);
}

}  // namespace

/// Goes from the stubs to their callers, as long as these lead to a stub on the GPU.
class Walk {
 public:
  Walk(const Program& program, Calls& calls, const std::vector<Registration>& kernel,
       std::uint64_t limit)
      : program_(program), calls_(calls), budget_(limit) {
    for (const auto& [stub, registrar] : kernel) {
      chain_.stubs.insert(stub);
      registrars_.insert(registrar);
    }
    for (const auto stub : chain_.stubs) add(stub, 0);
  }

  Launch run() {
    while (!waiting_.empty()) {
      const auto function = waiting_.front();
      waiting_.pop_front();
      const auto distance = chain_.distances.at(function);
      if (is_reached(function, distance)) return Launch::reachable;
      if (distance >= kMaxDistance || !visit_callers(function, distance)) return Launch::reachable;
    }
    return budget_.is_exhausted() ? Launch::reachable : Launch::never;
  }

  /// Returns the roots that use a stub, themselves or through others, and do not lead to it.
  std::unordered_set<std::uint32_t> refused() {
    explore([](std::uint32_t) { return false; });
    if (!waiting_.empty()) return {};  // another path of a refused root may be left
    std::erase_if(refused_, [&](std::uint32_t function) {
      return chain_.distances.contains(function) && is_root(function);
    });
    return std::move(refused_);
  }

  /// Reports whether one of these functions leads to a stub.
  bool is_any_leading(const std::unordered_set<std::uint32_t>& functions) {
    return explore([&](std::uint32_t function) { return functions.contains(function); });
  }

 private:
  /// Reports whether code that is not followed may call a function that leads to a stub.
  bool is_reached(std::uint32_t function, int distance) {
    return distance == 0 ? is_used_elsewhere(program_, function) : is_root(function);
  }

  /// Visits the functions that lead to a stub, those behind roots too, until one satisfies
  /// `is_found` or a limit is exceeded; reports whether one did.
  template <typename Predicate>
  bool explore(Predicate is_found) {
    while (!waiting_.empty() && !budget_.is_exhausted()) {
      const auto function = waiting_.front();
      waiting_.pop_front();
      const auto distance = chain_.distances.at(function);
      if (distance > 0 && may_be_root(program_, function) && !is_root(function)) {
        refused_.insert(function);
      } else if (is_found(function)) {
        return true;
      }
      if (distance >= kMaxDistance || !visit_callers(function, distance)) return false;
    }
    return false;
  }

  void add(std::uint32_t function, int distance) {
    chain_.distances.emplace(function, distance);
    waiting_.push_back(function);
  }

  bool is_root(std::uint32_t function) {
    if (!may_be_root(program_, function)) return false;
    const auto& uses = program_.uses[function];
    return uses.is_c_api || uses.is_outside || !is_guarded_by_siblings(function);
  }

  /// Visits the callers of a function; reports whether limits were kept.
  bool visit_callers(std::uint32_t function, int distance) {
    for (const auto caller : program_.callers.of(function)) {
      if (chain_.distances.contains(caller) || registrars_.contains(caller)) continue;
      if (++visited_ > kMaxCallersVisited || budget_.is_exhausted()) return false;
      if (leads_to(caller, function)) {
        add(caller, distance + 1);
      } else if (may_be_root(program_, caller)) {
        refused_.insert(caller);
      }
    }
    return !budget_.is_exhausted();
  }

  bool leads_to(std::uint32_t caller, std::uint32_t function) {
    const auto& outcome = calls_.outcome_of(caller, budget_);
    if (!outcome.is_complete) return true;
    if (!contains(outcome.reached, function)) {
      const bool is_unseen = !is_seen(caller, function);
      if (is_unseen) chain_.unseen.insert(caller);
      return is_unseen;
    }
    const bool may_depend = outcome.is_pruned || outcome.uses_capability ||
                            calls_.is_near_source(caller, kMaxCalleeDistance);
    if (!may_depend || program_.size_of(caller) > kMaxSearchedSize) return true;
    return calls_.leads_to_stub(caller, chain_, budget_);
  }

  /// Reports whether the evaluation sees all code of a caller that uses a function. It sees neither
  /// handlers of exceptions nor the destinations of unknown jumps.
  bool is_seen(std::uint32_t caller, std::uint32_t function) {
    const auto begin = program_.binary.functions[caller].begin;
    Knowledge nothing;
    Machine machine(program_, nothing, false, begin);
    AnyCalls any;
    const auto outcome =
        evaluate(program_, machine, any, begin, unknown_entry(), Branches::all, budget_);
    return outcome.is_complete && contains(outcome.reached, function);
  }

  /// Reports whether each table with a virtual function has another one that returns false because
  /// of the compute capability, such as is_available().
  bool is_guarded_by_siblings(std::uint32_t function) {
    const auto begin = program_.binary.functions[function].begin;
    const auto slots = program_.binary.pointers_to(begin);
    const auto is_refused = [&](std::uint32_t slot) {
      if (budget_.is_exhausted()) return false;
      return has_refusing_sibling(slot, 1) || has_refusing_sibling(slot, -1);
    };
    return !slots.empty() && std::all_of(slots.begin(), slots.end(), is_refused);
  }

  /// Looks at the pointers behind (`step` 1) or before (-1) a pointer, without gaps.
  bool has_refusing_sibling(std::size_t index, int step) {
    const auto& pointers = program_.binary.pointers;
    auto slot = pointers[index].slot;
    for (std::uint64_t count = 1; count < kMaxSiblings; ++count) {
      index += static_cast<std::size_t>(step);
      slot += static_cast<std::uint64_t>(std::int64_t{step} * 8);
      if (index >= pointers.size() || pointers[index].slot != slot) return false;
      const auto sibling = program_.binary.function_from(pointers[index].target);
      budget_.spend(1);
      if (sibling != kNone && refuses(sibling)) return true;
    }
    return false;
  }

  bool refuses(std::uint32_t sibling) {
    if (program_.size_of(sibling) > kMaxSiblingSize ||
        !calls_.is_near_source(sibling, kMaxSiblingDistance)) {
      return false;
    }
    const auto& outcome = calls_.outcome_of(sibling, budget_);
    return outcome.is_complete && outcome.returns && is_chosen_zero(outcome) &&
           !launches(sibling, kMaxSiblingDistance);
  }

  /// Reports whether a function returns 0 itself, because of the compute capability. A function
  /// without a result leaves there what its last call returned.
  static bool is_chosen_zero(const Outcome& outcome) {
    const auto& result = outcome.result;
    return result.is_number() && result.id != kReturned && low_bits(result.offset, 8) == 0 &&
           (outcome.is_pruned || result.from_capability);
  }

  /// Reports whether a function leads to the stub of any kernel within some calls.
  bool launches(std::uint32_t function, int calls) {
    const auto callees = program_.callees.of(function);
    budget_.spend(1 + callees.size());
    for (const auto callee : callees) {
      if (program_.uses[callee].is_stub) return true;
      if (calls > 1 && !budget_.is_exhausted() && launches(callee, calls - 1)) return true;
    }
    return false;
  }

  const Program& program_;
  Calls& calls_;
  Budget budget_;
  Chain chain_;
  std::unordered_set<std::uint32_t> registrars_;
  std::unordered_set<std::uint32_t> refused_;
  std::deque<std::uint32_t> waiting_;
  int visited_ = 0;
};

bool has_path(const Program& program, const std::vector<Registration>& kernel) {
  std::unordered_set<std::uint32_t> seen;
  std::unordered_set<std::uint32_t> stubs;
  std::vector<std::uint32_t> waiting;
  for (const auto& [stub, registrar] : kernel) {
    seen.insert(registrar);
    if (stubs.insert(stub).second) waiting.push_back(stub);
  }
  seen.insert(stubs.begin(), stubs.end());
  while (!waiting.empty()) {
    const auto function = waiting.back();
    waiting.pop_back();
    const bool is_stub = stubs.contains(function);
    if (is_stub ? is_used_elsewhere(program, function) : may_be_root(program, function))
      return true;
    for (const auto caller : program.callers.of(function)) {
      if (seen.insert(caller).second) waiting.push_back(caller);
    }
  }
  return false;
}

Launch walk(const Program& program, Calls& calls, const std::vector<Registration>& kernel) {
  return Walk(program, calls, kernel, kMaxWalkInstructions).run();
}

std::unordered_set<std::uint32_t> find_refused(const Program& program, Calls& calls,
                                               const std::vector<Registration>& kernel) {
  return Walk(program, calls, kernel, kMaxExploredInstructions).refused();
}

bool is_launched_by_any(const Program& program, Calls& calls,
                        const std::vector<Registration>& kernel,
                        const std::unordered_set<std::uint32_t>& functions) {
  return Walk(program, calls, kernel, kMaxExploredInstructions).is_any_leading(functions);
}

}  // namespace archgrid::launches
