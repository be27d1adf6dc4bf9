// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include "machine.hpp"

#include <algorithm>

namespace archgrid::launches {

/// One instruction: its operands, and its effect.
class Machine::Step {
 public:
  Step(Machine& machine, State& state, const Instruction& instruction, std::uint64_t next)
      : machine_(machine), state_(state), instruction_(instruction), next_(next) {}

  void run() {
    const auto mnemonic = instruction_.info.mnemonic;
    if (!run_arithmetic(mnemonic) && !run_move(mnemonic) && !run_conditional(mnemonic)) run_other();
  }

  Value read(std::size_t index) {
    const auto& operand = instruction_.operand(index);
    switch (operand.type) {
      case ZYDIS_OPERAND_TYPE_REGISTER:
        return read_register(operand);
      case ZYDIS_OPERAND_TYPE_IMMEDIATE:
        return number(static_cast<std::uint64_t>(operand.imm.value.s));
      case ZYDIS_OPERAND_TYPE_MEMORY:
        return read_memory(operand);
      default:
        return {};
    }
  }

 private:
  Value read_memory(const ZydisDecodedOperand& operand) {
    const auto place = place_of(operand);
    const auto value = machine_.load(state_, place, operand.size / 8U);
    if (value.kind != Kind::unknown || operand.size != 8) return value;
    return is_clear(operand.mem, place) ? machine_.noted(number(0, true)) : value;
  }

  [[nodiscard]] bool is_clear(const ZydisDecodedOperandMem& memory, const Value& place) const {
    const auto& [places, offsets] = machine_.clear_flags_;
    if (std::find(places.begin(), places.end(), place) != places.end()) return true;
    const auto offset = static_cast<std::uint64_t>(memory.disp.value);
    return is_member(memory) && may_be_shared(place) &&
           std::find(offsets.begin(), offsets.end(), offset) != offsets.end();
  }

  /// Reports whether an operand is at an offset from one pointer, outside of the stack.
  static bool is_member(const ZydisDecodedOperandMem& memory) {
    return memory.index == ZYDIS_REGISTER_NONE && register_of(memory.base) >= 0 &&
           memory.base != ZYDIS_REGISTER_RSP;
  }

  /// Returns a place at an offset from an unknown pointer.
  static Value plus_unknown(std::uint64_t offset) {
    return {Kind::unknown, false, false, 0, offset};
  }

  /// Notes a store of another number than 0 outside of the stack.
  void note_store(const ZydisDecodedOperand& operand, const Value& place, const Value& value) {
    if (place.kind == Kind::stack || place.kind == Kind::address || value.is(0)) return;
    const auto offset = static_cast<std::uint64_t>(operand.mem.disp.value);
    if (operand.size == 8 && value.is(1)) {
      if (is_flag_place(place)) machine_.set_flags_.push_back(place);
      if (place.kind == Kind::unknown && is_member(operand.mem)) {
        machine_.set_flags_.push_back(plus_unknown(offset));
      }
    }
    machine_.written_.push_back({place, offset, operand.size / 8U});
  }

  Value read_register(const ZydisDecodedOperand& operand) const {
    const auto index = register_of(operand.reg.value);
    return index < 0 ? Value() : truncated(at(index), operand.size);
  }

  void write(std::size_t index, const Value& value) {
    const auto& operand = instruction_.operand(index);
    if (operand.type == ZYDIS_OPERAND_TYPE_REGISTER) return write_register(operand, value);
    if (operand.type != ZYDIS_OPERAND_TYPE_MEMORY) return;
    const auto place = place_of(operand);
    note_store(operand, place, value);
    machine_.store(state_, place, operand.size / 8U, value);
  }

  void write_register(const ZydisDecodedOperand& operand, const Value& value) {
    const auto index = register_of(operand.reg.value);
    if (index < 0) return forget_high_byte(operand.reg.value);
    auto result = truncated(value, operand.size);
    const auto old = at(index);
    // The higher bits of an unknown register stay unknown; code does not read them.
    if (operand.size < 32 && result.is_number() && old.is_number()) {
      const auto high = old.offset - low_bits(old.offset, operand.size);
      result = number(high | result.offset, result.from_capability || old.from_capability);
    }
    if (result.kind == Kind::unknown) result.id = unknown(operand.size).id | marks_of(result);
    at(index) = result;
  }

  void forget_high_byte(ZydisRegister part) {
    if (part < ZYDIS_REGISTER_AH || part > ZYDIS_REGISTER_BH) return;
    at(part - ZYDIS_REGISTER_AH) = {};
  }

  [[nodiscard]] Value base_of(const ZydisDecodedOperandMem& memory) const {
    if (memory.base == ZYDIS_REGISTER_NONE) return number(0);
    const auto index = register_of(memory.base);
    return index < 0 ? Value() : at(index);
  }

  /// Returns the address of a memory operand.
  [[nodiscard]] Value place_of(const ZydisDecodedOperand& operand) const {
    const auto& memory = operand.mem;
    if (memory.segment == ZYDIS_REGISTER_FS || memory.segment == ZYDIS_REGISTER_GS) return {};
    const auto displacement = static_cast<std::uint64_t>(memory.disp.value);
    if (memory.base == ZYDIS_REGISTER_RIP) return address(next_ + displacement);
    const auto base = plus(base_of(memory), displacement);
    if (memory.index == ZYDIS_REGISTER_NONE) return base;
    const auto index = register_of(memory.index);
    const auto scaled = index < 0 ? Value() : at(index);
    const auto distance = memory.scale <= 1 ? scaled : product(scaled, memory.scale);
    const auto place = sum(base, distance);
    if (place.kind != Kind::unknown) return place;
    const bool is_base_index = memory.scale <= 1 && scaled.kind == Kind::address;
    return element_of(is_base_index ? plus(scaled, displacement) : base);
  }

  void set_flags(Flags::Of of, const Value& left, const Value& right = {}) {
    state_.flags = {of, static_cast<std::uint8_t>(instruction_.operand(0).size), left, right};
  }

  bool run_arithmetic(ZydisMnemonic mnemonic) {
    switch (mnemonic) {
      case ZYDIS_MNEMONIC_ADD:
        return add();
      case ZYDIS_MNEMONIC_SUB:
        return subtract();
      case ZYDIS_MNEMONIC_CMP:
        return compare();
      case ZYDIS_MNEMONIC_TEST:
        return test();
      case ZYDIS_MNEMONIC_AND:
        return combine(true);
      case ZYDIS_MNEMONIC_OR:
        return combine(false);
      case ZYDIS_MNEMONIC_XOR:
        return exclusive_or();
      case ZYDIS_MNEMONIC_INC:
        return increment(1);
      case ZYDIS_MNEMONIC_DEC:
        return increment(~std::uint64_t{0});
      case ZYDIS_MNEMONIC_IMUL:
        return multiply();
      case ZYDIS_MNEMONIC_SHL:
      case ZYDIS_MNEMONIC_SHR:
      case ZYDIS_MNEMONIC_SAR:
        return shift(mnemonic);
      default:
        return false;
    }
  }

  /// Marks a result that depends on an argument of the function.
  static Value marked(Value result, std::uint64_t marks) {
    if (result.kind == Kind::unknown) result.id |= marks & kInput;
    return result;
  }
  static Value marked(const Value& result, const Value& left, const Value& right = {}) {
    return marked(result, marks_of(left) | marks_of(right));
  }

  bool add() {
    const auto left = read(0);
    const auto right = read(1);
    const auto result = marked(sum(left, right), left, right);
    write(0, result);
    set_flags(Flags::Of::sum, result);
    return true;
  }

  bool subtract() {
    const auto left = read(0);
    const auto right = read(1);
    write(0, is_same_register() ? number(0) : marked(difference(left, right), left, right));
    set_flags(Flags::Of::comparison, left, right);
    return true;
  }

  bool compare() {
    set_flags(Flags::Of::comparison, read(0), read(1));
    return true;
  }

  bool test() {
    const auto left = read(0);
    const auto right = read(1);
    set_flags(Flags::Of::logic, marked(both(left, right), left, right));
    return true;
  }

  static Value both(const Value& left, const Value& right) {
    if (left.is_number() && right.is_number()) {
      return number(left.offset & right.offset, left.from_capability || right.from_capability);
    }
    if (left.is(0)) return number(0, left.from_capability);
    return right.is(0) ? number(0, right.from_capability) : Value();
  }

  bool combine(bool is_and) {
    const auto left = read(0);
    const auto right = read(1);
    Value result;
    if (is_and) {
      result = left.kind == Kind::stack ? left : both(left, right);  // aligns the stack
    } else if (left.is_number() && right.is_number()) {
      result = number(left.offset | right.offset, left.from_capability || right.from_capability);
    }
    result = marked(result, left, right);
    write(0, result);
    set_flags(Flags::Of::logic, result);
    return true;
  }

  [[nodiscard]] bool is_same_register() const {
    return instruction_.has(0, ZYDIS_OPERAND_TYPE_REGISTER) &&
           instruction_.has(1, ZYDIS_OPERAND_TYPE_REGISTER) &&
           instruction_.operand(0).reg.value == instruction_.operand(1).reg.value;
  }

  bool exclusive_or() {
    const auto left = read(0);
    const auto right = read(1);
    Value result;
    if (is_same_register()) {
      result = number(0);
    } else if (left.is_number() && right.is_number()) {
      result = number(left.offset ^ right.offset, left.from_capability || right.from_capability);
    }
    result = marked(result, left, right);
    write(0, result);
    set_flags(Flags::Of::logic, result);
    return true;
  }

  bool increment(std::uint64_t distance) {
    const auto old = read(0);
    const auto result = marked(plus(old, distance), old);
    write(0, result);
    set_flags(Flags::Of::sum, result);
    return true;
  }

  bool multiply() {
    if (instruction_.info.operand_count_visible == 1) return false;
    const bool has_three = instruction_.info.operand_count_visible == 3;
    const auto left = read(has_three ? 1 : 0);
    const auto right = read(has_three ? 2 : 1);
    Value result;
    if (left.is_number() && right.is_number()) {
      result = number(left.offset * right.offset, left.from_capability || right.from_capability);
    }
    write(0, marked(result, left, right));
    state_.flags = {};
    return true;
  }

  bool shift(ZydisMnemonic mnemonic) {
    if (!instruction_.has(1, ZYDIS_OPERAND_TYPE_IMMEDIATE)) return false;
    const auto bits = instruction_.operand(0).size;
    const auto count = instruction_.operand(1).imm.value.u & (bits == 64 ? 63U : 31U);
    const auto value = read(0);
    auto result = value.is_number() ? value : Value();
    if (mnemonic == ZYDIS_MNEMONIC_SHL) result.offset <<= count;
    if (mnemonic == ZYDIS_MNEMONIC_SHR) result.offset >>= count;
    if (mnemonic == ZYDIS_MNEMONIC_SAR) {
      result.offset = static_cast<std::uint64_t>(signed_bits(result.offset, bits) >> count);
    }
    write(0, marked(result.is_number() ? result : Value(), value));
    state_.flags = {};
    return true;
  }

  bool run_move(ZydisMnemonic mnemonic) {
    switch (mnemonic) {
      case ZYDIS_MNEMONIC_MOV:
        write(0, read(1));
        return true;
      case ZYDIS_MNEMONIC_MOVZX:
        write(0, read(1));
        return true;
      case ZYDIS_MNEMONIC_MOVSX:
      case ZYDIS_MNEMONIC_MOVSXD:
        write(0, sign_extended(read(1), instruction_.operand(1).size));
        return true;
      case ZYDIS_MNEMONIC_CDQE:
        at(kRax) = sign_extended(at(kRax), 32);
        return true;
      case ZYDIS_MNEMONIC_LEA:
        load_address();
        return true;
      case ZYDIS_MNEMONIC_PUSH:
        push();
        return true;
      case ZYDIS_MNEMONIC_POP:
        pop();
        return true;
      case ZYDIS_MNEMONIC_LEAVE:
        leave();
        return true;
      case ZYDIS_MNEMONIC_NOP:
      case ZYDIS_MNEMONIC_ENDBR64:
        return true;
      default:
        return false;
    }
  }

  /// Computes an address, or a sum.
  void load_address() {
    const auto& operand = instruction_.operand(1);
    write(0, marked(place_of(operand), marks_of_address(operand)));
  }

  [[nodiscard]] std::uint64_t marks_of_address(const ZydisDecodedOperand& operand) const {
    const auto base = register_of(operand.mem.base);
    const auto index = register_of(operand.mem.index);
    return (base < 0 ? 0 : marks_of(at(base))) | (index < 0 ? 0 : marks_of(at(index)));
  }

  void push() {
    const auto value = read(0);
    if (at(kRsp).kind != Kind::stack) return;
    at(kRsp).offset -= 8;
    machine_.store(state_, at(kRsp), 8, value);
  }

  void pop() {
    Value value;
    if (at(kRsp).kind == Kind::stack) {
      value = machine_.load(state_, at(kRsp), 8);
      at(kRsp).offset += 8;
    }
    write(0, value);
  }

  void leave() {
    const auto frame = at(kRbp);
    at(kRbp) = frame.kind == Kind::stack ? machine_.load(state_, frame, 8) : Value();
    at(kRsp) = plus(frame, 8);
  }

  bool run_conditional(ZydisMnemonic mnemonic) {
    if (mnemonic >= ZYDIS_MNEMONIC_SETB && mnemonic <= ZYDIS_MNEMONIC_SETZ &&
        instruction_.info.operand_count_visible == 1) {
      return set_condition(mnemonic);
    }
    if (mnemonic < ZYDIS_MNEMONIC_CMOVB || mnemonic > ZYDIS_MNEMONIC_CMOVZ) return false;
    const auto holds = condition_of(mnemonic, state_.flags);
    if (holds && !*holds) return true;
    const auto moved = read(1);
    const auto old = read(0);
    if (holds || old == moved) {
      write(0, tainted(moved));
    } else {
      write(0,
            {Kind::unknown, false, false, marks_of(moved) | marks_of(old) | input_of_flags(), 0});
    }
    return true;
  }

  bool set_condition(ZydisMnemonic mnemonic) {
    const auto holds = condition_of(mnemonic, state_.flags);
    write(0, holds ? tainted(number(*holds ? 1 : 0)) : unknown_condition());
    return true;
  }

  /// A flag in memory, compared with 0, is no choice of this code.
  [[nodiscard]] Value unknown_condition() const {
    const bool is_flag = state_.flags.of == Flags::Of::comparison && state_.flags.right.is(0);
    auto condition = unknown(8);
    if (!is_flag) condition.id |= kChoice;
    condition.id |= input_of_flags();
    return condition;
  }

  [[nodiscard]] std::uint64_t input_of_flags() const {
    return (marks_of(state_.flags.left) | marks_of(state_.flags.right)) & kInput;
  }

  /// A number that the flags select depends on what they depend on.
  [[nodiscard]] Value tainted(Value value) const {
    if (!value.is_number()) return value;
    const auto& flags = state_.flags;
    const bool depends = flags.left.from_capability || flags.right.from_capability;
    value.from_capability = value.from_capability || depends;
    return value;
  }

  /// Forgets all that an instruction writes.
  void run_other() {
    const auto marks = marks_of_operands();
    for (std::size_t index = 0; index < instruction_.info.operand_count; ++index) {
      const auto& operand = instruction_.operand(index);
      if ((operand.actions & ZYDIS_OPERAND_ACTION_MASK_WRITE) != 0) forget(operand, marks);
    }
  }

  [[nodiscard]] std::uint64_t marks_of_operands() const {
    std::uint64_t marks = 0;
    for (std::size_t index = 0; index < instruction_.info.operand_count; ++index) {
      const auto& operand = instruction_.operand(index);
      const bool is_read = (operand.actions & ZYDIS_OPERAND_ACTION_MASK_READ) != 0;
      if (operand.type != ZYDIS_OPERAND_TYPE_REGISTER || !is_read) continue;
      const auto part = register_of(operand.reg.value);
      if (part >= 0) marks |= marks_of(at(part));
    }
    return marks;
  }

  void forget(const ZydisDecodedOperand& operand, std::uint64_t marks) {
    if (operand.type == ZYDIS_OPERAND_TYPE_MEMORY) return forget_memory(operand);
    if (operand.type != ZYDIS_OPERAND_TYPE_REGISTER) return;
    const auto part = operand.reg.value;
    const auto index = register_of(part);
    if (index >= 0 && index != kRsp) at(index) = marked(unknown(operand.size), marks);
    if (index < 0) forget_high_byte(part);
    if (part == ZYDIS_REGISTER_RFLAGS || part == ZYDIS_REGISTER_EFLAGS) state_.flags = {};
  }

  void forget_memory(const ZydisDecodedOperand& operand) {
    if (operand.visibility != ZYDIS_OPERAND_VISIBILITY_EXPLICIT) {
      return state_.memory.forget_numbers();  // string instructions write any number of bytes
    }
    const auto place = place_of(operand);
    note_store(operand, place, {});
    if (place.is_object()) state_.memory.write(place, operand.size / 8U, {});
  }

  [[nodiscard]] const Value& at(int index) const {
    return state_.registers[static_cast<std::size_t>(index)];
  }
  [[nodiscard]] Value& at(int index) { return state_.registers[static_cast<std::size_t>(index)]; }

  Machine& machine_;
  State& state_;
  const Instruction& instruction_;
  std::uint64_t next_;
};

bool Written::may_cover(const Value& flag) const {
  const bool is_known = place.is_object() && !place.is_element && flag.kind != Kind::unknown;
  if (!is_known) return flag.offset == offset && bytes == 1;
  return place.kind == flag.kind && place.id == flag.id && flag.offset - place.offset < bytes;
}

bool Machine::may_have_set(const Value& flag) const {
  return std::any_of(written_.begin(), written_.end(),
                     [&](const Written& written) { return written.may_cover(flag); });
}

bool may_be_shared(const Value& pointer) {
  return pointer.kind == Kind::unknown ||
         (pointer.kind == Kind::opaque && (pointer.id & kLoaded) != 0);
}

bool is_flag_place(const Value& place) {
  return (place.kind == Kind::argument || place.kind == Kind::opaque) && !place.is_element;
}

void Machine::step(State& state, const Instruction& instruction, std::uint64_t next) {
  Step(*this, state, instruction, next).run();
}

Value Machine::target_of(State& state, const Instruction& instruction, std::uint64_t next) {
  return Step(*this, state, instruction, next).read(0);
}

Value Machine::noted(const Value& value) {
  if (value.from_capability) uses_capability_ = true;
  return value;
}

Value Machine::load(const State& state, const Value& place, unsigned bytes) {
  auto value = load_any(state, place, bytes);
  if (bytes == 8 && !value.is_number()) {
    if (const auto pair = load_pair(state, place); pair.is_number()) value = pair;
  }
  const bool is_certain = !place.is_element || !value.is_number() || value.from_capability;
  return is_certain ? value : Value();
}

/// Returns two adjacent parts of the compute capability that code reads as one number.
Value Machine::load_pair(const State& state, const Value& place) {
  const auto low = load_any(state, place, 4);
  if (!low.from_capability) return {};
  const auto high = load_any(state, plus(place, 4), 4);
  if (!high.is_number()) return {};
  return number(low_bits(low.offset, 32) | high.offset << 32, true);
}

Value Machine::load_any(const State& state, const Value& place, unsigned bytes) {
  if (place.kind == Kind::address) return load_global(place, bytes);
  if (place.is_object()) {
    const auto known = state.memory.read(place, bytes);
    if (known.kind != Kind::unknown) return noted(known);
    return load_member(place, bytes);
  }
  if (place.kind != Kind::properties || bytes != 4) return {};
  if (place.offset == kMajorOffset) return noted(knowledge_.major());
  if (place.offset == kMinorOffset) return noted(knowledge_.minor());
  return {};
}

Value Machine::load_global(const Value& place, unsigned bytes) {
  const auto known = knowledge_.global(place.offset, bytes);
  if (known.kind != Kind::unknown) return noted(known);
  note_miss(place.offset);
  if (const auto constant = program_.binary.constant_at(place.offset, bytes)) {
    return place.is_element ? Value() : number(*constant);
  }
  if (bytes != 8) return {};
  if (const auto callee = program_.binary.slot_at(place.offset)) {
    return callee->address != 0 ? address(callee->address)
                                : Value{Kind::import, false, false, callee->import, 0};
  }
  return pointer_at(place);
}

Value Machine::load_member(const Value& place, unsigned bytes) {
  if (place.kind == Kind::opaque) {
    const auto known = knowledge_.member(program_, place.id, place.offset, bytes);
    if (known.kind != Kind::unknown) return noted(known);
    note_miss(member_key(place.offset));
    if (assumes_properties_ && bytes == 4) {
      const auto part = load_assumed(place);
      if (part.is_number()) return part;
    }
  }
  return bytes == 8 ? pointer_at(place) : Value();
}

/// Reads a part of the compute capability from an object that may have properties as a member.
Value Machine::load_assumed(const Value& place) {
  for (const auto part : {kMajorOffset, kMinorOffset}) {
    const auto properties = knowledge_.properties_at(plus(place, 0 - part));
    if (properties.kind == Kind::properties) {
      return noted(part == kMajorOffset ? knowledge_.major() : knowledge_.minor());
    }
  }
  return {};
}

void Machine::store(State& state, const Value& place, unsigned bytes, const Value& value) {
  const bool is_kept = records_ && value.from_capability;
  const bool is_certain = !place.is_element || value.from_capability;
  if (place.is_object()) state.memory.write(place, bytes, is_certain ? value : Value());
  if (!is_kept || place.kind == Kind::stack) return;
  has_recorded_ = true;
  if (place.kind == Kind::address) knowledge_.store_global(place.offset, bytes, value);
  if (place.kind == Kind::argument) {
    knowledge_.member_owners.insert(function_ | kOfArgument);
    knowledge_.store_member(owner_of(function_, place.id), place.offset, bytes, value);
  } else if (place.kind == Kind::opaque) {
    knowledge_.store_member(function_, place.offset, bytes, value);
    knowledge_.store_member(place.id, place.offset, bytes, value);
  }
}

void Machine::store_properties(State& state, const Value& place) {
  const bool is_member = place.kind == Kind::argument && place.offset != 0 && !place.is_element;
  if (records_ && is_member) knowledge_.property_offsets.insert(place.offset);
  store(state, plus(place, kMajorOffset), 4, knowledge_.major());
  store(state, plus(place, kMinorOffset), 4, knowledge_.minor());
}

}  // namespace archgrid::launches
