// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <utility>

#include "suggest_parts.hpp"
#include "table.hpp"

namespace archgrid::report {
namespace {

using coverage::ArchUse;
using fatbin::Kind;

std::uint64_t stored_in(const std::vector<ArchUse>& uses) {
  std::uint64_t sum = 0;
  for (const auto& use : uses) sum += use.stored;
  return sum;
}

std::string share_text(std::uint64_t part, std::uint64_t whole) {
  if (whole == 0) return "-";
  return fmt::format("{:.1f}%", 100.0 * static_cast<double>(part) / static_cast<double>(whole));
}

std::string name_of_use(const ArchUse& use) {
  return fmt::format("{} {}", fatbin::name_of(use.kind), use.arch.text());
}

std::string takers_text(const ArchUse& use) {
  if (!use.judged) return "not judged";
  return use.takers.empty() ? "nobody" : coverage::list_devices(use.takers);
}

std::string uses_text(const SuggestReport& report, Style style, std::size_t most) {
  const auto& uses = report.measured->uses;
  const auto& plan = report.toolkits.front().plan;
  const auto whole = stored_in(uses);
  std::vector<TableRow> rows;
  const auto add = [&rows](std::vector<std::string> cells) {
    rows.push_back({std::move(cells), "", Ink::plain});
  };
  for (const auto& use : uses) {
    add({name_of_use(use), size_text(use.stored), share_text(use.stored, whole),
         size_text(use.bytes), std::to_string(use.images), std::to_string(use.kernels),
         use.planned ? "yes" : "-", takers_text(use)});
  }
  for (const auto& planned : plan.archs) {
    const auto lacks = [&](Kind kind) {
      return std::none_of(uses.begin(), uses.end(), [&](const ArchUse& use) {
        return use.kind == kind && use.arch == planned.arch;
      });
    };
    for (const auto kind : {Kind::sass, Kind::ptx}) {
      const bool wanted = kind == Kind::sass ? planned.sass : planned.ptx;
      if (!wanted || !lacks(kind)) continue;
      add({fmt::format("{} {}", fatbin::name_of(kind), planned.arch.text()), "none", "-", "-", "-",
           "-", "yes", "-"});
    }
  }
  const std::vector<Column> columns = {{"image"},
                                       {"stored", Side::right},
                                       {"share", Side::right},
                                       {"unpacked", Side::right},
                                       {"images", Side::right},
                                       {"kernels", Side::right},
                                       {"listed"},
                                       {"taken by"}};
  return table_text(columns, with_broken_last(columns, rows, kPlanIndent, most), kPlanIndent,
                    style);
}

std::string saving_text(const std::vector<const ArchUse*>& uses, const MeasuredFiles& measured) {
  std::uint64_t stored = 0;
  for (const auto* use : uses) stored += use->stored;
  auto text = fmt::format("{}, {} of the device code", size_text(stored),
                          share_text(stored, stored_in(measured.uses)));
  if (measured.file_bytes) {
    text += fmt::format(" and {} of the {}", share_text(stored, *measured.file_bytes),
                        measured.paths.size() == 1 ? "file" : "files");
  }
  return text;
}

std::string list_uses(const std::vector<const ArchUse*>& uses) {
  std::vector<std::string> names;
  for (const auto* use : uses) names.push_back(name_of_use(*use));
  return fmt::format("{}", fmt::join(names, ", "));
}

/// Returns machine code that the plan omits although a device loads it now.
std::vector<const ArchUse*> replaceable(const SuggestReport& report) {
  std::vector<const ArchUse*> result;
  for (const auto& use : report.measured->uses) {
    const bool taken = use.judged && !use.takers.empty();
    if (taken && !use.planned) result.push_back(&use);
  }
  return result;
}

/// Describes the loss from omitting code that is not in the plan.
std::string irreplaceable_text(const std::vector<const ArchUse*>& uses) {
  std::vector<std::string> counts;
  for (const auto* use : uses) {
    if (use->irreplaceable == 0) continue;
    counts.push_back(
        fmt::format("{} of {}", count_text(use->irreplaceable, "kernel"), name_of_use(*use)));
  }
  if (counts.empty()) return "  (for each kernel in it there is code of the list's archs too)\n";
  return fmt::format("  but there is no code of the list's archs for {}\n",
                     fmt::join(counts, ", "));
}

/// Describes how to keep machine code that the plan omits: code of kernels without other code, and
/// of archs with a suffix, whose instructions no plain arch has.
std::string with_text(const std::vector<const ArchUse*>& uses, coverage::Version toolkit) {
  const auto* known = coverage::table().find_toolkit(toolkit);
  std::vector<std::string> archs;
  for (const auto* use : uses) {
    const bool wanted =
        use->kind == Kind::sass && (use->irreplaceable > 0 || use->arch.suffix != '\0');
    const bool able = known != nullptr && std::find(known->archs.begin(), known->archs.end(),
                                                    use->arch) != known->archs.end();
    if (wanted && able) archs.push_back(use->arch.text());
  }
  if (archs.empty()) return {};
  return fmt::format("  --with {} adds {} too: kernels may need {} instructions\n",
                     fmt::join(archs, ","), archs.size() == 1 ? "it" : "them",
                     archs.size() == 1 ? "its" : "their");
}

std::string advice_text(const SuggestReport& report) {
  const auto& measured = *report.measured;
  std::string text;
  const auto idle = needless(report);
  if (!idle.empty()) {
    text += fmt::format("nobody needs {}: they take {}\n", list_uses(idle),
                        saving_text(idle, measured));
    const bool ptx = std::any_of(idle.begin(), idle.end(),
                                 [](const ArchUse* use) { return use->kind == Kind::ptx; });
    if (ptx) text += "  (PTX is for GPUs that are newer than the promised ones: --ptx adds some)\n";
  }
  const auto spare = replaceable(report);
  if (!spare.empty()) {
    text += fmt::format("the list does without {}: they take {}\n", list_uses(spare),
                        saving_text(spare, measured));
    text += irreplaceable_text(spare) + with_text(spare, report.toolkits.front().plan.toolkit);
  }
  return text;
}

}  // namespace

std::string measured_section(const SuggestReport& report, Style style, std::size_t columns) {
  const auto& measured = *report.measured;
  const auto name = measured.paths.size() == 1
                        ? std::filesystem::path(measured.paths[0]).filename().string()
                        : count_text(measured.paths.size(), "file");
  auto text = paint(fmt::format("{}: {} of device code", name, size_text(stored_in(measured.uses))),
                    Ink::strong, style) +
              "\n\n";
  if (!measured.uses.empty()) text += uses_text(report, style, columns) + '\n';
  const auto advice = filled(advice_text(report), columns);
  return text + (advice.empty() ? "" : advice + '\n');
}

std::vector<const ArchUse*> needless(const SuggestReport& report) {
  std::vector<const ArchUse*> result;
  if (!report.measured) return result;
  for (const auto& use : report.measured->uses) {
    if (use.judged && use.takers.empty() && !use.planned) result.push_back(&use);
  }
  return result;
}

}  // namespace archgrid::report
