// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include "machine.hpp"

namespace archgrid::launches {
namespace {

/// Operands of a comparison, as numbers of the width that the instruction has.
struct Compared {
  std::int64_t left = 0;
  std::int64_t right = 0;
  unsigned bits = 64;

  [[nodiscard]] std::uint64_t low(std::int64_t value) const {
    return low_bits(static_cast<std::uint64_t>(value), bits);
  }
  [[nodiscard]] bool is_below() const { return low(left) < low(right); }
  [[nodiscard]] bool is_difference_negative() const {
    return signed_bits(static_cast<std::uint64_t>(left) - static_cast<std::uint64_t>(right), bits) <
           0;
  }
};

enum class Condition : std::uint8_t { equal, less, less_equal, below, below_equal, sign, other };

struct Test {
  Condition condition = Condition::other;
  bool is_negated = false;
};

#define ARCHGRID_CASES(suffix)     \
  case ZYDIS_MNEMONIC_J##suffix:   \
  case ZYDIS_MNEMONIC_SET##suffix: \
  case ZYDIS_MNEMONIC_CMOV##suffix

Test test_of(ZydisMnemonic mnemonic) {
  switch (mnemonic) {
    ARCHGRID_CASES(Z) : return {Condition::equal, false};
    ARCHGRID_CASES(NZ) : return {Condition::equal, true};
    ARCHGRID_CASES(L) : return {Condition::less, false};
    ARCHGRID_CASES(NL) : return {Condition::less, true};
    ARCHGRID_CASES(LE) : return {Condition::less_equal, false};
    ARCHGRID_CASES(NLE) : return {Condition::less_equal, true};
    ARCHGRID_CASES(B) : return {Condition::below, false};
    ARCHGRID_CASES(NB) : return {Condition::below, true};
    ARCHGRID_CASES(BE) : return {Condition::below_equal, false};
    ARCHGRID_CASES(NBE) : return {Condition::below_equal, true};
    ARCHGRID_CASES(S) : return {Condition::sign, false};
    ARCHGRID_CASES(NS) : return {Condition::sign, true};
    default:
      return {};
  }
}

#undef ARCHGRID_CASES

bool holds(Condition condition, const Compared& compared) {
  switch (condition) {
    case Condition::equal:
      return compared.left == compared.right;
    case Condition::less:
      return compared.left < compared.right;
    case Condition::less_equal:
      return compared.left <= compared.right;
    case Condition::below:
      return compared.is_below();
    case Condition::below_equal:
      return compared.is_below() || compared.left == compared.right;
    case Condition::sign:
      return compared.is_difference_negative();
    case Condition::other:
      break;
  }
  return false;
}

/// Returns what the flags compare, or nothing where a number is unknown.
std::optional<Compared> compared_by(const Flags& flags) {
  if (flags.of == Flags::Of::unknown || !flags.left.is_number()) return std::nullopt;
  const unsigned bits = flags.bits;
  const auto left = signed_bits(flags.left.offset, bits);
  if (flags.of != Flags::Of::comparison) return Compared{left, 0, bits};
  if (!flags.right.is_number()) return std::nullopt;
  return Compared{left, signed_bits(flags.right.offset, bits), bits};
}

}  // namespace

std::optional<bool> condition_of(ZydisMnemonic mnemonic, const Flags& flags) {
  const auto test = test_of(mnemonic);
  const auto compared = compared_by(flags);
  if (test.condition == Condition::other || !compared) return std::nullopt;
  const bool is_simple = test.condition == Condition::equal || test.condition == Condition::sign;
  if (flags.of == Flags::Of::sum && !is_simple) return std::nullopt;
  return holds(test.condition, *compared) != test.is_negated;
}

}  // namespace archgrid::launches
