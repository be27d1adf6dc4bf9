// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include "calls.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

namespace archgrid::launches {
namespace {

constexpr std::uint64_t kMaxChainSize = 20000;
constexpr std::uint64_t kMaxSummarisedSize = 3000;
constexpr int kMaxChainDepth = 4;
constexpr int kMaxInlineDepth = 5;
constexpr int kMaxSummaryDepth = 4;
constexpr int kMaxSourceDistance = 2;
constexpr std::uint64_t kMaxChainInstructions = 200000;
/// A large function that refuses a GPU does so in its first instructions.
constexpr std::uint64_t kMaxRefusalInstructions = 2000;
/// Functions that call more do not make one object.
constexpr std::size_t kMaxFlagCallees = 256;
/// Functions that set more flags are no checks, and each read looks through all of them.
constexpr std::size_t kMaxFlags = 64;
/// Flags of all calls of a function, among them the same ones many times.
constexpr std::size_t kMaxFoundFlags = 4096;
constexpr std::size_t kMaxSummaries = std::size_t{1} << 18;

/// Sets a variable for the lifetime of this object.
template <typename T>
class Scoped {
 public:
  Scoped(T& variable, T value) : variable_(variable), old_(variable) { variable = value; }
  ~Scoped() { variable_ = old_; }
  Scoped(const Scoped&) = delete;
  Scoped& operator=(const Scoped&) = delete;

 private:
  T& variable_;
  T old_;
};

Value register_of_state(const State& state, int index) {
  return state.registers[static_cast<std::size_t>(index)];
}

/// Returns a caller's state at the entry of a callee.
State entry_from(const State& caller) {
  auto entry = caller;
  auto& top = entry.registers[kRsp];
  if (top.kind == Kind::stack) {
    entry.memory.forget_below(top);
    top.offset -= 8;
  }
  entry.flags = {};
  return entry;
}

/// Adds the flags of a callee in the objects that it gets as arguments.
void add_flags(const std::vector<Value>& flags, const State& entry, ClearFlags& added) {
  for (const auto& flag : flags) {
    if (flag.kind != Kind::argument) {
      if (is_flag_place(flag)) added.places.push_back(flag);
      if (may_be_shared(flag)) added.offsets.push_back(flag.offset);
      continue;
    }
    if (flag.id >= kArguments.size()) continue;
    const auto object = register_of_state(entry, kArguments[flag.id]);
    const auto place = plus(object, flag.offset);
    if (is_flag_place(place)) added.places.push_back(place);
    if (may_be_shared(object)) added.offsets.push_back(flag.offset);
  }
}

/// Returns the flags of a function whose arguments are those at `entry`.
ClearFlags flags_at(const ClearFlags& flags, const State& entry) {
  ClearFlags found{{}, flags.offsets};
  add_flags(flags.places, entry, found);
  return found;
}

void sort_unique(std::vector<Value>& places) {
  std::sort(places.begin(), places.end(), [](const Value& left, const Value& right) {
    return std::tie(left.kind, left.id, left.offset) < std::tie(right.kind, right.id, right.offset);
  });
  places.erase(std::unique(places.begin(), places.end()), places.end());
}

/// Reports whether all paths through a function are known.
bool is_certain(const Outcome& outcome) {
  return outcome.is_complete && !outcome.leaves && !outcome.is_unresolved;
}

/// Reports whether a function returns 0, or never, because of the compute capability.
bool refuses(const Outcome& outcome, const Value& result) {
  return is_certain(outcome) && outcome.is_pruned && (!outcome.returns || result.is(0));
}

/// Returns the effect of a function that was evaluated as if its arguments had the stub's address.
CallEffect effect_of(const Outcome& outcome, const Value& result, bool keeps_memory) {
  CallEffect effect{outcome.returns, result, keeps_memory};
  effect.refuses = refuses(outcome, result);
  effect.may_launch = outcome.reaches_target;
  return effect;
}

void query_attribute(const Knowledge& knowledge, Machine& machine, State& state) {
  const auto attribute = register_of_state(state, kRsi);
  const auto place = register_of_state(state, kRdi);
  if (!attribute.is(kMajorAttribute) && !attribute.is(kMinorAttribute)) {
    return machine.store(state, place, 4, {});
  }
  machine.note_capability();
  machine.store(state, place, 4,
                attribute.is(kMajorAttribute) ? knowledge.major() : knowledge.minor());
}

/// A function that reads only other properties than the compute capability does not use it.
void query_properties(Machine& machine, State& state) {
  const auto place = register_of_state(state, kRdi);
  if (place.kind == Kind::unknown) machine.note_capability();
  machine.store_properties(state, place);
}

}  // namespace

std::optional<CallEffect> KnownCalls::known_effect(Machine& machine, State& state,
                                                   const Callee& callee) {
  switch (program_.role_of(callee)) {
    case Role::attribute:
      query_attribute(knowledge_, machine, state);
      return CallEffect{true, number(0), false, false, true};
    case Role::properties:
      query_properties(machine, state);
      return CallEffect{true, number(0), false, false, true};
    case Role::property_getter:
      return CallEffect{true, {Kind::properties, false, false, 0, 0}, false, false, true};
    case Role::no_return:
      return CallEffect{false, {}};
    case Role::none:
      break;
  }
  if (callee.address == 0) return CallEffect{};
  const bool is_property_getter = knowledge_.property_getters.contains(callee.address);
  machine.note_call(callee.address, is_property_getter);
  if (is_property_getter) {
    return CallEffect{true, {Kind::properties, false, false, 0, 0}, false, false, true};
  }
  const auto getter = knowledge_.getters.find(callee.address);
  if (getter == knowledge_.getters.end()) return std::nullopt;
  machine.note_capability();
  return CallEffect{true, getter->second, false, false, true};
}

CallEffect KnownCalls::call(Machine& machine, State& state, const Callee& callee) {
  if (const auto effect = known_effect(machine, state, callee)) return *effect;
  return {true, opaque(callee.address)};
}

std::size_t Calls::Hash::operator()(const Key& key) const {
  std::uint64_t hash = key.function;
  for (const auto& argument : key.arguments) {
    const auto kind = static_cast<std::uint64_t>(argument.kind);
    hash = (hash ^ argument.offset ^ kind) * 0x9E3779B97F4A7C15ULL;
  }
  return hash;
}

bool Calls::is_stub(std::uint32_t function) const {
  return chain_ != nullptr && chain_->stubs.contains(function);
}

bool Calls::is_in_chain(std::uint32_t function) const {
  return chain_ != nullptr &&
         (chain_->stubs.contains(function) || chain_->distances.contains(function));
}

Outcome Calls::evaluate_from(std::uint32_t function, const State& entry) {
  const auto begin = program_.binary.functions[function].begin;
  Machine machine(program_, knowledge_, false, begin);
  if (assumes_zero_) machine.assume_properties();
  if (assumes_zero_ && !finds_flags_) machine.assume_clear(flags_at(clear_flags(function), entry));
  return evaluate(program_, machine, *this, begin, entry, Branches::evaluated, *budget_);
}

/// Calls that give flags of the callees, which these set behind a check, to objects of the caller.
class Calls::PassedFlags final : public CallHandler {
 public:
  explicit PassedFlags(Calls& calls) : calls_(calls) {}
  CallEffect call(Machine&, State& state, const Callee& callee) override {
    const auto function = calls_.program_.binary.function_from(callee.address);
    if (function == kNone) return {};
    const auto count = found_.places.size() + found_.offsets.size();
    if (count < kMaxFoundFlags) add_flags(calls_.own_clear_flags(function), state, found_);
    return {true, calls_.unknown_result(function)};
  }
  [[nodiscard]] bool is_stub(std::uint32_t) const override { return false; }
  [[nodiscard]] bool is_in_chain(std::uint32_t) const override { return false; }
  [[nodiscard]] ClearFlags found() { return std::move(found_); }

 private:
  Calls& calls_;
  ClearFlags found_;
};

/// Returns the flags that a function or its callees set only behind a check that the GPU fails.
const ClearFlags& Calls::clear_flags(std::uint32_t function) {
  const auto [found, is_new] = clear_flags_.try_emplace(function);
  if (!is_new) return found->second;
  ClearFlags flags;
  const auto callees = program_.callees.of(function);
  const auto first = callees.first(std::min(callees.size(), kMaxFlagCallees));
  const bool has_setter = std::any_of(first.begin(), first.end(), [&](std::uint32_t callee) {
    return !own_clear_flags(callee).empty();
  });
  if (has_setter) flags = passed_clear_flags(function);
  const auto& own = own_clear_flags(function);
  flags.places.insert(flags.places.end(), own.begin(), own.end());
  return clear_flags_[function] = std::move(flags);
}

/// Returns the flags that callees set in objects that they get from a function.
ClearFlags Calls::passed_clear_flags(std::uint32_t function) {
  const Scoped scoped_flags(finds_flags_, true);
  const auto begin = program_.binary.functions[function].begin;
  Machine machine(program_, knowledge_, false, begin);
  PassedFlags passed(*this);
  evaluate(program_, machine, passed, begin, unknown_entry(), Branches::all, *budget_);
  auto flags = passed.found();
  sort_unique(flags.places);
  std::sort(flags.offsets.begin(), flags.offsets.end());
  flags.offsets.erase(std::unique(flags.offsets.begin(), flags.offsets.end()), flags.offsets.end());
  const bool are_few = flags.places.size() <= kMaxFlags && flags.offsets.size() <= kMaxFlags;
  return are_few ? flags : ClearFlags();
}

const std::vector<Value>& Calls::own_clear_flags(std::uint32_t function) {
  const auto found = own_clear_flags_.find(function);
  if (found != own_clear_flags_.end()) return found->second;
  const bool may_check = is_near_source(function, 1) && !budget_->is_exhausted() &&
                         program_.size_of(function) <= kMaxChainSize;
  return own_clear_flags_[function] = may_check ? find_clear_flags(function) : std::vector<Value>();
}

std::vector<Value> Calls::find_clear_flags(std::uint32_t function) {
  const Scoped scoped_flags(finds_flags_, true);
  const Scoped<const Chain*> scoped_chain(chain_, nullptr);
  const auto begin = program_.binary.functions[function].begin;
  Machine all(program_, knowledge_, false, begin);
  AnyCalls any;
  evaluate(program_, all, any, begin, unknown_entry(), Branches::all, *budget_);
  auto flags = all.set_flags();
  sort_unique(flags);
  if (flags.empty() || flags.size() > kMaxFlags) return {};
  Machine machine(program_, knowledge_, false, begin);
  const auto outcome =
      evaluate(program_, machine, *this, begin, unknown_entry(), Branches::evaluated, *budget_);
  if (!is_certain(outcome) || !outcome.is_pruned) return {};
  std::erase_if(flags, [&](const Value& flag) { return machine.may_have_set(flag); });
  return flags;
}

const Outcome& Calls::outcome_of(std::uint32_t function, Budget& budget) {
  const auto found = outcomes_.find(function);
  if (found != outcomes_.end()) return found->second;
  const Scoped scoped_budget(budget_, &budget);
  auto outcome = evaluate_from(function, unknown_entry());
  outcome.memory.reset();
  return outcomes_.emplace(function, std::move(outcome)).first->second;
}

bool Calls::leads_to_stub(std::uint32_t function, const Chain& chain, Budget& budget) {
  Budget limited(kMaxChainInstructions, &budget);
  const Scoped scoped_budget(budget_, &limited);
  const Scoped<const Chain*> scoped_chain(chain_, &chain);
  const auto outcome = evaluate_from(function, unknown_entry());
  return outcome.reaches_target || outcome.is_unresolved || !outcome.is_complete ||
         limited.is_exhausted();
}

CallEffect Calls::call(Machine& machine, State& state, const Callee& callee) {
  if (const auto effect = known_effect(machine, state, callee)) return *effect;
  const auto function = program_.binary.function_from(callee.address);
  if (function == kNone) return {true, opaque(callee.address)};
  return enter(state, function);
}

CallEffect Calls::enter(State& state, std::uint32_t function) {
  if (is_stub(function)) return {true, unknown_result(function), false, true};
  if (is_in_chain(function)) return enter_chain(state, function);
  if (summarised_ >= kMaxSummaryDepth) return {true, unknown_result(function)};
  if (program_.size_of(function) > kMaxSummarisedSize) return enter_large(function);
  if (chain_ != nullptr && inlined_ < kMaxInlineDepth &&
      is_near_source(function, kMaxSourceDistance)) {
    return enter_inlined(state, function);
  }
  return enter_summarised(state, function);
}

/// Evaluates a function that may lead to a stub, with all knowledge of the caller.
CallEffect Calls::enter_chain(State& state, std::uint32_t function) {
  CallEffect effect{true, unknown_result(function), false, true};
  if (inlined_ >= kMaxChainDepth || program_.size_of(function) > kMaxChainSize) return effect;
  const Scoped scoped_depth(inlined_, inlined_ + 1);
  auto outcome = evaluate_from(function, entry_from(state));
  effect.reaches_target = outcome.reaches_target || outcome.is_unresolved || !outcome.is_complete ||
                          chain_->unseen.contains(function);
  if (!is_certain(outcome)) return effect;
  effect.returns = outcome.returns;
  effect.result = result_of(function, outcome);
  effect.keeps_memory = outcome.memory.has_value();
  if (outcome.memory) state.memory = std::move(*outcome.memory);
  return effect;
}

/// Evaluates a function that may use the compute capability, with all knowledge of the caller.
CallEffect Calls::enter_inlined(State& state, std::uint32_t function) {
  const Scoped scoped_depth(inlined_, inlined_ + 1);
  const Scoped<const Chain*> scoped_chain(chain_, nullptr);
  auto entry = entry_from(state);
  entry.holds_stub = true;  // to find calls that get it
  auto outcome = evaluate_from(function, entry);
  if (!is_certain(outcome)) return {true, unknown_result(function)};
  if (outcome.memory) state.memory = std::move(*outcome.memory);
  const auto result = result_of(function, outcome);
  return effect_of(outcome, result, outcome.memory.has_value());
}

/// Evaluates a function with the numbers among its arguments, once for each of them.
CallEffect Calls::enter_summarised(const State& state, std::uint32_t function) {
  Key key{function, {}};
  for (std::size_t index = 0; index < kArguments.size(); ++index) {
    auto argument = register_of_state(state, kArguments[index]);
    if (assumes_zero_) argument = knowledge_.properties_at(argument);
    const bool is_kept = argument.is_number() || argument.kind == Kind::properties;
    key.arguments[index] = is_kept ? argument : Value();
  }
  const auto found = summaries_.find(key);
  if (found != summaries_.end()) return found->second;
  // Answers recursive calls.
  summaries_.emplace(key, CallEffect{true, unknown_result(function)});
  const auto effect = summarise(key);
  if (budget_->is_exhausted() || summaries_.size() > kMaxSummaries) {
    summaries_.erase(key);
  } else {
    summaries_[key] = effect;
  }
  return effect;
}

CallEffect Calls::summarise(const Key& key) {
  auto entry = unknown_entry();
  entry.holds_stub = true;
  for (std::size_t index = 0; index < kArguments.size(); ++index) {
    if (key.arguments[index].kind == Kind::unknown) continue;
    entry.registers[static_cast<std::size_t>(kArguments[index])] = key.arguments[index];
  }
  const Scoped scoped_depth(summarised_, summarised_ + 1);
  const Scoped<const Chain*> scoped_chain(chain_, nullptr);
  const auto outcome = evaluate_from(key.function, entry);
  if (!outcome.is_complete) return {true, unknown_result(key.function)};
  const auto result = result_of(key.function, outcome);
  return effect_of(outcome, result, false);
}

/// Looks for a large function that returns because of the compute capability before it does its
/// work.
CallEffect Calls::enter_large(std::uint32_t function) {
  const CallEffect unknown{true, unknown_result(function)};
  if (!is_near_source(function, kMaxSourceDistance)) return unknown;
  const auto [found, is_new] = refusals_.emplace(function, unknown);  // answers recursive calls
  if (!is_new) return found->second;
  const auto effect = refusal_of(function);
  if (budget_->is_exhausted()) {
    refusals_.erase(function);
  } else {
    refusals_[function] = effect;
  }
  return effect;
}

CallEffect Calls::refusal_of(std::uint32_t function) {
  Budget limited(kMaxRefusalInstructions, budget_);
  const Scoped scoped_budget(budget_, &limited);
  const Scoped scoped_depth(summarised_, summarised_ + 1);
  const Scoped<const Chain*> scoped_chain(chain_, nullptr);
  auto entry = unknown_entry();
  entry.holds_stub = true;
  const auto outcome = evaluate_from(function, entry);
  if (!is_certain(outcome) || !refuses(outcome, outcome.result)) {
    return {true, unknown_result(function)};
  }
  return effect_of(outcome, result_of(function, outcome), false);
}

Value Calls::unknown_result(std::uint32_t function) const {
  return opaque(program_.binary.functions[function].begin);
}

/// Returns the result of a function for its caller: a number, properties, or an opaque value.
Value Calls::result_of(std::uint32_t function, const Outcome& outcome) const {
  auto result = outcome.result;
  if (result.kind == Kind::properties) return result;
  if (result.is_number()) {
    result.from_capability = result.from_capability || outcome.is_pruned;
    return result;
  }
  const bool queries = program_.uses[function].is_source && outcome.uses_capability;
  const bool checks =
      (outcome.is_pruned || (outcome.marks & kCheck) != 0) && (outcome.marks & kChoice) == 0;
  const bool is_assumed = assumes_zero_ && (queries || checks) && outcome.returns &&
                          result.is_narrow() && (outcome.marks & kInput) == 0;
  return is_assumed ? number(0, true) : unknown_result(function);
}

}  // namespace archgrid::launches
