// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// The effects of a body's instructions, as far as they show whether it does work.
#ifndef ARCHGRID_FATBIN_BODY_EFFECTS_HPP
#define ARCHGRID_FATBIN_BODY_EFFECTS_HPP

#include "body.hpp"

namespace archgrid::fatbin {

/// The effect of one instruction.
enum class Effect {
  nothing,
  exit,
  branch,
  trap,
  call,
  store,
  shared_store,
  generic_store,  ///< maybe to the stack
  unusual,        ///< not seen in bodies that only report; may write to memory
  harmless,       ///< unusual, but known to write to no memory
  work
};

/// Sum of effects, added in the order of the instructions.
class EffectSummary {
 public:
  void add(Effect effect) {
    switch (effect) {
      case Effect::nothing:
        return;
      case Effect::exit:
        exited_ = exited_ || !worked_;
        return;
      case Effect::branch:
        worked_ = worked_ || !exited_;
        return;
      case Effect::trap:
        own_.traps = true;
        break;
      case Effect::store:
        own_.stores = own_.outlasts = true;
        break;
      case Effect::shared_store:
        own_.stores = true;
        break;
      case Effect::generic_store:
        stores_generic_ = true;
        break;
      case Effect::unusual:
        own_.unusual = own_.unfamiliar = true;
        break;
      case Effect::harmless:
        own_.unusual = true;
        break;
      case Effect::call:
        called_ = true;
        break;
      case Effect::work:
        break;
    }
    worked_ = true;
  }

  /// Reports whether the effects of calls are needed, too.
  [[nodiscard]] bool wants_calls() const { return called_ && !own_.stores; }

  /// Reports whether nothing else changes the facts: a store beyond shared memory is work, here and
  /// in the functions that call this code.
  [[nodiscard]] bool is_decided() const { return own_.stores && own_.outlasts; }

  /// Records that some instructions may write to unknown places.
  void add_unfamiliar() { own_.unfamiliar = true; }

  /// Adds the effects of calls.
  void add(const CallEffects& calls) { own_.add(calls); }

  /// Returns all effects. `debug`: a store to a generic address may go to the stack.
  [[nodiscard]] CallEffects effects(bool debug) const;

  [[nodiscard]] BodyFacts facts(bool debug) const;

 private:
  [[nodiscard]] Body body_of(const CallEffects& effects) const;

  CallEffects own_;
  bool exited_ = false;
  bool worked_ = false;
  bool called_ = false;
  bool stores_generic_ = false;
};

}  // namespace archgrid::fatbin

#endif
