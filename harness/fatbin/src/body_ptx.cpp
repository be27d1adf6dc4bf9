// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cctype>
#include <initializer_list>

#include "body.hpp"
#include "body_effects.hpp"
#include "marks.hpp"

namespace archgrid::fatbin {
namespace {

constexpr Marks kPtxSpaces = marks_of(" \t\r\n");
constexpr Marks kPtxStatementEnds = marks_of(";{}\n");
constexpr Marks kPtxInstructionEnds = marks_of(";{}");
constexpr Marks kPtxRootEnds = marks_of(". \t\r\n");

std::string_view trim(std::string_view text) {
  while (!text.empty() && is_marked(kPtxSpaces, text.front())) text.remove_prefix(1);
  while (!text.empty() && is_marked(kPtxSpaces, text.back())) text.remove_suffix(1);
  return text;
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

/// Reports whether a PTX store goes to the stack, or to the parameters of a call. Code made with -G
/// derives generic addresses of the stack from its pointer.
bool stores_privately(std::string_view statement) {
  const auto operation = statement.substr(0, statement.find_first_of(" \t"));
  const auto operands = trim(statement.substr(operation.size()));
  return operation.find(".local") != std::string_view::npos ||
         operation.find(".param") != std::string_view::npos ||
         starts_with_any(operands, {"[%SP+", "[%SP]"});
}

/// Reports whether a statement writes to shared memory, or only waits for a copy to it.
bool stores_shared(std::string_view statement) {
  const auto operation = statement.substr(0, statement.find_first_of(" \t"));
  const bool atomic = starts_with_any(operation, {"st.", "red.", "atom."});
  return (atomic && operation.find(".shared") != std::string_view::npos) ||
         starts_with_any(operation, {"cp.async.ca.", "cp.async.cg.", "cp.async.commit_group",
                                     "cp.async.wait_", "stmatrix"});
}

/// Splits a text at its blanks into `count` words.
template <std::size_t count>
constexpr std::array<std::string_view, count> words_of(std::string_view text) {
  std::array<std::string_view, count> words;
  for (auto& word : words) {
    word = text.substr(0, text.find(' '));
    text.remove_prefix(word.size() == text.size() ? text.size() : word.size() + 1);
  }
  return words;
}

/// PTX instructions that write to registers alone (`st`: or to the stack), by the first words of
/// their names.
constexpr auto kFamiliar = words_of<76>(
    "abs activemask add and applypriority bar barrier bfe bfi bfind bra brev brx clz cnot cos "
    "cvt cvta discard div dp2a dp4a elect ex2 exit fence fma fns griddepcontrol isspacep ld "
    "ldmatrix ldu lg2 lop3 mad mad24 match max mbarrier membar min mov mul mul24 nanosleep "
    "neg not or popc prefetch prefetchu prmt rcp redux rem ret rsqrt sad selp set setmaxnreg "
    "setp shf shfl shl shr sin slct sqrt st sub tanh testp vote xor");
static_assert(std::is_sorted(kFamiliar.begin(), kFamiliar.end()));

/// Returns "cp" for "cp.async.ca.shared.global [%r1], [%rd1], 16".
std::string_view root_of(std::string_view statement) {
  return statement.substr(0, find_marked(statement, 0, kPtxRootEnds));
}

/// Reports whether an instruction that is not a store is known to write to registers alone.
bool is_familiar(std::string_view statement) {
  return std::binary_search(kFamiliar.begin(), kFamiliar.end(), root_of(statement));
}

/// PTX instructions that may do more than write to registers, by the first words of their names.
constexpr std::array<std::string_view, 14> kActing = {
    "st",      "red",  "atom", "sust", "stmatrix", "cp",  "multimem",
    "tcgen05", "wmma", "call", "trap", "brkpt",    "ret", "exit"};

constexpr std::size_t slot_of_letters(char first, char second) {
  constexpr unsigned kLetter = 31;  // the bits that tell letters apart
  return (static_cast<unsigned char>(first) & kLetter) * (kLetter + 1) +
         (static_cast<unsigned char>(second) & kLetter);
}

/// Marks the first two letters of kActing: most other instructions begin otherwise.
constexpr auto kActingLetters = [] {
  std::array<bool, 1024> slots = {};
  for (const auto name : kActing) slots.at(slot_of_letters(name[0], name[1])) = true;
  return slots;
}();

bool may_act(std::string_view statement) {
  return statement.size() > 1 && kActingLetters[slot_of_letters(statement[0], statement[1])] &&
         std::find(kActing.begin(), kActing.end(), root_of(statement)) != kActing.end();
}

/// Returns the effect of a statement without guard. Directives (`.reg`, `.loc`) have none.
Effect effect_of_ptx(std::string_view statement) {
  if (statement.empty() || statement[0] == '.' || statement == "{" || statement == "}") {
    return Effect::nothing;
  }
  if (!may_act(statement)) return Effect::work;
  if (statement == "ret" || statement == "exit") return Effect::exit;
  if (statement == "trap" || statement == "brkpt") return Effect::trap;
  if (starts_with_any(statement, {"call"})) return Effect::call;
  if (stores_shared(statement)) return Effect::shared_store;
  if (starts_with_any(statement, {"st.", "st "})) {
    return stores_privately(statement) ? Effect::work : Effect::store;
  }
  const bool store = starts_with_any(statement, {"red.", "atom.", "sust.", "stmatrix", "cp.",
                                                 "multimem.", "tcgen05.st", "wmma.store", "cp"});
  return store ? Effect::store : Effect::work;
}

/// Removes a guard such as `@%p1`; the remaining instruction may not be executed.
std::string_view without_guard(std::string_view statement) {
  if (statement.empty() || statement[0] != '@') return statement;
  return trim(statement.substr(std::min(statement.find_first_of(" \t"), statement.size())));
}

/// Returns "f" for "call.uni (retval0), f, (param0)"; empty if the target is computed.
std::string_view called_by(std::string_view statement) {
  auto rest =
      trim(statement.substr(std::min(statement.find_first_of(" \t\r\n("), statement.size())));
  if (!rest.empty() && rest[0] == '(') {
    rest.remove_prefix(std::min(rest.find(')'), rest.size()));
    const auto name = rest.find_first_not_of("), \t\r\n");
    rest.remove_prefix(std::min(name, rest.size()));
  }
  const auto name = rest.substr(0, rest.find_first_of(", \t\r\n("));
  return name.empty() || name[0] == '%' ? std::string_view() : name;
}

/// Calls `visit` with each PTX statement in turn, without its label, until it returns false.
template <typename Visit>
void visit_statements(std::string_view body, const Visit& visit) {
  while (!body.empty()) {
    auto end = find_marked(body, 0, kPtxStatementEnds);
    const auto statement = trim(body.substr(0, end));
    // A line break ends labels, directives and comments only; an instruction ends at its semicolon,
    // and before a brace.
    const bool broken = end < body.size() && body[end] == '\n' && !statement.empty() &&
                        statement[0] != '.' && statement.back() != ':';
    if (broken) end = find_marked(body, end, kPtxInstructionEnds);
    if (!visit(without_label(trim(body.substr(0, end))))) return;
    body.remove_prefix(std::min(end + 1, body.size()));
  }
}

EffectSummary sum_up_ptx(std::string_view body, const FollowNames& follow_names) {
  EffectSummary summary;
  std::vector<std::string_view> functions;
  visit_statements(body, [&](std::string_view statement) {
    const auto instruction = without_guard(statement);
    const auto effect = effect_of_ptx(instruction);
    const bool guarded = instruction.size() != statement.size();
    summary.add(effect == Effect::exit && guarded ? Effect::work : effect);
    if (effect == Effect::work && !is_familiar(instruction)) summary.add_unfamiliar();
    if (effect == Effect::call) functions.push_back(called_by(instruction));
    return !summary.is_decided();
  });
  summary.add(Effect::exit);  // a body may end without an instruction: __builtin_unreachable()
  if (!summary.wants_calls()) return summary;
  CallEffects unknown;
  unknown.unknown = true;
  summary.add(follow_names ? follow_names(functions) : unknown);
  return summary;
}

}  // namespace

BodyFacts classify_ptx(std::string_view body, const FollowNames& follow) {
  auto facts = sum_up_ptx(body, follow).facts(false);
  if (body.size() > kLargestIdlePtx) facts.body = Body::code;
  return facts;
}

CallEffects effects_of_ptx(std::string_view body, const FollowNames& follow) {
  return sum_up_ptx(body, follow).effects(false);
}

}  // namespace archgrid::fatbin
