// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include "evaluate.hpp"

#include <algorithm>
#include <deque>
#include <unordered_map>

namespace archgrid::launches {
namespace {

constexpr std::uint64_t kMaxInstructions = 60000;
constexpr std::uint64_t kMaxTableEntries = 600;
/// Copying or merging so many known places in memory costs as much as an instruction.
constexpr std::uint64_t kCellsPerInstruction = 8;
/// Visits of one place until nothing is assumed there any more, and until it is left alone.
constexpr int kMaxPreciseVisits = 30;
constexpr int kMaxVisits = 34;
/// In larger functions, branches forget memory that does not depend on the compute capability.
constexpr std::uint64_t kMaxPreciseSize = 20000;
/// Marks addresses of calls among the identities of opaque values.
constexpr std::uint64_t kSite = std::uint64_t{1} << 61;
constexpr std::size_t kMaxLength = ZYDIS_MAX_INSTRUCTION_LENGTH;

}  // namespace

void Budget::spend(std::uint64_t count) {
  left_ -= std::min(count, left_);
  if (whole_ != nullptr) whole_->spend(count);
}

/// Sparse conditional constant propagation over machine code: follows only branches that the known
/// values allow, and merges states where paths join.
class Evaluation {
 public:
  Evaluation(const Program& program, Machine& machine, CallHandler& handler, Branches branches,
             Budget& budget)
      : program_(program),
        binary_(program.binary),
        machine_(machine),
        handler_(handler),
        branches_(branches),
        budget_(kMaxInstructions, &budget) {}

  Outcome run(std::uint64_t begin, const State& entry) {
    enter(begin);
    is_large_ = range_.end - range_.begin > kMaxPreciseSize;
    entry_stack_ = entry.registers[kRsp];
    is_stub_passed_ = entry.holds_stub;
    join(begin, entry);
    while (!waiting_.empty() && !budget_.is_exhausted()) {
      const auto next = waiting_.front();
      waiting_.pop_front();
      follow(next);
    }
    outcome_.is_complete = !budget_.is_exhausted();
    return finish();
  }

 private:
  struct Join {
    State state;
    int visits = 0;
  };

  Outcome finish() {
    auto& reached = outcome_.reached;
    std::sort(reached.begin(), reached.end());
    reached.erase(std::unique(reached.begin(), reached.end()), reached.end());
    outcome_.uses_capability = machine_.uses_capability();
    return std::move(outcome_);
  }

  void enter(std::uint64_t place) {
    function_ = binary_.function_at(place);
    if (function_ != kNone) range_ = binary_.functions[function_];
  }

  /// Evaluates straight code from a join to the next one.
  void follow(std::uint64_t begin) {
    auto& join = joins_.at(begin);
    ++join.visits;
    state_ = join.state;
    place_ = begin;
    charge_cells(state_);
    do {
      budget_.spend(1);
      if (!decode()) return;
    } while (advance() && !budget_.is_exhausted());
  }

  /// Charges for the work that depends on how much is known.
  void charge_cells(const State& state) {
    budget_.spend(state.memory.size() / kCellsPerInstruction);
  }

  /// Decodes the instruction at `place_`. Code that does not belong to a function, or is invalid,
  /// may do anything.
  bool decode() {
    if (place_ - range_.begin >= range_.end - range_.begin && !change_function()) return false;
    const auto offset = place_ - binary_.text->address;
    if (!decoder_.decode(binary_.text->bytes.substr(offset, kMaxLength), instruction_)) {
      return give_up();
    }
    next_ = place_ + instruction_.info.length;
    return true;
  }

  bool change_function() {
    enter(place_);
    if (function_ == kNone) return give_up();
    outcome_.reached.push_back(function_);
    if (handler_.is_stub(function_)) outcome_.reaches_target = true;
    return true;
  }

  bool give_up() {
    outcome_.is_unresolved = true;
    outcome_.returns = true;
    outcome_.result = {};
    return false;
  }

  /// Continues at a join; reports whether `place_` is one.
  bool joins() {
    if (!joins_.contains(place_)) return false;
    join(place_, state_);
    return true;
  }

  /// Makes `place_` a join that this path goes on from.
  bool joins_or_begins() {
    if (joins()) return true;
    joins_.emplace(place_, Join{state_, 0});
    charge_cells(state_);
    return false;
  }

  void join(std::uint64_t place, const State& state) {
    const auto [found, is_new] = joins_.try_emplace(place);
    auto& join = found->second;
    charge_cells(state);
    if (is_new) {
      join.state = state;
      waiting_.push_back(place);
    } else if (merge(join.state, state)) {
      if (join.visits >= kMaxPreciseVisits) forget(join.state);
      if (join.visits < kMaxVisits) waiting_.push_back(place);
    }
  }

  static void forget(State& state) {
    State unknown;
    unknown.registers[kRsp] = state.registers[kRsp];
    unknown.holds_stub = state.holds_stub;
    state = unknown;
  }

  /// Executes the instruction; reports whether the path goes on at `place_`.
  bool advance() {
    const auto& info = instruction_.info;
    if (info.mnemonic == ZYDIS_MNEMONIC_CALL) return call();
    if (info.mnemonic == ZYDIS_MNEMONIC_JMP) return jump();
    if (info.meta.category == ZYDIS_CATEGORY_COND_BR) return branch();
    switch (info.mnemonic) {
      case ZYDIS_MNEMONIC_RET:
        add_return(state_.registers[kRax]);
        return false;
      case ZYDIS_MNEMONIC_UD2:
      case ZYDIS_MNEMONIC_HLT:
      case ZYDIS_MNEMONIC_INT3:
        return false;
      default:
        break;
    }
    if (state_.holds_stub && lets_stub_escape()) outcome_.reaches_target = true;
    if (is_relative(info)) note_address();
    machine_.step(state_, instruction_, next_);
    place_ = next_;
    return !joins();
  }

  void note_address() {
    const auto place = relative_address(instruction_.info, next_);
    auto function = kNone;
    if (instruction_.info.mnemonic == ZYDIS_MNEMONIC_LEA) {
      function = binary_.function_from(place);
    } else if (const auto callee = binary_.slot_at(place)) {
      function = binary_.function_from(callee->address);
    }
    if (function != kNone) take(function);
  }

  /// Notes that code loads the address of a function. The address of a stub may be launched where
  /// it is used, which may be behind a check.
  void take(std::uint32_t function) {
    outcome_.reached.push_back(function);
    if (handler_.is_stub(function) && calls_pointers()) {
      state_.holds_stub = true;
    } else if (handler_.is_in_chain(function)) {
      outcome_.reaches_target = true;
    }
  }

  /// Reports whether the function calls pointers or a stub itself. One that only passes on the
  /// address of a stub lets others launch it.
  bool calls_pointers() {
    if (!calls_pointers_) calls_pointers_ = finds_call();
    return *calls_pointers_;
  }

  bool finds_call() {
    ZydisDecodedInstruction info;
    for (auto place = range_.begin; place < range_.end && !budget_.is_exhausted();) {
      budget_.spend(1);
      const auto code = binary_.text->bytes.substr(place - binary_.text->address, kMaxLength);
      if (!decoder_.decode(code, info)) return false;
      place += info.length;
      const bool is_jump = info.mnemonic == ZYDIS_MNEMONIC_JMP;
      if (info.mnemonic != ZYDIS_MNEMONIC_CALL && !is_jump) continue;
      if (!is_direct(info)) return true;
      const auto function = binary_.function_from(destination_of(info, place));
      if (function != kNone && handler_.is_stub(function)) return true;
    }
    return false;
  }

  /// Reports whether an operand may be a register with the address of the stub.
  [[nodiscard]] bool operand_may_hold_stub(std::size_t operand) const {
    if (!instruction_.has(operand, ZYDIS_OPERAND_TYPE_REGISTER)) return false;
    return may_hold_stub(register_of(instruction_.operand(operand).reg.value));
  }

  /// Reports whether a register may hold the address of the stub that is looked for.
  [[nodiscard]] bool may_hold_stub(int index) const {
    if (index < 0) return false;
    const auto& value = state_.registers[static_cast<std::size_t>(index)];
    if (value.kind == Kind::argument) return is_stub_passed_;
    if (value.kind == Kind::unknown) return !value.is_narrow();
    const auto function = value.kind == Kind::address ? binary_.function_from(value.offset) : kNone;
    return function != kNone && (is_stub_passed_ || handler_.is_stub(function));
  }

  /// Reports whether a call may get the address of the stub as an argument.
  [[nodiscard]] bool passes_stub() const {
    return std::any_of(kArguments.begin(), kArguments.end(),
                       [&](int index) { return may_hold_stub(index); });
  }

  /// Reports whether the instruction stores the stub's address outside of the stack, or in a vector
  /// register.
  [[nodiscard]] bool lets_stub_escape() const {
    if (!operand_may_hold_stub(1)) return false;
    if (instruction_.has(0, ZYDIS_OPERAND_TYPE_REGISTER)) {
      return register_of(instruction_.operand(0).reg.value) < 0;
    }
    const auto base = instruction_.operand(0).mem.base;
    const auto index = register_of(base);
    return instruction_.has(0, ZYDIS_OPERAND_TYPE_MEMORY) && base != ZYDIS_REGISTER_RSP &&
           (index < 0 || state_.registers[static_cast<std::size_t>(index)].kind != Kind::stack);
  }

  Callee callee_of(const Value& target) const {
    if (target.kind == Kind::address && !target.is_element) return {target.offset, kNone};
    if (target.kind == Kind::import) return {0, static_cast<std::uint32_t>(target.id)};
    return {};
  }

  Callee operand_callee() {
    if (is_direct(instruction_.info)) {
      return binary_.callee_of(destination_of(instruction_.info, next_));
    }
    return callee_of(machine_.target_of(state_, instruction_, next_));
  }

  /// Calls a function; reports whether it returns.
  bool call(const Callee& callee) {
    if (callee.address != 0) {
      const auto function = binary_.function_from(callee.address);
      if (function != kNone) outcome_.reached.push_back(function);
    }
    charge_cells(state_);
    const auto effect = handler_.call(machine_, state_, callee);
    const bool is_refused = effect.refuses && !(effect.may_launch && passes_stub());
    const bool may_launch = state_.holds_stub && effect.returns && !is_refused;
    if (effect.reaches_target || may_launch) outcome_.reaches_target = true;
    if (!effect.keeps_memory && !effect.refuses) forget_outputs();
    for (const auto index : {kRax, kRcx, kRdx, kRsi, kRdi, kR8, kR9, kR10, kR11}) {
      state_.registers[static_cast<std::size_t>(index)] = {};
    }
    state_.flags = {};
    if (!effect.keeps_memory) state_.memory.forget_numbers();
    state_.registers[kRax] = result_of(effect, callee);
    return effect.returns || branches_ == Branches::all;
  }

  /// Forgets the numbers on the stack whose addresses a call gets: it may store its results there.
  void forget_outputs() {
    for (const auto index : kArguments) {
      const auto& place = state_.registers[static_cast<std::size_t>(index)];
      if (place.kind == Kind::stack) state_.memory.forget_number(place);
    }
  }

  [[nodiscard]] Value result_of(const CallEffect& effect, const Callee& callee) const {
    auto result = effect.result;
    if (result.is_number()) result.id = kReturned;
    // Imports return another value at each call, such as new memory.
    if (result.kind == Kind::unknown && callee.import != kNone) return opaque(kSite | place_);
    return result;
  }

  bool call() {
    if (!call(operand_callee())) return false;
    place_ = next_;
    return place_ < range_.end && !joins();  // nothing follows a call that does not return
  }

  void add_return(const Value& result) {
    if (state_.holds_stub && !result.is_number()) outcome_.reaches_target = true;
    outcome_.marks |= marks_of(result);
    if (!outcome_.returns) {
      outcome_.returns = true;
      outcome_.result = result;
    } else {
      meet(outcome_.result, result);
    }
    if (outcome_.memory) {
      outcome_.memory->intersect(state_.memory);
    } else {
      outcome_.memory = state_.memory;
    }
  }

  bool jump() {
    if (!is_direct(instruction_.info)) {
      jump_indirectly();
      return false;
    }
    const auto place = destination_of(instruction_.info, next_);
    if (is_call(place)) {
      if (call(binary_.callee_of(place))) add_return(state_.registers[kRax]);
      return false;
    }
    place_ = place;
    return !joins_or_begins();
  }

  /// Reports whether a jump is the last call of a function.
  bool is_call(std::uint64_t place) const {
    if (binary_.plt.contains(place)) return true;
    const auto function = binary_.function_from(place);
    return function != kNone && function != function_ && program_.is_entered(function);
  }

  void jump_indirectly() {
    const auto callee = callee_of(machine_.target_of(state_, instruction_, next_));
    if (is_within(callee.address) && branches_ == Branches::evaluated)
      return join(callee.address, state_);
    if (follow_tables()) return;
    const auto function = binary_.function_from(callee.address);
    if (function != kNone) take(function);
    if (state_.holds_stub) outcome_.reaches_target = true;
    // With the stack as at entry it is a call of a pointer.
    if (!(state_.registers[kRsp] == entry_stack_)) outcome_.is_unresolved = true;
    outcome_.leaves = true;
    outcome_.returns = true;
    outcome_.result = {};
  }

  /// Follows all entries of the jump tables whose addresses are in registers.
  bool follow_tables() {
    bool found = false;
    for (const auto& value : state_.registers) {
      if (value.kind != Kind::address || binary_.is_code(value.offset)) continue;
      if (follow_table(value.offset)) found = true;
    }
    return found;
  }

  [[nodiscard]] bool is_within(std::uint64_t place) const {
    return place - range_.begin < range_.end - range_.begin;
  }

  /// Reports whether a place lies in a part of a function to which only jumps lead: compilers move
  /// code there that seldom runs, such as cases that throw.
  [[nodiscard]] bool is_part(std::uint64_t place) const {
    const auto function = binary_.function_at(place);
    return function != kNone && !program_.is_entered(function);
  }

  bool follow_table(std::uint64_t table) {
    const auto bytes = binary_.at(table);
    std::uint64_t index = 0;
    for (; index < kMaxTableEntries; ++index) {
      const auto distance = value_at<std::int32_t>(bytes, 4 * index);
      if (!distance) break;
      const auto place = table + static_cast<std::uint64_t>(std::int64_t{*distance});
      if (!is_within(place) && !is_part(place)) break;
      auto state = state_;
      state.flags = {};
      join(place, state);
    }
    budget_.spend(index);
    return index > 0;
  }

  bool branch() {
    const auto place = destination_of(instruction_.info, next_);
    const auto holds = decide();
    if (is_large_) state_.memory.keep_capability();
    if (!holds || *holds) join(place, state_);
    if (holds && *holds) return false;
    place_ = next_;
    return !joins_or_begins();
  }

  std::optional<bool> decide() {
    if (branches_ == Branches::all) return std::nullopt;
    const auto& flags = state_.flags;
    const auto holds = condition_of(instruction_.info.mnemonic, flags);
    const bool depends = flags.left.from_capability || flags.right.from_capability;
    if (holds && depends) outcome_.is_pruned = true;
    return holds;
  }

  const Program& program_;
  const Binary& binary_;
  Machine& machine_;
  CallHandler& handler_;
  Branches branches_;
  Budget budget_;
  Decoder decoder_;
  Outcome outcome_;
  std::unordered_map<std::uint64_t, Join> joins_;
  std::deque<std::uint64_t> waiting_;
  Value entry_stack_;
  bool is_large_ = false;
  bool is_stub_passed_ = false;  ///< an argument may be the address of the stub
  std::optional<bool> calls_pointers_;
  std::uint32_t function_ = kNone;
  Function range_;  ///< of `function_`
  State state_;
  std::uint64_t place_ = 0;
  std::uint64_t next_ = 0;
  Instruction instruction_{};
};

Outcome evaluate(const Program& program, Machine& machine, CallHandler& handler,
                 std::uint64_t begin, const State& entry, Branches branches, Budget& budget) {
  return Evaluation(program, machine, handler, branches, budget).run(begin, entry);
}

}  // namespace archgrid::launches
