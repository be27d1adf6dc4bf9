// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <archgrid/coverage/verdict.hpp>
#include <array>

namespace archgrid::coverage {
namespace {

constexpr std::array<const char*, 8> kNames = {"native",      "compatible",   "jit",     "unknown",
                                               "ptx-too-new", "wrong-suffix", "missing", "empty"};

}  // namespace

bool is_machine_code(Verdict verdict) {
  switch (verdict) {
    case Verdict::native:
    case Verdict::compatible:
      return true;
    case Verdict::jit:
    case Verdict::unknown:
    case Verdict::ptx_too_new:
    case Verdict::wrong_suffix:
    case Verdict::missing:
    case Verdict::empty:
      break;
  }
  return false;
}

const char* name_of(Verdict verdict) {
  return kNames.at(static_cast<std::size_t>(verdict));
}

std::optional<Verdict> parse_verdict(std::string_view text) {
  const auto found = std::find(kNames.begin(), kNames.end(), text);
  if (found == kNames.end()) return std::nullopt;
  return static_cast<Verdict>(found - kNames.begin());
}

const char* code_of(Verdict verdict, const Reason& reason) {
  if (verdict != Verdict::empty) return name_of(verdict);
  if (fatbin::prints_or_asserts(reason.body)) return "stub";
  return reason.body == fatbin::Body::trap ? "trap" : name_of(verdict);
}

}  // namespace archgrid::coverage
