// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include "calls.hpp"

#include <algorithm>

namespace archgrid::fatbin {
namespace {

// Deeper chains of calls are not followed.
constexpr std::size_t kMaxCallDepth = 64;

}  // namespace

CallEffects Calls::follow(std::uint32_t symbol, const std::vector<Call>& calls) {
  if (symbol >= symbols_.size() || symbols_[symbol].value != 0) return unknown_effects();
  read_tables();
  CallEffects effects;
  bool by_graph = false;  // added once for all calls of loaded addresses
  for (const auto& call : calls) {
    if (effects.stores) break;
    if (call.target == Call::Target::unknown) {
      effects.unknown = true;
    } else if (call.target == Call::Target::loaded) {
      if (!by_graph) effects.add(effects_of_graph(symbol));
      by_graph = true;
    } else {
      const auto& named = relocations_of(symbols_[symbol].section);
      const auto found = named.find(call.offset);
      if (found != named.end()) {
        effects.add(effects_of_callee(found->second, symbol));
      } else if (call.target == Call::Target::named) {
        effects.unknown = true;
      }
    }
  }
  return effects;
}

void Calls::read_tables() {
  if (has_tables_) return;
  has_tables_ = true;
  for (const auto& section : cubin_.sections) {
    if (section.name == ".nv.callgraph") read_call_graph(section.data);
    const bool relocates = section.type == elf::kRela || section.type == elf::kRel;
    if (relocates) relocations_[section.info].push_back(&section);
  }
}

/// Reads pairs {caller, callee} of symbols. Direct calls follow a pair {0, -1}. Functions whose
/// address is taken, and functions that call by address, follow pairs with other negative numbers.
void Calls::read_call_graph(Bytes edges) {
  constexpr std::uint32_t kDirect = 0xffffffff;
  constexpr std::uint32_t kAddressTaken = 0xfffffffe;
  constexpr std::uint32_t kLastKind = 0xfffffff0;
  std::uint32_t kind = kDirect;
  for (std::uint64_t at = 0; edges.contains(at, 8); at += 8) {
    const auto caller = edges.at<std::uint32_t>(at, "caller");
    const auto callee = edges.at<std::uint32_t>(at + 4, "callee");
    if (caller == 0 && callee >= kLastKind) {
      kind = callee;
    } else if (kind == kDirect) {
      callees_[caller].push_back(callee);
    } else if (kind != kAddressTaken) {
      callers_of_pointers_.insert(caller);
    }
  }
}

const Calls::SymbolAt& Calls::relocations_of(std::uint32_t section) {
  const auto [known, is_new] = symbols_at_.try_emplace(section);
  if (!is_new) return known->second;
  for (const auto* table : relocations_[section]) {
    const std::uint64_t step = table->type == elf::kRel ? 16 : 24;
    for (std::uint64_t at = 0; table->data.contains(at, step); at += step) {
      const auto offset = table->data.at<std::uint64_t>(at, "relocation offset");
      const auto info = table->data.at<std::uint64_t>(at + 8, "relocation info");
      known->second[offset] = static_cast<std::uint32_t>(info >> 32);
    }
  }
  return known->second;
}

CallEffects Calls::effects_of_callee(std::uint32_t symbol, std::uint32_t caller) {
  if (symbol >= symbols_.size()) return unknown_effects();
  const auto& function = symbols_[symbol];
  if (function.type != elf::kFunctionSymbol) return unknown_effects();
  // Recursion has no further effects.
  if (function.section == symbols_[caller].section) return {};
  if (function.section != 0) return effects_of_function(symbol);
  if (!is_report(function.name)) return unknown_effects();
  CallEffects effects;
  (function.name == "vprintf" ? effects.prints : effects.asserts) = true;
  return effects;
}

CallEffects Calls::effects_of_function(std::uint32_t symbol) {
  const auto section = symbols_[symbol].section;
  if (section >= cubin_.sections.size() || depth_ == kMaxCallDepth) return unknown_effects();
  // Functions that call each other in a circle remain unknown.
  const auto [known, is_new] = effects_.try_emplace(section, unknown_effects());
  if (!is_new) return known->second;
  CodeContext context;
  context.debug = debug_;
  context.follow = [&](const std::vector<Call>& calls) { return follow(symbol, calls); };
  ++depth_;
  const auto effects = effects_of_sass(cubin_.sections[section].data, arch_, context);
  --depth_;
  return effects_[section] = effects;
}

CallEffects Calls::effects_of_graph(std::uint32_t symbol) {
  const auto found = callees_.find(symbol);
  if (found == callees_.end() || callers_of_pointers_.count(symbol) != 0) return unknown_effects();
  CallEffects effects;
  for (const auto callee : found->second) effects.add(effects_of_callee(callee, symbol));
  return effects;
}

}  // namespace archgrid::fatbin
