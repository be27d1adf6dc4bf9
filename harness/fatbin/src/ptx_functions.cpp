// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include "ptx_functions.hpp"

#include <algorithm>

namespace archgrid::fatbin {
namespace {

constexpr std::string_view kBlanks = " \t\r\n";
constexpr std::size_t kMaxPtxCallDepth = 64;

std::string_view without_blanks(std::string_view text) {
  return text.substr(std::min(text.find_first_not_of(kBlanks), text.size()));
}

/// "f" of " (.param .b32 result) f (.param .b64 value)", what follows `.func`.
std::string_view name_in(std::string_view head) {
  head = without_blanks(head);
  if (!head.empty() && head[0] == '(') {
    head = without_blanks(head.substr(std::min(head.find(')') + 1, head.size())));
  }
  return head.substr(0, head.find_first_of(" \t\r\n(;{"));
}

/// The text between the brace at the start and the one that closes it.
std::string_view block_in(std::string_view text) {
  std::size_t depth = 0;
  for (std::size_t at = 0; at < text.size(); at = text.find_first_of("{}", at + 1)) {
    depth += text[at] == '{' ? 1 : std::size_t{0} - 1;
    if (depth == 0) return text.substr(1, at - 1);
  }
  return text.substr(1);
}

}  // namespace

CallEffects PtxFunctions::follow(const std::vector<std::string_view>& names) {
  CallEffects effects;
  for (const auto name : names) effects.add(effects_of(name));
  return effects;
}

void PtxFunctions::find_bodies() {
  constexpr std::string_view kFunction = ".func";
  if (found_) return;
  found_ = true;
  const std::string_view text = text_;
  auto at = text.find(kFunction);
  while (at != std::string_view::npos) {
    const auto begin = at + kFunction.size();
    auto end = std::min(text.find_first_of(";{", begin), text.size());
    const bool defined = end < text.size() && text[end] == '{';
    const auto name = name_in(text.substr(begin, end - begin));
    if (defined) {
      const auto body = block_in(text.substr(end));
      bodies_.emplace(name, body);
      end += body.size();
    }
    at = text.find(kFunction, end);
  }
}

CallEffects PtxFunctions::effects_of(std::string_view name) {
  CallEffects effects;
  if (is_report(name)) {
    (name == "vprintf" ? effects.prints : effects.asserts) = true;
    return effects;
  }
  // A function that calls itself does nothing more by that.
  if (!followed_.empty() && followed_.back() == name) return effects;
  find_bodies();
  const auto body = bodies_.find(name);
  if (body == bodies_.end() || followed_.size() == kMaxPtxCallDepth) return unknown_effects();
  // Stays so where functions call one another in a circle.
  const auto [known, is_new] = effects_.try_emplace(body->first, unknown_effects());
  if (!is_new) return known->second;
  followed_.push_back(body->first);
  effects = effects_of_ptx(body->second, [this](const auto& names) { return follow(names); });
  followed_.pop_back();
  return effects_[body->first] = effects;
}

}  // namespace archgrid::fatbin
