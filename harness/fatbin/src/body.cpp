// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include "body.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <optional>

namespace archgrid::fatbin {
namespace {

/// What one machine instruction means for the question whether a body works.
enum class Effect { nothing, exit, branch, trap, store, work };

// From 7.0 on an instruction has 16 bytes; the low 12 bits are the opcode, of which the upper 3
// are the operand form, and bits 12 to 15 the predicate (7: always, 15: never).
constexpr std::uint64_t kWideInstruction = 16;
constexpr std::uint64_t kAlways = 7;
constexpr std::uint64_t kNever = 15;

// The stack pointer is loaded first in every body, even in an empty one.
constexpr std::array<std::uint64_t, 3> kStackLoads = {0xa02, 0x624, 0xb82};

// Low nine bits of CALL (0x143, 0x144), ST, STG, STL, STS, STSM (0x044), STAS (0x1bd), STTM
// (0x1ed), ATOM, ATOMS, ATOMG, RED, REDG, SUST, of the copies into shared memory LDGSTS (0x1ae) and
// UTMALDG (0x1b4), and of the bulk copies UTMASTG, UTMAREDG, UBLKCP, UBLKRED.
constexpr std::array<bool, 512> kStores = [] {
  std::array<bool, 512> stores = {};
  for (const auto opcode :
       {0x143, 0x144, 0x044, 0x185, 0x186, 0x187, 0x188, 0x18a, 0x18c, 0x18d, 0x18e, 0x19c,
        0x19d, 0x1a6, 0x1a8, 0x1a9, 0x1ae, 0x1b4, 0x1b5, 0x1b6, 0x1ba, 0x1bb, 0x1bd, 0x1ed}) {
    stores.at(static_cast<std::size_t>(opcode)) = true;
  }
  return stores;
}();

// By the low nine bits: the bit of the second word that HMMA.SP and IMMA.SP have, and HMMA and IMMA
// never. A table, so that the loop over all instructions has no branch for it.
constexpr std::array<std::uint16_t, 512> kMarksOf2To4 = [] {
  std::array<std::uint16_t, 512> marks = {};
  marks.at(opcode::kHmma) = 0x200;
  marks.at(opcode::kImma) = 0x100;
  return marks;
}();

template <typename List>
bool holds(const List& list, std::uint64_t value) {
  return std::find(list.begin(), list.end(), value) != list.end();
}

Effect effect_of_wide(std::uint64_t word, bool first) {
  const std::uint64_t opcode = word & 0xfff;
  const std::uint64_t predicate = (word >> 12) & 0xf;
  if (predicate == kNever || opcode == 0x918) return Effect::nothing;
  if (first && holds(kStackLoads, opcode)) return Effect::nothing;
  if (opcode == 0x94d && predicate == kAlways) return Effect::exit;
  if (opcode == 0x947) return Effect::branch;
  if (opcode == 0x95c) return Effect::trap;
  return kStores[opcode & 0x1ff] ? Effect::store : Effect::work;
}

// Before 7.0 an instruction has 8 bytes, and the first of every four words schedules the others.
constexpr std::uint64_t kNarrowInstruction = 8;
constexpr std::uint64_t kNarrowGroup = 32;

/// STG, STL and STS, ST, ATOM and its compare-and-swap, ATOMS, RED, SUST, CAL and BRX.
bool stores_narrow(std::uint64_t word) {
  constexpr std::array<std::uint64_t, 4> kThirteenBits = {0x1ddb, 0x1dea, 0x1deb, 0x1d7f};
  constexpr std::array<std::uint64_t, 5> kTwelveBits = {0xeef, 0xee4, 0xe26, 0xe25, 0xeb3};
  constexpr std::array<std::uint64_t, 2> kEightBits = {0xed, 0xec};
  return (word >> 61) == 5 || holds(kThirteenBits, word >> 51) || holds(kTwelveBits, word >> 52) ||
         holds(kEightBits, word >> 56);
}

Effect effect_of_narrow(std::uint64_t word, bool first) {
  const std::uint64_t opcode = word >> 52;
  const std::uint64_t predicate = (word >> 16) & 0xf;
  if (predicate == kNever || opcode == 0x50b) return Effect::nothing;  // NOP
  if (first && opcode == 0x4c9) return Effect::nothing;                // MOV R1, c[0x0][0x20]
  if (opcode == 0xe30 && predicate == kAlways) return Effect::exit;
  if (opcode == 0xe24) return Effect::branch;
  if (opcode == 0xe3a) return Effect::trap;  // BPT
  return stores_narrow(word) ? Effect::store : Effect::work;
}

/// Sums up effects in the order of the instructions.
class Summary {
 public:
  void add(Effect effect) {
    switch (effect) {
      case Effect::nothing:
        break;
      case Effect::exit:
        exited_ = exited_ || !worked_;
        break;
      case Effect::branch:
        worked_ = worked_ || !exited_;
        break;
      case Effect::trap:
        trapped_ = true;
        worked_ = true;
        break;
      case Effect::store:
        stores_ = true;
        worked_ = true;
        break;
      case Effect::work:
        worked_ = true;
        break;
    }
  }

  [[nodiscard]] BodyFacts facts() const {
    if (exited_ && !worked_) return {Body::empty, false, {}};
    if (trapped_ && !stores_) return {Body::trap, false, {}};
    return {Body::code, stores_, {}};
  }

 private:
  bool exited_ = false;
  bool worked_ = false;
  bool trapped_ = false;
  bool stores_ = false;
};

BodyFacts classify_wide(Bytes code) {
  Summary summary;
  Opcodes opcodes;
  std::uint64_t marks = 0;
  const auto* at = code.text().data();
  const auto* const end = at + code.size() / kWideInstruction * kWideInstruction;
  for (bool first = true; at != end; at += kWideInstruction, first = false) {
    std::uint64_t word = 0;
    std::memcpy(&word, at, sizeof(word));
    summary.add(effect_of_wide(word, first));
    const std::uint64_t operation = word & 0x1ff;
    opcodes.set(operation);
    std::uint64_t second = 0;
    std::memcpy(&second, at + sizeof(word), sizeof(second));
    marks |= second & kMarksOf2To4[operation];
  }
  BodyFacts facts = summary.facts();
  facts.opcodes = opcodes;
  facts.multiplies_2_to_4 = marks != 0;
  return facts;
}

/// Calls `visit` with the effect of one instruction after the other, until it returns true.
template <typename Visit>
void visit_narrow(Bytes code, const Visit& visit) {
  for (std::uint64_t at = 0; code.holds(at, kNarrowInstruction); at += kNarrowInstruction) {
    if (at % kNarrowGroup == 0) continue;
    const bool first = at == kNarrowInstruction;
    if (visit(effect_of_narrow(code.at<std::uint64_t>(at, "instruction"), first))) return;
  }
}

BodyFacts classify_narrow(Bytes code) {
  Summary summary;
  visit_narrow(code, [&](Effect effect) {
    summary.add(effect);
    return false;
  });
  return summary.facts();
}

bool stores_narrow(Bytes code) {
  bool found = false;
  visit_narrow(code, [&](Effect effect) { return found = effect == Effect::store; });
  return found;
}

bool stores_wide(Bytes code) {
  const auto* at = code.text().data();
  const auto* const end = at + code.size() / kWideInstruction * kWideInstruction;
  for (bool first = true; at != end; at += kWideInstruction, first = false) {
    std::uint64_t word = 0;
    std::memcpy(&word, at, sizeof(word));
    // Few are in the table of stores, and those that are may do something else.
    if (kStores[word & 0x1ff] && effect_of_wide(word, first) == Effect::store) return true;
  }
  return false;
}

std::string_view trim(std::string_view text) {
  const auto begin = text.find_first_not_of(" \t\r\n");
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t\r\n") - begin + 1);
}

bool starts_with_any(std::string_view text, std::initializer_list<std::string_view> prefixes) {
  return std::any_of(prefixes.begin(), prefixes.end(), [&](std::string_view prefix) {
    return text.substr(0, prefix.size()) == prefix;
  });
}

std::string_view without_label(std::string_view statement) {
  const auto colon = statement.find(':');
  if (colon == std::string_view::npos || statement[0] == '.') return statement;
  const auto label = statement.substr(0, colon);
  const bool plain = std::all_of(label.begin(), label.end(), [](unsigned char c) {
    return std::isalnum(c) != 0 || c == '_' || c == '$' || c == '%';
  });
  return plain ? trim(statement.substr(colon + 1)) : statement;
}

/// Directives (`.reg`, `.loc`) do nothing; a guard such as `@%p1` keeps its instruction.
Effect effect_of_ptx(std::string_view statement) {
  if (statement.empty() || statement[0] == '.' || statement == "{" || statement == "}") {
    return Effect::nothing;
  }
  if (statement == "ret" || statement == "exit") return Effect::exit;
  if (statement[0] == '@')
    statement = trim(statement.substr(std::min(statement.find(' '), statement.size())));
  if (statement == "trap") return Effect::trap;
  const bool store =
      starts_with_any(statement, {"st.", "red.", "atom.", "call", "sust.", "stmatrix", "cp.", "st ",
                                  "multimem.", "tcgen05.st", "wmma.store", "cp"});
  return store ? Effect::store : Effect::work;
}

}  // namespace

BodyFacts classify_sass(Bytes code, int arch) {
  if (arch < 50 || code.size() == 0) return {};
  auto facts = arch < 70 ? classify_narrow(code) : classify_wide(code);
  if (code.size() > largest_idle_body(arch)) facts.body = Body::code;
  return facts;
}

bool stores(Bytes code, int arch) {
  return arch < 70 ? arch >= 50 && stores_narrow(code) : stores_wide(code);
}

BodyFacts classify_ptx(std::string_view body) {
  const bool short_enough = body.size() <= kLargestIdlePtx;
  Summary summary;
  while (!body.empty()) {
    const auto end = std::min(body.find_first_of(";{}\n"), body.size());
    const auto statement = trim(body.substr(0, end));
    // A line break ends labels, directives and comments only; an instruction ends at its semicolon.
    const bool broken = end < body.size() && body[end] == '\n' && !statement.empty() &&
                        statement[0] != '.' && statement.back() != ':';
    if (broken) {
      const auto rest = std::min(body.find(';'), body.size());
      summary.add(effect_of_ptx(without_label(trim(body.substr(0, rest)))));
      body.remove_prefix(std::min(rest + 1, body.size()));
      continue;
    }
    summary.add(effect_of_ptx(without_label(statement)));
    body.remove_prefix(std::min(end + 1, body.size()));
  }
  const auto facts = summary.facts();
  return short_enough ? facts : BodyFacts{Body::code, facts.stores, {}};
}

}  // namespace archgrid::fatbin
