// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include "diff_view.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <tuple>

namespace archgrid::report {
namespace {

using coverage::ComputeCapability;
using coverage::CoverageChange;
using coverage::FileDiff;
using coverage::ImageBytes;
using coverage::Resource;
using coverage::ResourceChange;
using coverage::Turn;

constexpr double kMaxPercent = 1000;
constexpr std::size_t kDiffMaxPaths = 5;
constexpr std::size_t kMaxFiles = 10;  ///< that are gone, and that are new

/// Returns enough of a name to recognise the kernel; --all and JSON have whole names.
std::string short_name(const std::string& mangled, std::size_t columns = kDiffMaxName) {
  return beginning(short_names({fatbin::demangle(mangled)}).front(), columns);
}

std::string sign_of(std::uint64_t before, std::uint64_t after) {
  return after < before ? "-" : after > before ? "+" : "";
}

std::uint64_t distance(std::uint64_t before, std::uint64_t after) {
  return after < before ? before - after : after - before;
}

std::string change_text(std::uint64_t before, std::uint64_t after) {
  return before == after ? "=" : sign_of(before, after) + size_text(distance(before, after));
}

TableRow row(std::vector<std::string> cells) {
  return {std::move(cells), "", Ink::plain};
}

DiffSection coverage_section(Turn turn, const FileDiff& file,
                             const std::vector<ComputeCapability>& devices, bool all) {
  DiffSection section{title_of(turn), ink_of(turn)};
  section.columns = {{"verdict", Side::left}, {"devices", Side::left}};
  if (!all) section.columns.push_back({"kernels", Side::right});
  section.columns.push_back({all ? "kernel" : "", Side::left});
  for (const auto& change : file.coverage) {
    if (change.turn != turn) continue;
    const auto verdicts = verdicts_text(change);
    const auto where = devices_text(change.devices, devices);
    if (!all) {
      section.rows.push_back(row(
          {verdicts, where, std::to_string(change.kernels.size()), example_of(change.kernels)}));
      section.kernels.push_back(change.kernels);
      continue;
    }
    for (const auto& kernel : change.kernels) {
      section.rows.push_back(row({verdicts, where, fatbin::demangle(kernel)}));
    }
  }
  return section;
}

DiffSection kernels_section(const FileDiff& file, bool all) {
  DiffSection section{"kernels", Ink::strong};
  section.columns = {{"", Side::left}, {all ? "" : "kernels", Side::right}, {"", Side::left}};
  const auto add = [&](const char* what, const std::vector<std::string>& kernels) {
    if (kernels.empty()) return;
    if (!all) {
      section.rows.push_back(row({what, std::to_string(kernels.size()), example_of(kernels)}));
      section.kernels.push_back(kernels);
      return;
    }
    for (const auto& kernel : kernels) {
      section.rows.push_back(row({what, "", fatbin::demangle(kernel)}));
    }
  };
  add("gone", file.gone);
  add("new", file.added);
  if (file.before.unnamed + file.after.unnamed > 0) {
    section.note = fmt::format(
        "not compared: {} before, {} after whose kernels cannot be named (LTO-IR, unreadable)",
        count_text(file.before.unnamed, "module"), count_text(file.after.unnamed, "module"));
  }
  return section;
}

/// Changes of one resource of the kernels for one arch.
struct Spread {
  std::size_t more = 0;
  std::size_t less = 0;
  const ResourceChange* most = nullptr;  ///< the greatest increase, else the greatest decrease
};

bool counts_more(const ResourceChange& change, const ResourceChange& other) {
  const bool rise = change.after > change.before;
  const bool other_rise = other.after > other.before;
  if (rise != other_rise) return rise;
  return distance(change.before, change.after) > distance(other.before, other.after);
}

std::string numbers_text(const ResourceChange& change) {
  return fmt::format("{} -> {}", change.before, change.after);
}

/// Adds a row for each resource of an arch, with the kernel of the largest change.
void add_spreads(const std::vector<ResourceChange>& changes, DiffSection& section) {
  std::map<std::tuple<int, char, Resource>, Spread> spreads;
  for (const auto& change : changes) {
    auto& spread = spreads[{change.arch.number, change.arch.suffix, change.resource}];
    ++(change.after > change.before ? spread.more : spread.less);
    if (spread.most == nullptr || counts_more(change, *spread.most)) spread.most = &change;
  }
  for (const auto& [key, spread] : spreads) {
    const auto& most = *spread.most;
    section.rows.push_back(
        row({most.arch.text(), name_of(most.resource), std::to_string(spread.more),
             std::to_string(spread.less), numbers_text(most), example_of({most.kernel})}));
    section.kernels.push_back({most.kernel});
  }
}

/// Returns the kernels of which GPUs execute other code than before.
DiffSection code_section(const FileDiff& file, const std::vector<ComputeCapability>& devices,
                         bool all) {
  DiffSection section{"code that GPUs execute", Ink::strong};
  section.columns = {{"devices", Side::left}, {"changed", Side::right}};
  if (!all) section.columns.push_back({"unchanged", Side::right});
  section.columns.push_back({all ? "kernel" : "", Side::left});
  if (file.unknown_code > 0) {
    section.note = fmt::format("the code of {} is unknown on some devices, and not compared there",
                               count_text(file.unknown_code, "kernel"));
  }
  if (!file.changes_code()) {
    const bool is_whole = !file.code.empty() && file.unknown_code == 0;
    if (is_whole) section.note = "unchanged on all devices";
    if (file.code.empty()) section.note.clear();  // read without identities
    return section;
  }
  for (const auto& change : file.code) {
    const auto on = devices_text(change.devices, devices);
    if (all) {
      for (const auto& kernel : change.changed) {
        section.rows.push_back(row({on, "1", fatbin::demangle(kernel)}));
      }
      continue;
    }
    section.rows.push_back(
        row({on, std::to_string(change.changed.size()), std::to_string(change.unchanged),
             change.changed.empty() ? "" : example_of(change.changed)}));
    section.kernels.push_back(change.changed);
  }
  return section;
}

DiffSection resources_section(const FileDiff& file, bool all) {
  DiffSection section{"resources of machine code", Ink::strong};
  if (all) {
    section.columns = {
        {"arch", Side::left}, {"", Side::left}, {"change", Side::right}, {"kernel", Side::left}};
    for (const auto& change : file.resources) {
      section.rows.push_back(row({change.arch.text(), name_of(change.resource),
                                  numbers_text(change), fatbin::demangle(change.kernel)}));
    }
  } else {
    section.columns = {{"arch", Side::left},  {"", Side::left},         {"more", Side::right},
                       {"less", Side::right}, {"largest", Side::right}, {"", Side::left}};
    add_spreads(file.resources, section);
  }
  if (file.unknown_spills > 0) {
    section.note = fmt::format(
        "spills of {} not compared: one side does not record them",
        file.unknown_spills == 1 ? "1 body" : fmt::format("{} bodies", file.unknown_spills));
  }
  return section;
}

DiffSection origin_section(const FileDiff& file) {
  DiffSection section{"made by", Ink::strong};
  section.columns = {{"", Side::left}, {"old", Side::left}, {"new", Side::left}};
  const auto add = [&](const char* what, const std::set<std::string>& before,
                       const std::set<std::string>& after) {
    if (before == after || before.empty() || after.empty()) return;
    section.rows.push_back(row({what, fatbin::printable(fmt::format("{}", fmt::join(before, ", "))),
                                fatbin::printable(fmt::format("{}", fmt::join(after, ", ")))}));
  };
  add("CUDA", file.before.toolkits, file.after.toolkits);
  add("PTX ISA", file.before.ptx_isas, file.after.ptx_isas);
  return section;
}

std::vector<std::string> size_cells(const ImageBytes& before, const ImageBytes& after) {
  const auto size = [](const ImageBytes& side, std::uint64_t bytes) {
    return side.images == 0 ? "-" : size_text(bytes);
  };
  const auto change = before.images == 0  ? "new"
                      : after.images == 0 ? "gone"
                                          : change_text(before.stored, after.stored);
  return {size(before, before.stored),
          size(after, after.stored),
          change,
          percent_text(before.stored, after.stored),
          size(before, before.bytes),
          size(after, after.bytes)};
}

DiffSection sizes_section(const FileDiff& file) {
  DiffSection section{"bytes of images, stored and at the right decompressed", Ink::strong};
  section.columns = {{"image", Side::left},   {"old", Side::right}, {"new", Side::right},
                     {"change", Side::right}, {"", Side::right},    {"old", Side::right},
                     {"new", Side::right}};
  ImageBytes before;
  ImageBytes after;
  const auto add_to = [](ImageBytes& sum, const ImageBytes& part) {
    sum.images += part.images;
    sum.stored += part.stored;
    sum.bytes += part.bytes;
  };
  const auto add_row = [&](const std::string& image, const ImageBytes& old_sum,
                           const ImageBytes& new_sum) {
    auto cells = size_cells(old_sum, new_sum);
    cells.insert(cells.begin(), image);
    section.rows.push_back(row(std::move(cells)));
  };
  for (const auto& size : file.sizes) {
    add_to(before, size.before);
    add_to(after, size.after);
    add_row(fmt::format("{} {}", fatbin::name_of(size.kind), size.arch.text()), size.before,
            size.after);
  }
  if (file.sizes.size() > 1) add_row("all", before, after);
  return section;
}

/// Returns "sass 75, 80; ptx 90".
std::string code_text(const FileDiff& file) {
  std::map<fatbin::Kind, std::vector<std::string>> archs;
  for (const auto& size : file.sizes) archs[size.kind].push_back(size.arch.text());
  std::vector<std::string> parts;
  for (const auto& [kind, names] : archs) {
    parts.push_back(fmt::format("{} {}", fatbin::name_of(kind), fmt::join(names, ", ")));
  }
  return fmt::format("{}", fmt::join(parts, "; "));
}

/// Returns the GPUs that a pair without common kernels lost and gained.
DiffSection reach_section(const FileDiff& file, const std::vector<ComputeCapability>& devices) {
  DiffSection section{"GPUs, as no kernel is in both", Ink::strong};
  if (!file.shares_no_kernel()) return section;
  section.columns = {{"", Side::left}, {"", Side::left}};
  const auto add = [&](const char* what, const std::vector<ComputeCapability>& changed, Ink ink) {
    if (changed.empty()) return;
    section.rows.push_back({{what, devices_text(changed, devices)}, "", ink});
  };
  add("lost", file.reach.lost, Ink::bad);
  add("PTX alone", file.reach.degraded, Ink::bad);
  add("gained", file.reach.gained, Ink::good);
  if (section.rows.empty()) section.note = "none lost, none gained";
  return section;
}

/// Lists the files of one side only. `unread`: the other side has unreadable files.
DiffSection files_section(const DiffReport& report, bool gone, bool unread) {
  DiffSection section{gone ? "files gone" : "files new", Ink::strong};
  if (unread) section.title += ", or not read on the other side";
  section.columns = {{"file", Side::left},
                     {"kernels", Side::right},
                     {"stored", Side::right},
                     {"code", Side::left}};
  std::size_t left = 0;
  for (const auto& file : report.diff.files) {
    if (is_pair(file) || file.after.path.empty() != gone) continue;
    if (section.rows.size() == kMaxFiles) {
      ++left;
      continue;
    }
    const auto& facts = gone ? file.before : file.after;
    const auto [before, after] = stored_of(file);
    section.rows.push_back(row({fatbin::printable(facts.name), std::to_string(facts.kernels),
                                size_text(gone ? before : after), code_text(file)}));
  }
  if (left > 0) section.note = fmt::format("and {} more (--all shows every kernel of them)", left);
  return section;
}

/// Returns the side of which nothing could be read; empty if there is none.
std::string unread_side(const DiffReport& report) {
  const auto& diff = report.diff;
  const auto any = [&](auto side) {
    return std::any_of(diff.files.begin(), diff.files.end(), [&](const FileDiff& file) {
      return (file.*side).has_code || (file.*side).stripped > 0;
    });
  };
  if (diff.errors_before > 0 && !any(&FileDiff::before)) return report.before;
  if (diff.errors.size() > diff.errors_before && !any(&FileDiff::after)) return report.after;
  return {};
}

std::string signed_size(std::uint64_t before, std::uint64_t after) {
  if (before == after) return "of the same size";
  const auto percent = percent_text(before, after);
  return change_text(before, after) + (percent.empty() ? "" : ", " + percent);
}

std::string turned_text(const char* what, const coverage::TurnTotals& total,
                        const std::vector<ComputeCapability>& devices) {
  return fmt::format("{}: {} on {}", what, count_text(total.kernels, "kernel"),
                     devices_text({total.devices.begin(), total.devices.end()}, devices));
}

/// Returns the devices that only PTX serves now and for which no kernel of both sides says so.
std::vector<ComputeCapability> degraded_beside_kernels(const DiffReport& report,
                                                       const coverage::DiffTotals& totals) {
  auto devices = report.diff.reach.degraded;
  const auto turn = totals.turns.find(Turn::degraded);
  if (turn != totals.turns.end()) {
    std::erase_if(
        devices, [&](ComputeCapability device) { return turn->second.devices.count(device) != 0; });
  }
  return devices;
}

/// Reports whether both sides have kernels with names, and none in common.
bool compares_devices_alone(const DiffReport& report, const coverage::DiffTotals& totals) {
  return totals.before > 0 && totals.compared == 0 && !totals.all_gone &&
         unread_side(report).empty();
}

/// Names the pairs without common kernels that lost GPUs which other files serve: "devices lost by
/// libx.so: 7.5".
std::vector<std::string> losses_of_files(const DiffReport& report) {
  std::vector<std::string> losses;
  const auto add = [&](const char* what, const FileDiff& file,
                       std::vector<ComputeCapability> devices,
                       const std::vector<ComputeCapability>& of_all) {
    std::erase_if(devices, [&](ComputeCapability device) {
      return std::find(of_all.begin(), of_all.end(), device) != of_all.end();
    });
    if (devices.empty()) return;
    losses.push_back(fmt::format("{} {}: {}", what, fatbin::printable(file.after.name),
                                 devices_text(devices, report.diff.devices)));
  };
  std::size_t left = 0;
  for (const auto& file : report.diff.files) {
    if (!file.shares_no_kernel()) continue;
    if (losses.size() >= kDiffMaxPaths) {
      left += file.reach.lost.empty() && file.reach.degraded.empty() ? 0 : 1;
      continue;
    }
    add("devices lost by", file, file.reach.lost, report.diff.reach.lost);
    add("devices served by PTX alone in", file, file.reach.degraded, report.diff.reach.degraded);
  }
  if (left > 0) losses.push_back(fmt::format("and by {}", count_text(left, "more file")));
  return losses;
}

/// Returns the losses that fail the comparison.
std::vector<std::string> losses_of(const DiffReport& report, const coverage::DiffTotals& totals) {
  std::vector<std::string> losses;
  if (totals.device_lost && !totals.all_gone) {
    losses.push_back("devices lost: " + devices_text(report.diff.reach.lost, report.diff.devices));
  }
  const auto degraded = degraded_beside_kernels(report, totals);
  if (!degraded.empty()) {
    losses.push_back("devices served by PTX alone: " + devices_text(degraded, report.diff.devices));
  }
  const auto of_files = losses_of_files(report);
  losses.insert(losses.end(), of_files.begin(), of_files.end());
  for (const auto turn : {Turn::lost, Turn::degraded}) {
    const auto found = totals.turns.find(turn);
    if (found == totals.turns.end()) continue;
    losses.push_back(turned_text(title_of(turn), found->second, report.diff.devices));
  }
  if (totals.stripped > 0) {
    losses.push_back(fmt::format("stripped: {} registered but no longer in the file",
                                 count_text(totals.stripped, "fat binary container")));
  }
  if (totals.all_gone) losses.emplace_back("all kernels gone");
  if (report.strict && !totals.all_gone && totals.gone > 0) {
    losses.push_back(count_text(totals.gone, "kernel") + " gone");
  }
  return losses;
}

std::string facts_text(const DiffReport& report, const coverage::DiffTotals& totals) {
  auto text =
      fmt::format("{}{} x {}, {} new, {} gone", count_text(totals.compared, "kernel"),
                  totals.pairs > 1 ? fmt::format(" in {} files", totals.pairs) : "",
                  count_text(report.diff.devices.size(), "device"), totals.added, totals.gone);
  if (totals.files_added > 0) text += ", " + count_text(totals.files_added, "file") + " new";
  if (totals.files_gone > 0) text += ", " + count_text(totals.files_gone, "file") + " gone";
  return text + ", device code " + signed_size(totals.stored_before, totals.stored_after);
}

}  // namespace

std::string example_of(const std::vector<std::string>& kernels, std::size_t columns) {
  const auto more =
      kernels.size() > 1 ? fmt::format(" and {} more", kernels.size() - 1) : std::string();
  return short_name(kernels.front(), columns) + more;
}

std::vector<TableRow> rows_within(const DiffSection& section, std::size_t indent,
                                  std::size_t columns) {
  if (section.kernels.empty()) {
    return with_broken_last(section.columns, section.rows, indent, columns);
  }
  constexpr std::size_t kMinName = 12;
  auto rows = section.rows;
  const auto taken = width_before_last(section.columns, rows, indent);
  for (std::size_t index = 0; index < rows.size(); ++index) {
    const auto& kernels = section.kernels[index];
    if (kernels.empty()) continue;
    auto& cell = rows[index].cells.back();
    const auto surplus = taken + cell.size() - std::min(columns, taken + cell.size());
    const auto name = example_of({kernels.front()}).size();
    if (surplus > 0) cell = example_of(kernels, std::max(kMinName, name - std::min(name, surplus)));
  }
  return rows;
}

std::string percent_text(std::uint64_t before, std::uint64_t after) {
  if (before == 0 || after == 0 || before == after) return {};
  const auto share =
      100.0 * static_cast<double>(distance(before, after)) / static_cast<double>(before);
  if (share >= kMaxPercent) {
    return fmt::format("x {:.0f}", static_cast<double>(after) / static_cast<double>(before));
  }
  return fmt::format("{}{:.1f} %", sign_of(before, after), share);
}

const char* title_of(Turn turn) {
  switch (turn) {
    case Turn::lost:
      return "coverage lost";
    case Turn::degraded:
      return "coverage degraded";
    case Turn::improved:
      return "coverage improved";
    case Turn::gained:
      return "coverage gained";
    case Turn::other:
      break;
  }
  return "other verdicts";
}

Ink ink_of(Turn turn) {
  if (turn == Turn::lost || turn == Turn::degraded) return Ink::bad;
  return turn == Turn::other ? Ink::strong : Ink::good;
}

std::string verdicts_text(const CoverageChange& change) {
  return fmt::format("{} -> {}", coverage::name_of(change.before), coverage::name_of(change.after));
}

std::pair<std::uint64_t, std::uint64_t> stored_of(const FileDiff& file) {
  std::pair<std::uint64_t, std::uint64_t> sums;
  for (const auto& size : file.sizes) {
    sums.first += size.before.stored;
    sums.second += size.after.stored;
  }
  return sums;
}

bool is_pair(const FileDiff& file) {
  return !file.before.path.empty() && !file.after.path.empty();
}

std::string devices_text(const std::vector<ComputeCapability>& devices,
                         const std::vector<ComputeCapability>& known) {
  std::vector<std::string> parts;
  for (std::size_t at = 0; at < devices.size();) {
    const auto place = std::find(known.begin(), known.end(), devices[at]);
    std::size_t length = 1;
    while (at + length < devices.size() && static_cast<std::size_t>(known.end() - place) > length &&
           place[static_cast<std::ptrdiff_t>(length)] == devices[at + length]) {
      ++length;
    }
    if (length < 3) length = 1;
    parts.push_back(length == 1 ? devices[at].text()
                                : devices[at].text() + "-" + devices[at + length - 1].text());
    at += length;
  }
  return fmt::format("{}", fmt::join(parts, ", "));
}

std::vector<DiffSection> sections_of(const FileDiff& file,
                                     const std::vector<ComputeCapability>& devices, bool all) {
  std::vector<DiffSection> sections = {reach_section(file, devices)};
  for (const auto turn : {Turn::lost, Turn::degraded, Turn::gained, Turn::improved, Turn::other}) {
    sections.push_back(coverage_section(turn, file, devices, all));
  }
  sections.push_back(kernels_section(file, all));
  sections.push_back(code_section(file, devices, all));
  sections.push_back(resources_section(file, all));
  sections.push_back(origin_section(file));
  sections.push_back(sizes_section(file));
  sections.erase(std::remove_if(sections.begin(), sections.end(),
                                [](const DiffSection& section) {
                                  return section.rows.empty() && section.note.empty();
                                }),
                 sections.end());
  return sections;
}

std::vector<DeviceLine> device_lines(const DiffReport& report) {
  const auto totals = coverage::totals_of(report.diff);
  if (!incomparable(report).empty() && !compares_devices_alone(report, totals)) return {};
  const auto& diff = report.diff;
  std::vector<DeviceLine> lines;
  const auto add = [&](const char* what, const std::vector<ComputeCapability>& devices,
                       const char* meaning, Ink ink) {
    if (devices.empty()) return;
    lines.push_back({what, devices_text(devices, diff.devices), meaning, ink});
  };
  add("devices lost", diff.reach.lost, "no kernel runs there any more", Ink::bad);
  add("devices served by PTX alone", degraded_beside_kernels(report, totals),
      "machine code ran there before", Ink::bad);
  add("devices gained", diff.reach.gained, "no kernel ran there before", Ink::good);
  return lines;
}

std::vector<DiffSection> files_sections(const DiffReport& report) {
  std::vector<DiffSection> sections;
  if (report.all || !unread_side(report).empty()) return sections;
  const auto& diff = report.diff;
  for (const bool gone : {true, false}) {
    const bool unread = gone ? diff.errors.size() > diff.errors_before : diff.errors_before > 0;
    auto section = files_section(report, gone, unread);
    if (!section.rows.empty()) sections.push_back(std::move(section));
  }
  return sections;
}

bool is_detailed(const FileDiff& file, const DiffReport& report) {
  return file.changed() && (report.all || is_pair(file)) && unread_side(report).empty();
}

std::string title_of(const FileDiff& file) {
  const auto before = fatbin::printable(file.before.name);
  const auto after = fatbin::printable(file.after.name);
  if (file.after.path.empty()) return before + " (gone)";
  if (file.before.path.empty()) return after + " (new)";
  return before == after ? after : before + " -> " + after;
}

std::string unchanged_text(const coverage::Diff& diff) {
  std::vector<std::string> names;
  std::uint64_t before = 0;
  std::uint64_t after = 0;
  for (const auto& file : diff.files) {
    if (file.changed()) continue;
    names.push_back(title_of(file));
    const auto [old_bytes, new_bytes] = stored_of(file);
    before += old_bytes;
    after += new_bytes;
  }
  if (names.empty()) return {};
  const auto count = names.size();
  if (count > kDiffMaxPaths) {
    names.resize(kDiffMaxPaths);
    names.push_back(fmt::format("and {} more", count - kDiffMaxPaths));
  }
  const bool has_code = std::all_of(diff.files.begin(), diff.files.end(), [](const auto& file) {
    return file.changed() || (!file.code.empty() && file.unknown_code == 0);
  });
  return fmt::format("same kernels, coverage and {}, device code {}: {}",
                     has_code ? "code" : "resources", signed_size(before, after),
                     fmt::join(names, ", "));
}

std::string incomparable(const DiffReport& report) {
  const auto unread = unread_side(report);
  if (!unread.empty()) return unread + ": it could not be read, so nothing can be compared";
  const auto totals = coverage::totals_of(report.diff);
  const auto& files = report.diff.files;
  const bool any_before = std::any_of(files.begin(), files.end(), [](const FileDiff& file) {
    return file.before.has_code || file.before.stripped > 0;
  });
  if (!any_before) return report.before + ": no device code, so nothing can be compared";
  if (totals.compared > 0 || totals.all_gone) return {};
  if (totals.before == 0) {
    return report.before + ": none of its kernels can be named, so nothing can be compared";
  }
  if (totals.device_lost || totals.device_degraded || totals.files_lost > 0) return {};
  return fmt::format(
      "{} has no kernel of {}, so only GPUs were compared, and none is lost: are they releases of "
      "one library?",
      report.after, report.before);
}

std::string closing_line(const DiffReport& report) {
  const auto totals = coverage::totals_of(report.diff);
  const auto losses = losses_of(report, totals);
  const auto facts = facts_text(report, totals);
  const auto errors = report.diff.errors.size();
  if (compares_devices_alone(report, totals) && errors == 0) {
    return fmt::format(
        "{} (only GPUs compared, as no kernel is in both)",
        losses.empty() ? "no device lost" : fmt::format("{}", fmt::join(losses, "; ")));
  }
  if (!incomparable(report).empty()) {
    return "nothing compared" + (errors == 0 ? "" : ": " + count_text(errors, "error"));
  }
  const auto whole = errors == 0
                         ? std::string()
                         : fmt::format("comparison not whole, {}: ", count_text(errors, "error"));
  if (!losses.empty()) return fmt::format("{}{} (of {})", whole, fmt::join(losses, "; "), facts);
  if (errors > 0) return whole + "nothing lost in what could be read, " + facts;
  // Missing kernels were not compared, and may have been the only ones of a GPU.
  const bool gone = totals.gone != 0 || totals.files_gone != 0;
  return (gone ? "coverage kept where both have the kernel: " : "nothing lost: ") + facts;
}

}  // namespace archgrid::report
