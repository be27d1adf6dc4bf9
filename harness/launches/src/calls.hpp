// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ARCHGRID_LAUNCHES_CALLS_HPP
#define ARCHGRID_LAUNCHES_CALLS_HPP

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "evaluate.hpp"

namespace archgrid::launches {

/// Calls of functions whose effect is known without evaluating them.
class KnownCalls : public CallHandler {
 public:
  KnownCalls(const Program& program, Knowledge& knowledge)
      : program_(program), knowledge_(knowledge) {}

  CallEffect call(Machine& machine, State& state, const Callee& callee) override;
  [[nodiscard]] bool is_stub(std::uint32_t) const override { return false; }
  [[nodiscard]] bool is_in_chain(std::uint32_t) const override { return false; }

 protected:
  /// Returns the effect of a function that queries the compute capability or does not return.
  std::optional<CallEffect> known_effect(Machine& machine, State& state, const Callee& callee);

  const Program& program_;
  Knowledge& knowledge_;
};

/// Calls that always return, for evaluations that follow every branch.
class AnyCalls final : public CallHandler {
 public:
  CallEffect call(Machine&, State&, const Callee&) override { return {}; }
  [[nodiscard]] bool is_stub(std::uint32_t) const override { return false; }
  [[nodiscard]] bool is_in_chain(std::uint32_t) const override { return false; }
};

/// The functions that are known to lead to a kernel's stub, and the stubs.
struct Chain {
  std::unordered_set<std::uint32_t> stubs;
  std::unordered_map<std::uint32_t, int> distances;  ///< calls to a stub
  std::unordered_set<std::uint32_t> unseen;          ///< functions that lead there from unseen code
};

/// Evaluates functions and what they call, on one GPU.
class Calls final : public KnownCalls {
 public:
  /// `assumes_zero`: a small function that queries the compute capability returns 0 where its
  /// result cannot be computed.
  Calls(const Program& program, Knowledge& knowledge, bool assumes_zero)
      : KnownCalls(program, knowledge), assumes_zero_(assumes_zero) {}

  /// Returns what a function does about whose arguments nothing is known.
  const Outcome& outcome_of(std::uint32_t function, Budget& budget);
  /// Reports whether a function leads to a stub, with the arguments that it passes on.
  bool leads_to_stub(std::uint32_t function, const Chain& chain, Budget& budget);
  [[nodiscard]] bool is_near_source(std::uint32_t function, int distance) const {
    return knowledge_.distances[function] <= distance;
  }

  CallEffect call(Machine& machine, State& state, const Callee& callee) override;
  [[nodiscard]] bool is_stub(std::uint32_t function) const override;
  [[nodiscard]] bool is_in_chain(std::uint32_t function) const override;

 private:
  using Arguments = std::array<Value, 6>;
  struct Key {
    std::uint32_t function = 0;
    Arguments arguments;
    friend bool operator==(const Key&, const Key&) = default;
  };
  struct Hash {
    std::size_t operator()(const Key& key) const;
  };

  class PassedFlags;

  Outcome evaluate_from(std::uint32_t function, const State& entry);
  const ClearFlags& clear_flags(std::uint32_t function);
  const std::vector<Value>& own_clear_flags(std::uint32_t function);
  std::vector<Value> find_clear_flags(std::uint32_t function);
  ClearFlags passed_clear_flags(std::uint32_t function);
  CallEffect enter(State& state, std::uint32_t function);
  CallEffect enter_chain(State& state, std::uint32_t function);
  CallEffect enter_inlined(State& state, std::uint32_t function);
  CallEffect enter_summarised(const State& state, std::uint32_t function);
  CallEffect enter_large(std::uint32_t function);
  CallEffect refusal_of(std::uint32_t function);
  CallEffect summarise(const Key& key);
  [[nodiscard]] Value result_of(std::uint32_t function, const Outcome& outcome) const;
  [[nodiscard]] Value unknown_result(std::uint32_t function) const;

  bool assumes_zero_;
  const Chain* chain_ = nullptr;  ///< null: no stub is looked for
  Budget* budget_ = nullptr;
  int inlined_ = 0;
  int summarised_ = 0;
  std::unordered_map<std::uint32_t, Outcome> outcomes_;
  std::unordered_map<Key, CallEffect, Hash> summaries_;
  std::unordered_map<std::uint32_t, CallEffect> refusals_;  ///< of large functions
  bool finds_flags_ = false;  ///< no flags are assumed to be clear meanwhile
  std::unordered_map<std::uint32_t, ClearFlags> clear_flags_;
  std::unordered_map<std::uint32_t, std::vector<Value>> own_clear_flags_;
};

}  // namespace archgrid::launches

#endif
