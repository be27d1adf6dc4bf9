// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ARCHGRID_LAUNCHES_DECODER_HPP
#define ARCHGRID_LAUNCHES_DECODER_HPP

#include <Zydis/Zydis.h>

#include <array>
#include <cstdint>
#include <string_view>

namespace archgrid::launches {

/// An instruction with its operands.
struct Instruction {
  ZydisDecodedInstruction info;
  std::array<ZydisDecodedOperand, ZYDIS_MAX_OPERAND_COUNT> operands;

  [[nodiscard]] const ZydisDecodedOperand& operand(std::size_t index) const {
    return operands[index];
  }
  /// Reports whether visible operand `index` is of this type.
  [[nodiscard]] bool has(std::size_t index, ZydisOperandType type) const {
    return index < info.operand_count_visible && operands[index].type == type;
  }
};

class Decoder {
 public:
  Decoder() { ZydisDecoderInit(&decoder_, ZYDIS_MACHINE_MODE_LONG_64, ZYDIS_STACK_WIDTH_64); }
  /// Decodes the first instruction of `code`; reports whether it is valid.
  bool decode(std::string_view code, Instruction& instruction) const;
  /// Decodes without operands, which is twice as fast.
  bool decode(std::string_view code, ZydisDecodedInstruction& info) const;

 private:
  ZydisDecoder decoder_{};
};

/// Returns the number of the register that contains another one, or -1. `ah` and the like, which
/// are not the lowest bits, have none.
int register_of(ZydisRegister part);

/// Returns the destination of a direct jump or call at `next`, the address behind it.
std::uint64_t destination_of(const ZydisDecodedInstruction& info, std::uint64_t next);

/// Reports whether the instruction has a memory operand relative to the instruction pointer.
bool is_relative(const ZydisDecodedInstruction& info);
/// Returns the address of that operand.
std::uint64_t relative_address(const ZydisDecodedInstruction& info, std::uint64_t next);

inline bool is_direct(const ZydisDecodedInstruction& info) {
  return info.raw.imm[0].size != 0 && info.raw.imm[0].is_relative != 0;
}

}  // namespace archgrid::launches

#endif
