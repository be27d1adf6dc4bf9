// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include "body_effects.hpp"

namespace archgrid::fatbin {

CallEffects EffectSummary::effects(bool debug) const {
  auto effects = own_;
  effects.stores = own_.stores || (stores_generic_ && !debug);
  effects.outlasts = own_.outlasts || stores_generic_;
  effects.unknown = own_.unknown || stores_generic_;
  return effects;
}

BodyFacts EffectSummary::facts(bool debug) const {
  BodyFacts facts;
  const auto effects = this->effects(debug);
  facts.body = body_of(effects);
  facts.stores = effects.stores || effects.unknown;
  facts.may_store = facts.stores && !effects.stores;
  return facts;
}

Body EffectSummary::body_of(const CallEffects& effects) const {
  if (exited_ && !worked_) return Body::empty;
  const bool reports = effects.asserts || effects.prints || effects.traps;
  const bool inert = worked_ && !effects.outlasts && !effects.unknown && !effects.unfamiliar;
  if (inert && !reports) return Body::inert;
  if (effects.stores || effects.unknown) return Body::code;
  if (called_ && effects.unusual) return Body::code;
  if (effects.asserts) return Body::assertion;
  if (effects.prints) return effects.traps ? Body::print_trap : Body::print;
  return effects.traps ? Body::trap : Body::code;
}

}  // namespace archgrid::fatbin
