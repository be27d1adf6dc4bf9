// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include "launchers.hpp"

#include <algorithm>
#include <array>

#include "decoder.hpp"

namespace archgrid::launches {
namespace {

/// Calls from a function to one that launches what is in the object.
constexpr int kMaxCalls = 3;
/// Larger functions are no operations of containers.
constexpr std::uint64_t kMaxSize = 4000;

/// Reports whether an imported function may launch a kernel: functions of CUDA whose names say so,
/// and C++ functions of other libraries than the standard library.
bool may_launch(const Import& import) {
  constexpr std::array<std::string_view, 5> kStandard = {"_ZSt", "_ZNSt", "_ZNKSt", "_Zn", "_Zd"};
  const auto& name = import.name;
  if (name.starts_with("_Z")) {
    return std::none_of(kStandard.begin(), kStandard.end(),
                        [&](std::string_view prefix) { return name.starts_with(prefix); });
  }
  return name.find("Launch") != std::string_view::npos ||
         name.find("Graph") != std::string_view::npos;
}

class Search {
 public:
  Search(const Program& program, Budget& budget) : program_(program), budget_(budget) {}

  bool finds_launch(const Callee& callee, int calls) {
    if (callee.import != kNone) return may_launch(program_.binary.imports[callee.import]);
    const auto function = program_.binary.function_from(callee.address);
    if (function == kNone || program_.uses[function].is_launcher) return true;
    if (program_.size_of(function) > kMaxSize) return calls == kMaxCalls;
    return calls > 0 && finds_in(function, calls);
  }

 private:
  bool finds_in(std::uint32_t function, int calls) {
    const auto& binary = program_.binary;
    const auto [begin, end] = binary.functions[function];
    ZydisDecodedInstruction info;
    for (auto place = begin; place < end;) {
      budget_.spend(1);
      const auto code = binary.text->bytes.substr(place - binary.text->address, kMaxLength);
      if (budget_.is_exhausted() || !decoder_.decode(code, info)) return true;
      place += info.length;
      const bool is_jump = info.mnemonic == ZYDIS_MNEMONIC_JMP;
      if (info.mnemonic != ZYDIS_MNEMONIC_CALL && !is_jump) continue;
      if (!is_direct(info)) {
        // Allocation deeper inside calls a handler of the program by a pointer.
        if (calls == kMaxCalls) return true;
        continue;
      }
      const auto destination = destination_of(info, place);
      if (destination >= begin && destination < end) continue;
      const auto callee = binary.callee_of(destination);
      if (is_jump && binary.function_from(callee.address) == kNone && callee.import == kNone)
        continue;  // into another part of the function
      if (finds_launch(callee, calls - 1)) return true;
    }
    return false;
  }

  static constexpr std::size_t kMaxLength = ZYDIS_MAX_INSTRUCTION_LENGTH;
  const Program& program_;
  Budget& budget_;
  Decoder decoder_;
};

}  // namespace

void mark_launchers(Program& program) {
  for (const auto& [name, registrations] : program.kernels) {
    for (const auto& registration : registrations) {
      for (const auto callee : program.callees.of(registration.stub)) {
        program.uses[callee].is_launcher = true;
        // nvcc lets a stub call another function, which launches the kernel.
        if (program.callers.of(callee).size() > 1) continue;
        for (const auto inner : program.callees.of(callee)) program.uses[inner].is_launcher = true;
      }
    }
  }
}

bool may_launch_from_object(const Program& program, const Callee& callee, Budget& budget) {
  return Search(program, budget).finds_launch(callee, kMaxCalls);
}

}  // namespace archgrid::launches
