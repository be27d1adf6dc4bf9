// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <archgrid/cell.hpp>
#include <set>
#include <tuple>

namespace archgrid::cell {
namespace {

using fatbin::Arch;
using fatbin::Kind;

struct Less {
  bool operator()(Arch left, Arch right) const {
    return std::tie(left.number, left.suffix) < std::tie(right.number, right.suffix);
  }
};

/// The kinds of code for one arch, over all units.
struct Held {
  bool sass = false;
  bool ptx = false;
  bool lto = false;
};
using HeldArchs = std::map<Arch, Held, Less>;

HeldArchs held_by(const std::vector<Unit>& units) {
  HeldArchs held;
  for (const auto& unit : units) {
    for (const auto& code : unit.code) {
      auto& entry = held[code.arch];
      entry.sass |= code.kind == Kind::sass;
      entry.ptx |= code.kind == Kind::ptx;
      entry.lto |= code.kind == Kind::lto;
    }
  }
  return held;
}

std::string text_of(Arch arch, const Held& held) {
  const bool machine = held.sass || held.lto;
  return arch.text() + (held.ptx && !machine ? "-virtual" : machine && !held.ptx ? "-real" : "");
}

std::string list(const HeldArchs& held) {
  std::string text;
  for (const auto& [arch, code] : held) text += (text.empty() ? "" : " ") + text_of(arch, code);
  return text;
}

bool asks_number(const Spec& spec, int number) {
  return std::any_of(spec.archs.begin(), spec.archs.end(),
                     [&](const AskedArch& asked) { return asked.arch.number == number; });
}

bool asks(const Spec& spec, Arch arch) {
  return std::any_of(spec.archs.begin(), spec.archs.end(),
                     [&](const AskedArch& asked) { return asked.arch == arch; });
}

bool asks_machine_code(const Spec& spec, Arch arch) {
  return std::any_of(spec.archs.begin(), spec.archs.end(),
                     [&](const AskedArch& asked) { return asked.arch == arch && asked.sass; });
}

/// Says which other toolkit than the cell's made `code`; empty if `code` does not record it.
std::string other_toolkit(const Spec& spec, const Code& code) {
  const auto own = spec.toolkit.text();
  if (!code.toolkit.empty()) {
    return code.toolkit == own ? std::string() : fmt::format("is of CUDA {}", code.toolkit);
  }
  const auto* row = coverage::table().find_toolkit(spec.toolkit);
  if (row == nullptr || code.ptx_isa.empty() || code.ptx_isa == row->ptx_isa.text()) return {};
  return fmt::format("has PTX ISA {}, and that of CUDA {} is {}", code.ptx_isa, own,
                     row->ptx_isa.text());
}

/// Returns the error in the code of one asked arch; empty if there is none.
std::string wrong_with(const Spec& spec, const AskedArch& asked, const HeldArchs& held) {
  const auto found = held.find(asked.arch);
  if (found == held.end()) return fmt::format("{} is missing", text_of(asked));
  const auto& code = found->second;
  if (asked.sass && !code.sass && !code.lto) {
    return fmt::format("{} has no machine code", asked.arch.text());
  }
  if (!asked.sass && code.sass && !asks_machine_code(spec, asked.arch)) {
    return fmt::format("{} has machine code and should be PTX alone", asked.arch.text());
  }
  if (!asked.sass && !code.ptx && !code.lto) {
    return fmt::format("{} has no PTX", asked.arch.text());
  }
  return {};
}

std::set<int> numbers_of(const Unit& unit) {
  std::set<int> numbers;
  for (const auto& code : unit.code) numbers.insert(code.arch.number);
  return numbers;
}

bool holds_unasked(const Spec& spec, const Unit& unit) {
  return std::any_of(unit.code.begin(), unit.code.end(),
                     [&](const Code& code) { return !asks_number(spec, code.arch.number); });
}

/// Returns ", in a.cu.o and 2 more", the outputs with code for other archs; empty if all have such
/// code, as by a setting of the whole project.
std::string places_of_unasked(const Spec& spec, const std::vector<Unit>& units) {
  std::set<std::string> all;
  std::set<std::string> outside;
  for (const auto& unit : units) {
    if (unit.output.empty() || unit.code.empty()) continue;
    all.insert(unit.output);
    if (holds_unasked(spec, unit)) outside.insert(unit.output);
  }
  if (outside.empty() || outside.size() == all.size()) return {};
  const auto more = outside.size() - 1;
  return fmt::format(", in {}{}", *outside.begin(),
                     more == 0 ? std::string() : fmt::format(" and {} more", more));
}

/// Records the units to name: those that add code for other archs, or else all.
void find_culprits(const Spec& spec, const std::vector<Unit>& units, ArchProof& proof) {
  std::vector<const Unit*> all;
  std::vector<const Unit*> outside;
  for (const auto& unit : units) {
    const auto numbers = numbers_of(unit);
    proof.numbers.insert(numbers.begin(), numbers.end());
    all.push_back(&unit);
    if (holds_unasked(spec, unit)) {
      outside.push_back(&unit);
      proof.flags_of_project |= unit.flags_of_project;
    }
  }
  for (const auto* unit : outside.empty() ? all : outside) {
    if (!unit->target.empty()) {
      proof.targets.insert(unit->target);
    } else if (!unit->output.empty()) {
      proof.outputs.insert(unit->output);
    }
  }
}

std::string asked_text(const Spec& spec) {
  std::string text;
  for (const auto& asked : spec.archs) text += (text.empty() ? "" : " ") + text_of(asked);
  return text;
}

void note_variants(const Spec& spec, const HeldArchs& held, std::vector<std::string>& notes) {
  for (const auto& [arch, code] : held) {
    if (asks(spec, arch) || !asks_number(spec, arch.number)) continue;
    notes.push_back(
        fmt::format("it also holds {}, another variant of {}", text_of(arch, code), arch.number));
  }
}

}  // namespace

ArchProof judge_archs(const Spec& spec, const std::vector<Unit>& units, Stage stage) {
  ArchProof proof;
  const auto held = held_by(units);
  const bool native =
      std::any_of(units.begin(), units.end(), [](const Unit& unit) { return unit.native; });
  if (held.empty() && !native) return proof;
  std::vector<std::string> wrong;
  if (native) wrong.emplace_back("-arch=native compiles for the GPU of the machine that builds");
  std::string outside;
  for (const auto& [arch, code] : held) {
    if (!asks_number(spec, arch.number)) {
      outside += (outside.empty() ? "" : " ") + text_of(arch, code);
    }
  }
  if (!outside.empty()) {
    wrong.push_back(fmt::format("not asked for: {}{}", outside, places_of_unasked(spec, units)));
  }
  const bool open =
      stage == Stage::configured &&
      std::any_of(units.begin(), units.end(), [](const Unit& unit) { return unit.open; });
  for (const auto& asked : spec.archs) {
    if (open) break;
    const auto text = wrong_with(spec, asked, held);
    if (!text.empty()) wrong.push_back(text);
  }
  find_culprits(spec, units, proof);
  note_variants(spec, held, proof.notes);
  if (wrong.empty()) return proof;
  const auto* verb = stage == Stage::configured ? "its commands compile for" : "it holds";
  proof.problem = fmt::format("{} {} instead of {} ({})", verb, native ? "native" : list(held),
                              asked_text(spec), fmt::join(wrong, "; "));
  return proof;
}

void find_flags(const std::vector<Unit>& asked, ArchProof& proof) {
  for (const auto& unit : asked) {
    if (proof.targets.count(unit.target) != 0) proof.flags_of_project |= unit.flags_of_project;
  }
}

bool may_hold(const Spec& spec, const Code& code) {
  if (!asks_number(spec, code.arch.number) || !other_toolkit(spec, code).empty()) return false;
  return code.kind != Kind::sass || !asks(spec, code.arch) || asks_machine_code(spec, code.arch);
}

std::string judge_toolkit(const Spec& spec, const std::vector<Unit>& units) {
  std::string first;
  std::size_t count = 0;
  for (const auto& unit : units) {
    std::string made;
    for (const auto& code : unit.code) {
      const auto other = other_toolkit(spec, code);
      if (!other.empty() && (made.empty() || !code.toolkit.empty())) made = other;
    }
    if (made.empty()) continue;
    if (++count == 1) first = fmt::format("{} {}", unit.output, made);
  }
  if (count == 0) return {};
  const auto more = count > 1 ? fmt::format(", as {} more", count - 1) : std::string();
  return fmt::format(
      "device code made by another toolkit than its own CUDA {}: {}{}: compile with "
      "CMAKE_CUDA_COMPILER, or the nvcc that is first on PATH in a cell",
      spec.toolkit.text(), first, more);
}

}  // namespace archgrid::cell
