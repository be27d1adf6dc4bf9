// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Tells bodies that do nothing from those that work. Measured on the machine code of CUDA 11.8,
// 12.4 and 13.x, not documented by NVIDIA: what is not recognised counts as code that works.
#ifndef ARCHGRID_FATBIN_BODY_HPP
#define ARCHGRID_FATBIN_BODY_HPP

#include <archgrid/fatbin.hpp>
#include <functional>
#include <vector>

#include "bytes.hpp"

namespace archgrid::fatbin {

/// Code that is longer counts as code that works: no compiler was seen to make so much of nothing.
/// ptxas makes 64 bytes of it before 7.0, 128 on 7.x and 256 from 8.0 on.
constexpr std::uint64_t largest_idle_body(int arch) {
  return arch < 80 ? 128 : 256;
}

/// The same for code that calls printf or assert. A guard that prints seven values takes 640 bytes.
constexpr std::uint64_t kLargestReport = 2048;

/// Reports whether the driver resolves that name to a function that prints: `vprintf`, which printf
/// calls, or `__assertfail`, which assert calls.
inline bool is_report(std::string_view function) {
  return function == "vprintf" || function == "__assertfail";
}

/// Reports whether no code needs to define that function: the driver does, or the device runtime
/// (libcudadevrt), which a program links when it runs.
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

/// The largest code that may do nothing: `reports` where it may call a function that is_report().
constexpr std::uint64_t largest_idle_code(int arch, bool reports) {
  return reports ? kLargestReport : largest_idle_body(arch);
}

/// What functions do that some code calls.
struct CallEffects {
  bool stores = false;   ///< outside of the stack
  bool unknown = false;  ///< there is a function that cannot be followed
  bool unusual = false;  ///< there are instructions that no body was seen to have that only reports
  bool outlasts = false;    ///< a store is to more than shared memory
  bool unfamiliar = false;  ///< there are instructions that may store in a way that is not known
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
  std::uint64_t offset = 0;  ///< in the code
  Target target = Target::unknown;
};

/// Finds out what the calls of some code do. Where it is empty, that is unknown.
using FollowCalls = std::function<CallEffects(const std::vector<Call>& calls)>;

/// What is known of code besides its bytes.
struct CodeContext {
  FollowCalls follow;
  bool debug = false;  ///< made with -G, which writes to the stack by generic addresses
};

struct BodyFacts {
  Body body = Body::unknown;
  bool stores = false;
  bool may_store = false;
  Opcodes opcodes;
  bool multiplies_2_to_4 = false;  ///< as Kernel has it
};

/// `code` is the kernel's machine code, `arch` the number of its architecture.
BodyFacts classify_sass(Bytes code, int arch, const CodeContext& context = {});

/// Returns BodyFacts::stores and may_store alone, which the first certain store decides.
BodyFacts store_facts(Bytes code, int arch, const CodeContext& context = {});

/// Returns what a function with that machine code does, its own calls included.
CallEffects effects_of_sass(Bytes code, int arch, const CodeContext& context);

/// The same for PTX: source text, which takes more.
constexpr std::uint64_t kLargestIdlePtx = 4096;

/// As FollowCalls, for the names that call instructions of PTX have; empty for a computed target.
using FollowNames = std::function<CallEffects(const std::vector<std::string_view>& functions)>;

/// `body` is the text between a PTX entry's braces, without comments.
BodyFacts classify_ptx(std::string_view body, const FollowNames& follow = {});

/// Returns what a function with that PTX does, its own calls included.
CallEffects effects_of_ptx(std::string_view body, const FollowNames& follow);

}  // namespace archgrid::fatbin

#endif
