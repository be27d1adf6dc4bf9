// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Distinguishes bodies that do nothing from those that work. Measured on the machine code of CUDA
// 11.8, 12.4 and 13.x, not documented by NVIDIA: unrecognised code counts as work.
#ifndef ARCHGRID_FATBIN_BODY_HPP
#define ARCHGRID_FATBIN_BODY_HPP

#include <archgrid/fatbin.hpp>
#include <functional>
#include <vector>

#include "bytes.hpp"

namespace archgrid::fatbin {

/// The bank of constants that holds addresses of functions and strings.
constexpr std::uint64_t kAddressBank = 4;

/// Returns the largest size of code that may do nothing, in bytes; longer code counts as work.
/// ptxas compiles an empty body to 64 bytes before 7.0, 128 on 7.x and 256 from 8.0 on.
constexpr std::uint64_t largest_idle_body(int arch) {
  return arch < 80 ? 128 : 256;
}

/// The largest code that may only call printf or assert, in bytes. A guard that prints seven values
/// takes 640.
constexpr std::uint64_t kLargestReport = 2048;

/// Reports whether the driver resolves the name to a function that prints: `vprintf`, which printf
/// calls, or `__assertfail`, which assert calls.
inline bool is_report(std::string_view function) {
  return function == "vprintf" || function == "__assertfail";
}

/// Reports whether code need not define the function, as the driver defines it, or the device
/// runtime (libcudadevrt), which a program links when it runs.
inline bool is_provided(std::string_view function) {
  const auto begins = [function](std::string_view prefix) {
    return function.substr(0, prefix.size()) == prefix;
  };
  constexpr std::string_view kRuntime = "cuda";
  const bool of_runtime = begins(kRuntime) && function.size() > kRuntime.size() &&
                          function[kRuntime.size()] >= 'A' && function[kRuntime.size()] <= 'Z';
  return is_report(function) || function == "malloc" || function == "free" || of_runtime ||
         begins("__cuda") || begins("__nv");
}

/// Returns the largest size of code that may do nothing. `reports`: it may call a function that
/// is_report().
constexpr std::uint64_t largest_idle_code(int arch, bool reports) {
  return reports ? kLargestReport : largest_idle_body(arch);
}

/// Effects of the functions that some code calls.
struct CallEffects {
  bool stores = false;      ///< outside of the stack
  bool unknown = false;     ///< has a function that cannot be followed
  bool unusual = false;     ///< has instructions that were never seen in a body that only reports
  bool outlasts = false;    ///< has a store beyond shared memory
  bool unfamiliar = false;  ///< has instructions that may store in an unknown way
  bool prints = false;
  bool asserts = false;
  bool traps = false;

  void add(const CallEffects& other) {
    stores = stores || other.stores;
    unknown = unknown || other.unknown;
    unusual = unusual || other.unusual;
    outlasts = outlasts || other.outlasts;
    unfamiliar = unfamiliar || other.unfamiliar;
    prints = prints || other.prints;
    asserts = asserts || other.asserts;
    traps = traps || other.traps;
  }
};

/// Returns the effects of a function that cannot be followed.
inline CallEffects unknown_effects() {
  CallEffects effects;
  effects.unknown = true;
  return effects;
}

/// A call instruction of machine code.
struct Call {
  enum class Target {
    near,    ///< in the same section, unless a relocation names another
    named,   ///< named by a relocation
    loaded,  ///< loaded from the constant bank of addresses; the cubin's call graph names it
    unknown  ///< computed: a function pointer
  };
  std::uint64_t offset = 0;  ///< offset in the code
  Target target = Target::unknown;
};

/// Returns the effects of some calls. If empty, their effects are unknown.
using FollowCalls = std::function<CallEffects(const std::vector<Call>& calls)>;

/// Facts about code beyond its bytes.
struct CodeContext {
  FollowCalls follow;
  bool debug = false;  ///< compiled with -G, which writes to the stack by generic addresses
};

struct BodyFacts {
  Body body = Body::unknown;
  bool stores = false;
  bool may_store = false;
  Opcodes opcodes;
  bool uses_sparse_mma = false;  ///< as in Kernel
};

/// Classifies a kernel's machine code. `arch` is the number of its architecture.
BodyFacts classify_sass(Bytes code, int arch, const CodeContext& context = {});

/// Returns only BodyFacts::stores and may_store; faster, as the first certain store decides.
BodyFacts store_facts(Bytes code, int arch, const CodeContext& context = {});

/// Returns the effects of a function with this machine code, its own calls included.
CallEffects effects_of_sass(Bytes code, int arch, const CodeContext& context);

/// The largest PTX that may do nothing, in bytes: source text is longer than machine code.
constexpr std::uint64_t kLargestIdlePtx = 4096;

/// Like FollowCalls, for the names in PTX call instructions; a name is empty if the target is
/// computed.
using FollowNames = std::function<CallEffects(const std::vector<std::string_view>& functions)>;

/// Classifies PTX. `body` is the text between an entry's braces, without comments.
BodyFacts classify_ptx(std::string_view body, const FollowNames& follow = {});

/// Returns the effects of a function with this PTX, its own calls included.
CallEffects effects_of_ptx(std::string_view body, const FollowNames& follow);

}  // namespace archgrid::fatbin

#endif
