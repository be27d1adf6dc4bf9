// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <archgrid/words.hpp>

#include "facts_text.hpp"

namespace archgrid::report {
namespace {

using coverage::Facts;
using coverage::Unserved;
using Barrier = Unserved::Barrier;

std::string no_code_text(const Facts& facts, const std::string& cuda) {
  auto accepted = fact(facts, "accept");
  constexpr std::string_view kComma = ", ";
  for (auto at = accepted.find(kComma); at != std::string::npos; at = accepted.find(kComma)) {
    accepted.replace(at, kComma.size(), " or ");
  }
  const auto text = fmt::format("nothing that CUDA {} compiles is {} there", cuda, accepted);
  if (!optional_fact(facts, "ptx").empty()) return text + ", without PTX";
  const auto& isa = optional_fact(facts, "isa");
  if (isa.empty()) return text;
  return fmt::format("{}: its PTX has ISA {}, but {} reads {} at most", text, isa,
                     fact(facts, "driver"), fact(facts, "driver-isa"));
}

}  // namespace

std::string reason_text(const Unserved& unserved, coverage::Version toolkit) {
  const auto& facts = unserved.facts;
  switch (unserved.barrier) {
    case Barrier::driver_too_old:
    case Barrier::driver_too_new:
      return misfit_text(facts, unserved.barrier == Barrier::driver_too_old,
                         unserved.device.text());
    case Barrier::contradiction:
      return "its promises have no accepted verdict in common";
    case Barrier::toolkit_too_new:
      return fmt::format("what CUDA {} makes needs driver {} or newer, and promised is {}",
                         toolkit.text(), fact(facts, "needs"), fact(facts, "driver"));
    case Barrier::not_accepted:
      return fmt::format("it takes {} of the list, which is {}, and that is not accepted",
                         fact(facts, "arch"), fact(facts, "verdict"));
    case Barrier::no_code:
      break;
  }
  return no_code_text(facts, toolkit.text());
}

std::string misfit_fix(const Unserved& unserved) {
  const bool is_old = unserved.barrier == Barrier::driver_too_old;
  if (!is_old && unserved.barrier != Barrier::driver_too_new) return {};
  return misfit_fix(unserved.facts, is_old, unserved.device.text());
}

}  // namespace archgrid::report
