// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <bitset>
#include <cstring>
#include <optional>
#include <utility>

#include "body.hpp"
#include "body_effects.hpp"

namespace archgrid::fatbin {
namespace {

// From 7.0 on an instruction has 16 bytes; the low 12 bits are the opcode, of which the upper 3
// are the operand form, and bits 12 to 15 the predicate (7: always, 15: never).
constexpr std::uint64_t kWideInstruction = 16;
constexpr std::uint64_t kAlways = 7;
constexpr std::uint64_t kNever = 15;

// The stack pointer is loaded first in every body, even in an empty one.
constexpr std::array<std::uint64_t, 3> kStackLoads = {0xa02, 0x624, 0xb82};

// Low nine bits of ST, STG, STS, STSM (0x044), STAS (0x1bd), STTM (0x1ed), ATOM, ATOMS, ATOMG, RED,
// REDG, SUST, of the copies into shared memory LDGSTS (0x1ae) and UTMALDG (0x1b4), and of the bulk
// copies UTMASTG, UTMAREDG, UBLKCP, UBLKRED. STL (0x187) is left out, as it writes to the stack.
constexpr std::array<bool, 512> kStores = [] {
  std::array<bool, 512> stores = {};
  for (const auto opcode :
       {0x044, 0x185, 0x186, 0x188, 0x18a, 0x18c, 0x18d, 0x18e, 0x19c, 0x19d, 0x1a6,
        0x1a8, 0x1a9, 0x1ae, 0x1b4, 0x1b5, 0x1b6, 0x1ba, 0x1bb, 0x1bd, 0x1ed}) {
    stores.at(static_cast<std::size_t>(opcode)) = true;
  }
  return stores;
}();

// Stores to the shared memory of the block or of its cluster: STSM, STS, ATOMS, LDGSTS, UTMALDG.
constexpr std::array<std::uint64_t, 6> kSharedStores = {0x044, 0x188, 0x18c, 0x18d, 0x1ae, 0x1b4};

constexpr std::uint64_t kGenericStore = 0x185;
constexpr std::uint64_t kCallAbsolute = 0x143;
constexpr std::uint64_t kCallRelative = 0x144;

// Reports whether an operation is unusual. Memory accesses, and newer instructions of any kind,
// have opcodes from 0x180 on. Of these, only LD, LDG, LDC, LDL, LDS, STL, SHFL, MEMBAR, LDCU, R2UR,
// S2UR and REDUX were seen in bodies that only report.
bool is_unusual(std::uint64_t operation) {
  constexpr std::uint64_t kFirst = 0x180;
  constexpr std::array<std::uint64_t, 12> kUsual = {0x180, 0x181, 0x182, 0x183, 0x184, 0x187,
                                                    0x189, 0x192, 0x1ac, 0x1c2, 0x1c3, 0x1c4};
  return operation >= kFirst && std::find(kUsual.begin(), kUsual.end(), operation) == kUsual.end();
}

/// Reports whether an unusual instruction is known to be harmless: CCTL (caches), ERRBAR,
/// LDGDEPBAR, and SYNCS (barriers in shared memory).
bool is_harmless(std::uint64_t operation) {
  return operation == 0x18f || operation == 0x1ab || operation == 0x1af || operation == 0x1b2;
}

// The bit of the second word that is set in HMMA.SP and IMMA.SP and never in HMMA and IMMA, by the
// low nine bits of the opcode. A table saves a branch in the loop over all instructions.
constexpr std::array<std::uint16_t, 512> kMarksOf2To4 = [] {
  std::array<std::uint16_t, 512> marks = {};
  marks.at(opcode::kHmma) = 0x200;
  marks.at(opcode::kImma) = 0x100;
  return marks;
}();

template <typename List>
bool contains(const List& list, std::uint64_t value) {
  return std::find(list.begin(), list.end(), value) != list.end();
}

Effect effect_of_wide(std::uint64_t word, bool first) {
  const std::uint64_t opcode = word & 0xfff;
  const std::uint64_t predicate = (word >> 12) & 0xf;
  if (predicate == kNever || opcode == 0x918) return Effect::nothing;
  if (first && contains(kStackLoads, opcode)) return Effect::nothing;
  if (opcode == 0x94d && predicate == kAlways) return Effect::exit;
  if (opcode == 0x947) return Effect::branch;
  if (opcode == 0x95c) return Effect::trap;
  const std::uint64_t operation = opcode & 0x1ff;
  if (operation == kCallAbsolute || operation == kCallRelative) return Effect::call;
  if (operation == kGenericStore) return Effect::generic_store;
  if (kStores[operation]) {
    return contains(kSharedStores, operation) ? Effect::shared_store : Effect::store;
  }
  if (!is_unusual(operation)) return Effect::work;
  return is_harmless(operation) ? Effect::harmless : Effect::unusual;
}

/// Reports whether an instruction is LDC from the bank of addresses.
bool loads_address(std::uint64_t word) {
  return (word & 0xfff) == 0xb82 && ((word >> 54) & 0x1f) == kAddressBank;
}

std::uint64_t word_at(Bytes code, std::uint64_t at) {
  return code.at<std::uint64_t>(at, "instruction");
}

/// Registers into which a function loads addresses of other functions. Found at the first use, once
/// for all calls.
template <typename Find>
class AddressRegisters {
 public:
  explicit AddressRegisters(Find find) : find_(std::move(find)) {}

  bool operator[](std::uint64_t number) {
    if (!registers_) registers_ = find_();
    return registers_->test(number & 0xff);
  }

 private:
  Find find_;
  std::optional<std::bitset<256>> registers_;
};

std::bitset<256> address_registers_wide(Bytes code) {
  std::bitset<256> registers;
  for (std::uint64_t at = 0; code.contains(at, kWideInstruction); at += kWideInstruction) {
    const auto word = word_at(code, at);
    if (loads_address(word)) registers.set((word >> 16) & 0xff);
  }
  return registers;
}

template <typename Registers>
Call::Target target_of_wide(Registers& addresses, std::uint64_t word) {
  constexpr std::uint64_t kImmediate = 4;
  constexpr std::uint64_t kRegister = 1;
  const bool absolute = (word & 0x1ff) == kCallAbsolute;
  const auto form = (word >> 9) & 7;
  if (form == kImmediate) return absolute ? Call::Target::named : Call::Target::near;
  if (form != kRegister || !absolute) return Call::Target::unknown;
  return addresses[word >> 24] ? Call::Target::loaded : Call::Target::unknown;
}

// Before 7.0 an instruction has 8 bytes, and the first of every four words schedules the others.
constexpr std::uint64_t kNarrowInstruction = 8;
constexpr std::uint64_t kNarrowGroup = 32;

// Upper 13 bits of STG and STS, ATOM and its compare-and-swap, ATOMS, RED, SUST, some of which are
// told by 12 or 8 bits. STL is left out, as it writes to the stack.
constexpr std::array<bool, 8192> kNarrowStores = [] {
  std::array<bool, 8192> stores = {};
  for (const auto opcode : {0x1ddb, 0x1deb, 0x1d7f})
    stores.at(static_cast<std::size_t>(opcode)) = true;
  for (const auto opcode : {0xeef, 0xee4, 0xeb3}) {
    for (int bit = 0; bit < 2; ++bit) stores.at(static_cast<std::size_t>(opcode * 2 + bit)) = true;
  }
  for (int bits = 0xec * 32; bits < 0xee * 32; ++bits)
    stores.at(static_cast<std::size_t>(bits)) = true;
  return stores;
}();

bool stores_narrow(std::uint64_t word) {
  return kNarrowStores[word >> 51];
}

constexpr std::uint64_t kCal = 0xe26;   // relative
constexpr std::uint64_t kJcal = 0xe22;  // absolute
constexpr std::uint64_t kBrx = 0xe25;   // by a register: a function pointer, or a switch
constexpr std::uint64_t kJmx = 0xe20;   // by a register, absolute

bool is_narrow_call(std::uint64_t opcode) {
  return opcode == kCal || opcode == kJcal || opcode == kBrx || opcode == kJmx;
}

/// Reports whether an instruction is LDC from the bank of addresses.
bool loads_address_narrow(std::uint64_t word) {
  return (word >> 52) == 0xef9 && ((word >> 36) & 0x1f) == kAddressBank;
}

std::bitset<256> address_registers_narrow(Bytes code) {
  std::bitset<256> registers;
  for (std::uint64_t at = 0; code.contains(at, kNarrowInstruction); at += kNarrowInstruction) {
    const auto word = word_at(code, at);
    const bool scheduling = at % kNarrowGroup == 0;
    if (!scheduling && loads_address_narrow(word)) registers.set(word & 0xff);
  }
  return registers;
}

template <typename Registers>
Call::Target target_of_narrow(Registers& addresses, std::uint64_t word) {
  constexpr std::uint64_t kByConstant = 1 << 5;
  const auto opcode = word >> 52;
  if (opcode == kJmx) return addresses[word >> 8] ? Call::Target::loaded : Call::Target::unknown;
  if (opcode == kBrx || (word & kByConstant) != 0) return Call::Target::unknown;
  return opcode == kJcal ? Call::Target::named : Call::Target::near;
}

Effect effect_of_narrow(std::uint64_t word, bool first) {
  const std::uint64_t opcode = word >> 52;
  const std::uint64_t predicate = (word >> 16) & 0xf;
  if (predicate == kNever || opcode == 0x50b) return Effect::nothing;  // NOP
  if (first && opcode == 0x4c9) return Effect::nothing;                // MOV R1, c[0x0][0x20]
  if (opcode == 0xe30 && predicate == kAlways) return Effect::exit;
  if (opcode == 0xe24) return Effect::branch;
  if (opcode == 0xe3a) return Effect::trap;  // BPT
  if (is_narrow_call(opcode)) return Effect::call;
  constexpr std::uint64_t kStore = 5;  // ST, to a generic address
  if ((word >> 61) == kStore) return Effect::generic_store;
  return stores_narrow(word) ? Effect::store : Effect::work;
}

void follow(EffectSummary& summary, const std::vector<Call>& calls,
            const FollowCalls& follow_calls) {
  if (!summary.wants_calls()) return;
  CallEffects unknown;
  unknown.unknown = true;
  summary.add(follow_calls ? follow_calls(calls) : unknown);
}

/// The result of scanning instructions.
struct Scan {
  EffectSummary summary;
  std::vector<Call> calls;
  Opcodes opcodes;
  bool uses_sparse_mma = false;
};

Scan scan_wide(Bytes code) {
  Scan scan;
  AddressRegisters addresses([&] { return address_registers_wide(code); });
  std::uint64_t marks = 0;
  const auto* const begin = code.text().data();
  const auto* const end = begin + code.size() / kWideInstruction * kWideInstruction;
  for (const auto* at = begin; at != end; at += kWideInstruction) {
    std::uint64_t word = 0;
    std::memcpy(&word, at, sizeof(word));
    const auto effect = effect_of_wide(word, at == begin);
    scan.summary.add(effect);
    if (effect == Effect::call && scan.summary.wants_calls()) {
      scan.calls.push_back(
          {static_cast<std::uint64_t>(at - begin), target_of_wide(addresses, word)});
    }
    const std::uint64_t operation = word & 0x1ff;
    scan.opcodes.set(operation);
    std::uint64_t second = 0;
    std::memcpy(&second, at + sizeof(word), sizeof(second));
    marks |= second & kMarksOf2To4[operation];
  }
  scan.uses_sparse_mma = marks != 0;
  return scan;
}

Scan scan_narrow(Bytes code) {
  Scan scan;
  AddressRegisters addresses([&] { return address_registers_narrow(code); });
  for (std::uint64_t at = 0; code.contains(at, kNarrowInstruction); at += kNarrowInstruction) {
    if (at % kNarrowGroup == 0) continue;
    const auto word = word_at(code, at);
    const auto effect = effect_of_narrow(word, at == kNarrowInstruction);
    scan.summary.add(effect);
    if (effect == Effect::call) scan.calls.push_back({at, target_of_narrow(addresses, word)});
  }
  // Not every instruction that writes to memory is recognised.
  scan.summary.add_unfamiliar();
  return scan;
}

Scan scan_sass(Bytes code, int arch, const CodeContext& context) {
  auto scan = arch < 70 ? scan_narrow(code) : scan_wide(code);
  follow(scan.summary, scan.calls, context.follow);
  return scan;
}

/// Reports whether an instruction certainly stores; faster than a scan.
bool has_narrow_store(Bytes code) {
  const auto* const begin = code.text().data();
  const auto end = code.size() / kNarrowInstruction * kNarrowInstruction;
  for (std::uint64_t at = 0; at != end; at += kNarrowInstruction) {
    std::uint64_t word = 0;
    std::memcpy(&word, begin + at, sizeof(word));
    if (!stores_narrow(word) || at % kNarrowGroup == 0) continue;
    if (effect_of_narrow(word, at == kNarrowInstruction) == Effect::store) return true;
  }
  return false;
}

/// Like has_narrow_store().
bool has_wide_store(Bytes code) {
  const auto* at = code.text().data();
  const auto* const end = at + code.size() / kWideInstruction * kWideInstruction;
  for (bool first = true; at != end; at += kWideInstruction, first = false) {
    std::uint64_t word = 0;
    std::memcpy(&word, at, sizeof(word));
    // The table rejects most instructions; the others may still have another effect.
    if (!kStores[word & 0x1ff]) continue;
    const auto effect = effect_of_wide(word, first);
    if (effect == Effect::store || effect == Effect::shared_store) return true;
  }
  return false;
}

}  // namespace

BodyFacts classify_sass(Bytes code, int arch, const CodeContext& context) {
  if (arch < 50 || code.size() == 0) return {};
  const auto scan = scan_sass(code, arch, context);
  auto facts = scan.summary.facts(context.debug);
  facts.opcodes = arch < 70 ? Opcodes() : scan.opcodes;
  facts.uses_sparse_mma = scan.uses_sparse_mma;
  const bool reports =
      facts.body == Body::print || facts.body == Body::print_trap || facts.body == Body::assertion;
  if (code.size() > largest_idle_code(arch, reports)) facts.body = Body::code;
  return facts;
}

BodyFacts store_facts(Bytes code, int arch, const CodeContext& context) {
  BodyFacts facts;
  if (arch < 50) return facts;
  facts.stores = arch < 70 ? has_narrow_store(code) : has_wide_store(code);
  if (facts.stores) return facts;
  const auto whole = scan_sass(code, arch, context).summary.facts(context.debug);
  facts.stores = whole.stores;
  facts.may_store = whole.may_store;
  return facts;
}

CallEffects effects_of_sass(Bytes code, int arch, const CodeContext& context) {
  return scan_sass(code, arch, context).summary.effects(context.debug);
}

}  // namespace archgrid::fatbin
