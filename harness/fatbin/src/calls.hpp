// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ARCHGRID_FATBIN_CALLS_HPP
#define ARCHGRID_FATBIN_CALLS_HPP

#include <cstdint>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "body.hpp"
#include "elf.hpp"

namespace archgrid::fatbin {

/// The calls of a cubin's functions, found by the relocations at call instructions and, for loaded
/// addresses, by the section .nv.callgraph. Tables are read at the first use. Keeps references to
/// the constructor's arguments.
class Calls {
 public:
  Calls(const Elf& cubin, const std::vector<Symbol>& symbols, int arch, bool debug)
      : cubin_(cubin), symbols_(symbols), arch_(arch), debug_(debug) {}

  /// Returns the effects of these calls in the code of a function. `symbol` is the function's
  /// index. The code must begin where its section begins; else the effects are unknown.
  CallEffects follow(std::uint32_t symbol, const std::vector<Call>& calls);

 private:
  using SymbolAt = std::unordered_map<std::uint64_t, std::uint32_t>;  // by offset in a section

  void read_tables();
  void read_call_graph(Bytes edges);
  const SymbolAt& relocations_of(std::uint32_t section);
  CallEffects effects_of_callee(std::uint32_t symbol, std::uint32_t caller);
  CallEffects effects_of_function(std::uint32_t symbol);
  CallEffects effects_of_graph(std::uint32_t symbol);

  const Elf& cubin_;
  const std::vector<Symbol>& symbols_;
  int arch_;
  bool debug_;
  bool has_tables_ = false;
  std::unordered_map<std::uint32_t, std::vector<std::uint32_t>> callees_;  // by caller
  std::unordered_set<std::uint32_t> callers_of_pointers_;
  std::unordered_map<std::uint32_t, std::vector<const Section*>> relocations_;  // by section
  std::unordered_map<std::uint32_t, SymbolAt> symbols_at_;                      // by section
  std::unordered_map<std::uint32_t, CallEffects> effects_;                      // by section
  std::size_t depth_ = 0;
};

}  // namespace archgrid::fatbin

#endif
