// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Finds the function and the source location of an address in this program's code, for messages.
#include "names.hpp"

#include <cxxabi.h>
#include <dwarf.h>
#include <elfutils/libdw.h>
#include <elfutils/libdwfl.h>
#include <fmt/format.h>
#include <unistd.h>
#include <unwind.h>

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <optional>
#include <utility>

namespace archgrid::cpu_emulator::detail {
namespace {

// The program and its libraries in elfutils; null if that fails.
class Modules {
 public:
  Modules() : session_(dwfl_begin(&callbacks)) {
    if (session_ != nullptr && dwfl_linux_proc_report(session_, getpid()) == 0) {
      dwfl_report_end(session_, nullptr, nullptr);
    }
  }
  ~Modules() { dwfl_end(session_); }
  Modules(const Modules&) = delete;
  Modules& operator=(const Modules&) = delete;

  Dwfl_Module* of(std::uintptr_t address) const {
    return session_ == nullptr ? nullptr : dwfl_addrmodule(session_, address);
  }

 private:
  static constexpr Dwfl_Callbacks callbacks = {dwfl_linux_proc_find_elf,
                                               dwfl_standard_find_debuginfo, nullptr, nullptr};
  Dwfl* session_;
};

std::string demangled(const char* symbol) {
  int status = 0;
  const std::unique_ptr<char, void (*)(void*)> text(
      abi::__cxa_demangle(symbol, nullptr, nullptr, &status), std::free);
  return status == 0 ? text.get() : symbol;
}

struct Place {
  std::string file;
  int line = 0;
};

std::string text(const Place& place) {
  return fmt::format("{}:{}", place.file, place.line);
}

// Reports whether a place is in the executor's own files or in the stand-ins for CUDA's headers.
bool is_of_executor(const Place& place) {
  static const std::string folder =
      std::filesystem::path(__FILE__).parent_path().parent_path().string() + "/";
  return place.file.compare(0, folder.size(), folder) == 0;
}

std::optional<Place> innermost_place(Dwfl_Module* module, Dwarf_Addr address) {
  Dwfl_Line* const line = dwfl_module_getsrc(module, address);
  int number = 0;
  const char* const file =
      line == nullptr ? nullptr : dwfl_lineinfo(line, nullptr, &number, nullptr, nullptr, nullptr);
  if (file == nullptr) return std::nullopt;
  return Place{file, number};
}

// Returns the call site of the inlined copy that `scope` describes.
std::optional<Place> call_of(Dwarf_Die* scope, Dwarf_Die* unit) {
  Dwarf_Attribute attribute;
  Dwarf_Word file = 0;
  Dwarf_Word line = 0;
  Dwarf_Files* files = nullptr;
  if (dwarf_formudata(dwarf_attr(scope, DW_AT_call_file, &attribute), &file) != 0 ||
      dwarf_formudata(dwarf_attr(scope, DW_AT_call_line, &attribute), &line) != 0 ||
      dwarf_getsrcfiles(unit, &files, nullptr) != 0) {
    return std::nullopt;
  }
  const char* const name = dwarf_filesrc(files, file, nullptr, nullptr);
  if (name == nullptr) return std::nullopt;
  return Place{name, static_cast<int>(line)};
}

// Returns the inlined calls around an address, the innermost first.
std::vector<Place> inlined_calls(Dwfl_Module* module, Dwarf_Addr address) {
  std::vector<Place> calls;
  Dwarf_Addr bias = 0;
  Dwarf_Die* const unit = dwfl_module_addrdie(module, address, &bias);
  if (unit == nullptr) return calls;
  Dwarf_Die* lexical = nullptr;
  if (dwarf_getscopes(unit, address - bias, &lexical) <= 0) return calls;
  const std::unique_ptr<Dwarf_Die, void (*)(void*)> keep_lexical(lexical, std::free);
  // These are the lexical scopes. The inlined scopes are around the innermost of them.
  Dwarf_Die* scopes = nullptr;
  const int count = dwarf_getscopes_die(lexical, &scopes);
  if (count <= 0) return calls;
  const std::unique_ptr<Dwarf_Die, void (*)(void*)> keep_scopes(scopes, std::free);
  for (int i = 0; i < count && dwarf_tag(scopes + i) != DW_TAG_subprogram; ++i) {
    if (dwarf_tag(scopes + i) != DW_TAG_inlined_subroutine) continue;
    if (const std::optional<Place> call = call_of(scopes + i, unit)) calls.push_back(*call);
  }
  return calls;
}

// Returns the place of the call that returns to an address, and the calls that it was inlined from.
// Empty without line tables.
std::vector<Place> places_of(const Modules& modules, const void* return_address) {
  // The call is before the address that it returns to.
  const auto address = reinterpret_cast<std::uintptr_t>(return_address) - 1;
  Dwfl_Module* const module = modules.of(address);
  if (module == nullptr) return {};
  const std::optional<Place> innermost = innermost_place(module, address);
  if (!innermost) return {};
  std::vector<Place> places = {*innermost};
  for (Place& call : inlined_calls(module, address)) places.push_back(std::move(call));
  return places;
}

struct Calls {
  static constexpr std::size_t most = 64;
  std::vector<const void*> return_addresses;
};

_Unwind_Reason_Code add_call(_Unwind_Context* context, void* calls_under_way) {
  Calls& calls = *static_cast<Calls*>(calls_under_way);
  if (calls.return_addresses.size() == Calls::most) return _URC_END_OF_STACK;
  calls.return_addresses.push_back(reinterpret_cast<const void*>(_Unwind_GetIP(context)));
  return _URC_NO_REASON;
}

}  // namespace

std::string function_name(const void* code) {
  const Modules modules;
  const auto address = reinterpret_cast<std::uintptr_t>(code);
  Dwfl_Module* const module = modules.of(address);
  const char* const symbol = module == nullptr ? nullptr : dwfl_module_addrname(module, address);
  return symbol == nullptr ? fmt::format("{}", code) : demangled(symbol);
}

std::string code_place(const void* return_address) {
  if (return_address == nullptr) return "an unknown place";
  std::string described;
  for (const Place& place : places_of(Modules(), return_address)) {
    if (is_of_executor(place)) continue;
    described += (described.empty() ? "" : ", called at ") + text(place);
  }
  if (!described.empty()) return described;
  const std::vector<Place> places = places_of(Modules(), return_address);
  if (!places.empty()) return text(places.front());
  const auto* const call = static_cast<const char*>(return_address) - 1;
  return function_name(call) + " (compile with -g for the line)";
}

std::vector<const void*> calls_under_way() {
  Calls calls;
  calls.return_addresses.reserve(Calls::most);
  _Unwind_Backtrace(add_call, &calls);
  return std::move(calls.return_addresses);
}

std::string calls_of_kernel(const std::vector<const void*>& return_addresses, const void* kernel) {
  const Modules modules;
  std::string calls;
  for (const void* address : return_addresses) {
    for (const Place& place : places_of(modules, address)) {
      if (is_of_executor(place)) {
        if (calls.empty()) continue;
        return calls;  // reached the code that called the kernel
      }
      calls += (calls.empty() ? "\n  at " : "\n  called at ") + text(place);
    }
    if (_Unwind_FindEnclosingFunction(const_cast<void*>(address)) == kernel) break;
  }
  return calls;
}

}  // namespace archgrid::cpu_emulator::detail
