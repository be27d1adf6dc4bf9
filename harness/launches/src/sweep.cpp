// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include "sweep.hpp"

#include <algorithm>

#include "decoder.hpp"
#include "knowledge.hpp"
#include "state.hpp"

namespace archgrid::launches {

constexpr std::size_t kMaxTrackedStructures = 16;
constexpr std::size_t kMaxKernelName = std::size_t{1} << 16;
/// Hashing so many bytes of a name costs as much as an instruction.
constexpr std::size_t kNameBytesPerInstruction = 16;
constexpr std::uint64_t kMaxSwept = 100'000'000;

/// Decodes one function after another, and follows constants in registers within straight code.
class Sweeper {
 public:
  explicit Sweeper(Program& program) : program_(program), binary_(program.binary) {}

  Sweep run() {
    for (std::uint32_t index = 0; index < binary_.functions.size(); ++index) visit(index);
    for (const auto& section : binary_.sections) {
      const bool is_linkage_table = section.name.starts_with(".plt");
      if (section.is_executable && &section != binary_.text && !is_linkage_table) {
        visit_outside(section);
      }
    }
    result_.is_complete = swept_ <= kMaxSwept;
    return std::move(result_);
  }

 private:
  struct Known {
    enum class As : std::uint8_t { unknown, number, address, stack } as = As::unknown;
    std::uint64_t value = 0;
  };
  struct Structure {
    std::uint64_t place = 0;  ///< on the stack
    std::uint64_t callee = 0;
  };
  /// The attributes that one function queries by a callee.
  struct Queried {
    bool major = false;
    bool minor = false;
  };

  void visit(std::uint32_t function) {
    function_ = function;
    known_ = {};
    structures_.clear();
    queried_.clear();
    const auto code = binary_.code_of(binary_.functions[function]);
    for (std::size_t at = 0; at < code.size() && swept_ <= kMaxSwept; ++swept_) {
      ZydisDecodedInstruction info;
      if (!decoder_.decode(code.substr(at), info)) {
        ++at;
        continue;
      }
      at += info.length;
      next_ = binary_.functions[function].begin + at;
      visit(info);
    }
    for (const auto& [callee, queried] : queried_) {
      if (queried.major && queried.minor) ++result_.attributes[callee].both;
    }
  }

  /// Notes the functions that code outside of .text uses, which is not followed.
  void visit_outside(const Section& section) {
    for (std::size_t at = 0; at < section.bytes.size() && swept_ <= kMaxSwept; ++swept_) {
      ZydisDecodedInstruction info;
      if (!decoder_.decode(section.bytes.substr(at), info)) {
        ++at;
        continue;
      }
      at += info.length;
      next_ = section.address + at;
      note_outside(info);
    }
  }

  void note_outside(const ZydisDecodedInstruction& info) {
    std::uint64_t address = 0;
    if (is_direct(info)) {
      address = binary_.callee_of(destination_of(info, next_)).address;
    } else if (is_relative(info)) {
      address = relative_address(info, next_);
      if (const auto callee = binary_.slot_at(address)) address = callee->address;
    }
    const auto function = binary_.function_at(address);
    if (function != kNone) program_.uses[function].is_outside = true;
  }

  void visit(const ZydisDecodedInstruction& info) {
    if (is_relative(info)) note_slot(info);
    if (info.mnemonic == ZYDIS_MNEMONIC_CALL) return visit_call(info);
    if (info.mnemonic == ZYDIS_MNEMONIC_JMP || info.meta.category == ZYDIS_CATEGORY_COND_BR) {
      if (is_direct(info)) visit_jump(destination_of(info, next_));
      return;
    }
    if (info.mnemonic == ZYDIS_MNEMONIC_LEA) return visit_lea(info);
    if (info.mnemonic == ZYDIS_MNEMONIC_MOV) return visit_mov(info);
    if ((info.attributes & ZYDIS_ATTRIB_HAS_MODRM) == 0) return;
    if (info.raw.modrm.mod != 3) return note_read(info);
    if (info.mnemonic == ZYDIS_MNEMONIC_XOR && reg(info) == rm(info)) {
      known_[reg(info)] = {Known::As::number, 0};
    }
  }

  /// Adds the function behind a pointer in the GOT that the instruction uses.
  void note_slot(const ZydisDecodedInstruction& info) {
    const auto callee = binary_.slot_at(relative_address(info, next_));
    if (!callee) return;
    const auto index = binary_.function_from(callee->address);
    if (index == kNone) return note_source(*callee);
    const bool is_call = info.mnemonic == ZYDIS_MNEMONIC_CALL;
    (is_call ? program_.uses[index].is_called : program_.uses[index].is_taken) = true;
    add_edge(index);
  }

  void add_edge(std::uint32_t callee) { result_.edges.emplace_back(callee, function_); }

  void note_source(const Callee& callee) {
    const auto role = program_.role_of(callee);
    if (role != Role::none && role != Role::no_return) {
      program_.uses[function_].is_source = true;
    }
  }

  void visit_call(const ZydisDecodedInstruction& info) {
    if (is_direct(info)) {
      const auto callee = binary_.callee_of(destination_of(info, next_));
      note_source(callee);
      if (callee.address != 0) visit_callee(callee.address);
    }
    note_registration();
    for (const int index : {kRax, kRcx, kRdx, kRsi, kRdi, kR8, kR9, kR10, kR11}) known(index) = {};
  }

  void visit_callee(std::uint64_t callee) {
    const auto index = binary_.function_from(callee);
    if (index != kNone) {
      program_.uses[index].is_called = true;
      add_edge(index);
      note_outputs(index);
    }
    if (known(kRsi).as == Known::As::number && known(kRdi).as != Known::As::number) {
      note_attribute(callee, known(kRsi).value);
    }
    if (known(kRdi).as == Known::As::stack && structures_.size() < kMaxTrackedStructures) {
      structures_.push_back({known(kRdi).value, callee});
    }
  }

  void note_outputs(std::uint32_t callee) {
    for (std::size_t argument = 0; argument < kArguments.size(); ++argument) {
      if (known(kArguments[argument]).as != Known::As::stack) continue;
      program_.output_calls[argument].emplace_back(callee, function_);
    }
  }

  void note_attribute(std::uint64_t callee, std::uint64_t attribute) {
    auto& evidence = result_.attributes[callee];
    evidence.largest = std::max(evidence.largest, attribute);
    if (attribute == kMajorAttribute) {
      ++evidence.major;
      queried_[callee].major = true;
    } else if (attribute == kMinorAttribute) {
      ++evidence.minor;
      queried_[callee].minor = true;
    }
  }

  /// A call with a function and a text among its arguments, as __cudaRegisterFunction() has it.
  void note_registration() {
    if (known(kRsi).as != Known::As::address) return;
    const auto& name = known(known(kRcx).as == Known::As::address ? kRcx : kRdx);
    const auto stub = binary_.function_from(known(kRsi).value);
    if (name.as != Known::As::address || stub == kNone) return;
    const auto text = text_at(binary_.at(name.value), 0, kMaxKernelName);
    swept_ += text.size() / kNameBytesPerInstruction;
    if (text.empty()) return;
    program_.kernels[text].push_back({stub, function_});
    if (text.starts_with("_Z")) program_.uses[stub].is_stub = true;  // a C++ function
  }

  void visit_jump(std::uint64_t destination) {
    const auto& function = binary_.functions[function_];
    if (destination >= function.begin && destination < function.end) return;
    const auto callee = binary_.callee_of(destination);
    note_source(callee);
    const auto index = binary_.function_at(callee.address);
    if (callee.address != 0 && index != kNone) add_edge(index);
    note_registration();
  }

  void visit_lea(const ZydisDecodedInstruction& info) {
    auto& target = known_[reg(info)];
    target = {};
    if (is_relative(info)) {
      target = {Known::As::address, relative_address(info, next_)};
      take_address(target.value);
    } else if (const auto place = stack_place(info)) {
      target = {Known::As::stack, *place};
    }
  }

  void take_address(std::uint64_t value) {
    const auto index = binary_.function_from(value);
    if (index == kNone) return;
    program_.uses[index].is_taken = true;
    add_edge(index);
  }

  void visit_mov(const ZydisDecodedInstruction& info) {
    if (info.opcode >= 0xb8 && info.opcode <= 0xbf) {
      known_[static_cast<std::size_t>((info.opcode - 0xb8) | (info.raw.rex.B != 0 ? 8 : 0))] = {
          Known::As::number, info.raw.imm[0].value.u};
    } else if (info.raw.modrm.mod == 3) {
      copy_register(info);
    } else if (info.opcode == 0x8b) {
      note_read(info);
      load_register(info);
    } else {
      note_read(info);
    }
  }

  void copy_register(const ZydisDecodedInstruction& info) {
    if (info.opcode == 0x89) known_[rm(info)] = known_[reg(info)];
    if (info.opcode == 0x8b) known_[reg(info)] = known_[rm(info)];
    if (info.opcode == 0xc7) known_[rm(info)] = {Known::As::number, info.raw.imm[0].value.u};
  }

  void load_register(const ZydisDecodedInstruction& info) {
    auto& target = known_[reg(info)];
    target = {};
    if (!is_relative(info)) return;
    const auto callee = binary_.slot_at(relative_address(info, next_));
    if (callee && callee->address != 0) target = {Known::As::address, callee->address};
  }

  /// Counts reads of `major` and `minor` in structures on the stack that a callee got.
  void note_read(const ZydisDecodedInstruction& info) {
    constexpr std::array<unsigned, 6> kReads = {0x8b, 0x3b, 0x83, 0x81, 0x39, 0x6b};
    if (std::find(kReads.begin(), kReads.end(), info.opcode) == kReads.end()) return;
    const auto place = stack_place(info);
    if (!place) return;
    for (const auto& structure : structures_) {
      if (*place == structure.place + kMajorOffset) ++result_.properties[structure.callee].major;
      if (*place == structure.place + kMinorOffset) ++result_.properties[structure.callee].minor;
    }
  }

  /// Returns a number that stands for a place on the stack, relative to `rsp` or `rbp`.
  static std::optional<std::uint64_t> stack_place(const ZydisDecodedInstruction& info) {
    constexpr auto kBehindRbp = std::uint64_t{1} << 40;
    const auto& raw = info.raw;
    const auto displacement = static_cast<std::uint64_t>(raw.disp.value);
    if (raw.rex.B != 0 || raw.rex.X != 0) return std::nullopt;
    if (raw.modrm.rm == 4 && raw.sib.base == 4 && raw.sib.index == 4) return displacement;
    if (raw.modrm.rm == 5 && raw.modrm.mod != 0) return displacement + kBehindRbp;
    return std::nullopt;
  }

  static std::size_t reg(const ZydisDecodedInstruction& info) {
    return static_cast<std::size_t>((info.raw.rex.R != 0 ? 8 : 0) | info.raw.modrm.reg) & 15U;
  }
  static std::size_t rm(const ZydisDecodedInstruction& info) {
    return static_cast<std::size_t>((info.raw.rex.B != 0 ? 8 : 0) | info.raw.modrm.rm) & 15U;
  }
  Known& known(int index) { return known_[static_cast<std::size_t>(index)]; }

  Program& program_;
  const Binary& binary_;
  Decoder decoder_;
  Sweep result_;
  std::uint64_t swept_ = 0;  ///< instructions
  std::uint32_t function_ = 0;
  std::uint64_t next_ = 0;  ///< address behind the instruction
  std::array<Known, 16> known_;
  std::vector<Structure> structures_;
  std::unordered_map<std::uint64_t, Queried> queried_;
};

Sweep sweep(Program& program) {
  return Sweeper(program).run();
}

}  // namespace archgrid::launches
