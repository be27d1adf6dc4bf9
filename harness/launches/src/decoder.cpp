// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include "decoder.hpp"

#include <algorithm>

namespace archgrid::launches {

bool Decoder::decode(std::string_view code, Instruction& instruction) const {
  return ZYAN_SUCCESS(ZydisDecoderDecodeFull(&decoder_, code.data(), code.size(), &instruction.info,
                                             instruction.operands.data()));
}

bool Decoder::decode(std::string_view code, ZydisDecodedInstruction& info) const {
  return ZYAN_SUCCESS(
      ZydisDecoderDecodeInstruction(&decoder_, nullptr, code.data(), code.size(), &info));
}

int register_of(ZydisRegister part) {
  if (part >= ZYDIS_REGISTER_AH && part <= ZYDIS_REGISTER_BH) return -1;
  const auto whole = ZydisRegisterGetLargestEnclosing(ZYDIS_MACHINE_MODE_LONG_64, part);
  if (whole < ZYDIS_REGISTER_RAX || whole > ZYDIS_REGISTER_R15) return -1;
  return whole - ZYDIS_REGISTER_RAX;
}

std::uint64_t destination_of(const ZydisDecodedInstruction& info, std::uint64_t next) {
  return next + static_cast<std::uint64_t>(info.raw.imm[0].value.s);
}

bool is_relative(const ZydisDecodedInstruction& info) {
  return (info.attributes & ZYDIS_ATTRIB_HAS_MODRM) != 0 && info.raw.modrm.mod == 0 &&
         info.raw.modrm.rm == 5;
}

std::uint64_t relative_address(const ZydisDecodedInstruction& info, std::uint64_t next) {
  return next + static_cast<std::uint64_t>(info.raw.disp.value);
}

}  // namespace archgrid::launches
