// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// What stands at an address of this program's code, for messages.
#include "names.hpp"

#include <cxxabi.h>
#include <elfutils/libdwfl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <memory>

namespace archgrid::host::detail {
namespace {

// The program and its libraries as elfutils sees them; null where it cannot.
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
  const Modules modules;
  // The call is before the address that it returns to.
  const auto address = reinterpret_cast<std::uintptr_t>(return_address) - 1;
  Dwfl_Module* const module = modules.of(address);
  Dwfl_Line* const line = module == nullptr ? nullptr : dwfl_module_getsrc(module, address);
  int number = 0;
  const char* const file =
      line == nullptr ? nullptr : dwfl_lineinfo(line, nullptr, &number, nullptr, nullptr, nullptr);
  if (file != nullptr) return fmt::format("{}:{}", file, number);
  return function_name(reinterpret_cast<const void*>(address)) + " (compile with -g for the line)";
}

}  // namespace archgrid::host::detail
