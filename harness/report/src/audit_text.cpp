// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <archgrid/words/cause_text.hpp>
#include <array>
#include <cctype>
#include <map>
#include <numeric>
#include <optional>
#include <set>
#include <unordered_map>

#include "escape.hpp"
#include "package_table.hpp"
#include "style.hpp"
#include "table.hpp"

namespace archgrid::report {
namespace {

using coverage::State;
using coverage::Verdict;

constexpr std::size_t kColumn = 7;  ///< minimum width
constexpr std::size_t kGap = 2;     ///< before each column and each name
constexpr std::size_t kTextMaxName = 48;
constexpr std::size_t kTextMinName = 24;
constexpr std::size_t kLongestSubject = 160;
constexpr std::size_t kTextMaxRows = 40;    ///< of a map, before similar kernels share a row
constexpr std::size_t kTextMaxGroups = 20;  ///< of a map, after that
constexpr std::size_t kTextBlockRows = 14;  ///< of all blocks of a map, if its devices need several
constexpr std::size_t kMostMapRows = 54;    ///< of all maps
constexpr std::size_t kTextMaxFindings = 8;
constexpr std::size_t kMostRemarks = 5;

// Returns a word that fits a column, so that nine devices and a name fit a screen.
const char* short_word(Verdict verdict) {
  switch (verdict) {
    case Verdict::compatible:
      return "compat";
    case Verdict::ptx_too_new:
      return "too-new";
    case Verdict::wrong_suffix:
      return "suffix";
    default:
      return coverage::name_of(verdict);
  }
}

Ink ink_of(ViewField field) {
  if (field.state == State::broken) return Ink::bad;
  if (field.state == State::forgiven || field.state == State::suspect) return Ink::warn;
  return field.verdict == Verdict::native ? Ink::good : Ink::plain;
}

/// Returns the text of a field. Broken fields are distinct even without colour.
std::string word_of(ViewField field) {
  if (field.state == State::not_promised) return "-";
  std::string word = short_word(field.verdict);
  if (field.state == State::broken) {
    std::transform(word.begin(), word.end(), word.begin(),
                   [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  }
  if (field.state == State::forgiven) word = "(" + word + ")";
  return word;
}

const char* meaning_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::native:
      return "machine code for just this GPU runs";
    case Verdict::compatible:
      return "machine code for a lower minor version, or for the family, runs";
    case Verdict::jit:
      return "the driver compiles PTX when the program starts";
    case Verdict::unknown:
      return "whether it runs cannot be told";
    case Verdict::ptx_too_new:
      return "fails: there is only PTX, which the promised driver does not read";
    case Verdict::wrong_suffix:
      return "fails: the code would fit without its suffix a or f";
    case Verdict::missing:
      return "fails: there is no code for this GPU";
    case Verdict::empty:
      break;
  }
  return "does no work: empty here, or only prints, asserts, traps or waits";
}

/// The meanings of the signs that occurred in maps.
class Legend {
 public:
  void add(const Pattern& pattern) {
    for (const auto field : pattern) {
      states_.insert(field.state);
      if (field.state == State::not_promised) continue;
      auto& words = words_[field.verdict];
      const auto word = word_of(field);
      if (std::find(words.begin(), words.end(), word) == words.end()) words.push_back(word);
    }
  }

  [[nodiscard]] std::string text(bool like_other_kernels, Style style) const {
    std::vector<TableRow> rows;
    const auto row = [&rows](std::string sign, const char* meaning) {
      rows.push_back({{std::move(sign), meaning}, "", Ink::soft});
    };
    for (const auto& [verdict, words] : words_) {
      row(fmt::format("{}", fmt::join(words, ", ")), meaning_of(verdict));
    }
    if (states_.count(State::broken) != 0) {
      row("CAPITALS", like_other_kernels ? "lacks what the rest of the package has"
                                         : "that breaks the promise");
    }
    if (states_.count(State::forgiven) != 0) row("(...)", "ignored, with a reason");
    if (states_.count(State::not_promised) != 0) {
      row("-",
          like_other_kernels
              ? "not judged: most kernels of the file have no such code there; PTX may serve it"
              : "nothing is promised");
    }
    return rows.empty() ? std::string()
                        : table_text({{"", Side::left}, {"", Side::left}}, rows, 0, style) + '\n';
  }

 private:
  std::map<Verdict, std::vector<std::string>> words_;
  std::set<State> states_;
};

struct Row {
  std::string name;
  const Pattern* pattern = nullptr;
};

/// The visible rows of one map, and the number of others.
struct Shown {
  std::vector<Row> rows;
  std::size_t groups_left = 0;
  std::size_t kernels_left = 0;
  std::size_t broken_left = 0;
};

std::vector<Row> rows_of(const View& view, const std::vector<ViewKernel>& kernels) {
  std::vector<std::string> demangled;
  for (const auto& kernel : kernels) demangled.push_back(demangled_of(*kernel.row));
  auto names = short_names(demangled);
  std::vector<Row> rows;
  for (std::size_t index = 0; index < kernels.size(); ++index) {
    rows.push_back({std::move(names[index]), &view.pattern_of(kernels[index])});
  }
  return rows;
}

/// The screen space for a map. Devices that do not fit beside the names form further blocks below,
/// each with all names.
struct Room {
  std::size_t name = kTextMaxName;        ///< columns of a kernel's name
  std::size_t title = std::string::npos;  ///< columns of the map's title
  std::size_t blocks = 1;
  std::size_t rows = kTextMaxGroups;  ///< of a block, if similar kernels share a row

  /// Returns the number of lines of a map with this many kernels.
  [[nodiscard]] std::size_t lines(std::size_t kernels) const {
    return blocks * (1 + (is_folded(kernels) ? rows : kernels));
  }

  [[nodiscard]] bool is_folded(std::size_t kernels) const {
    return kernels * blocks > kTextMaxRows;
  }
};

Room room_of(const ViewMap& map, TextStyle style) {
  if (style.all) return {};
  constexpr auto kWidth = kColumn + kGap;
  const auto devices = map.devices->size();
  const auto left = style.columns - std::min(style.columns, devices * kWidth + kGap);
  Room room;
  room.name = std::clamp(left, kTextMinName, kTextMaxName);
  room.title = std::max(left, room.name) + kGap;
  const auto beside = (std::max(style.columns, room.name + kGap) - room.name - kGap) / kWidth;
  room.blocks = beside == 0 ? devices : (devices + beside - 1) / beside;
  if (room.blocks > 1) room.rows = std::max<std::size_t>(1, kTextBlockRows / room.blocks);
  return room;
}

/// Returns the rows of a large library, where similar kernels share a row, broken ones first. Only
/// visible names are demangled.
Shown fold(const View& view, const ViewMap& map, Room room) {
  const auto groups = groups_of(view, map.kernels);
  Shown shown;
  std::vector<ViewKernel> firsts;
  for (std::size_t index = 0; index < groups.size(); ++index) {
    if (index < room.rows) {
      firsts.push_back(groups[index].first);
      continue;
    }
    ++shown.groups_left;
    shown.kernels_left += groups[index].kernels;
    shown.broken_left += groups[index].broken ? groups[index].kernels : 0;
  }
  shown.rows = rows_of(view, firsts);
  for (std::size_t index = 0; index < shown.rows.size(); ++index) {
    const auto kernels = groups[index].kernels;
    const auto more = kernels > 1 ? fmt::format(" and {} more", kernels - 1) : std::string();
    auto& name = shown.rows[index].name;
    name = beginning(name, room.name - std::min(room.name, more.size())) + more;
  }
  return shown;
}

Shown choose_rows(const View& view, const ViewMap& map, TextStyle style) {
  const auto room = room_of(map, style);
  if (!style.all && room.is_folded(map.kernels.size())) return fold(view, map, room);
  Shown shown;
  shown.rows = rows_of(view, map.kernels);
  for (auto& row : shown.rows) row.name = shortened(row.name, room.name);
  std::sort(shown.rows.begin(), shown.rows.end(),
            [](const Row& left, const Row& right) { return left.name < right.name; });
  return shown;
}

std::string left_text(const Shown& shown) {
  if (shown.kernels_left == 0) return {};
  const auto broken =
      shown.broken_left == 0 ? std::string() : fmt::format(", {} with findings", shown.broken_left);
  return fmt::format("  and {} in {}{} (--all shows every kernel)\n",
                     count_text(shown.kernels_left, "kernel"),
                     count_text(shown.groups_left, "more row"), broken);
}

/// The layout of a map.
struct Layout {
  std::string title;
  std::size_t name = 0;    ///< columns of the title and the names
  std::size_t column = 0;  ///< columns of a device
};

/// Returns a map's devices from `columns.first` up to `columns.second`.
std::string map_block(const ViewMap& map, const std::vector<Row>& rows,
                      std::pair<std::size_t, std::size_t> columns, const Layout& layout,
                      Style style) {
  const auto text_of = [&](std::string line, const auto& cell) {
    for (auto at = columns.first; at < columns.second; ++at) line += "  " + cell(at);
    if (!style.colour) line.erase(line.find_last_not_of(' ') + 1);
    return line + '\n';
  };
  const auto title = paint(pad(layout.title, layout.name), Ink::strong, style);
  auto text =
      text_of(title, [&](std::size_t at) { return pad((*map.devices)[at].text(), layout.column); });
  for (const auto& row : rows) {
    text += text_of(pad("  " + row.name, layout.name), [&](std::size_t at) {
      const auto field = (*row.pattern)[at];
      return paint(pad(word_of(field), layout.column), ink_of(field), style);
    });
  }
  return text;
}

/// Writes as many devices as fit beside the names, and the others below.
std::string map_text(const ViewMap& map, const Shown& shown, Legend& legend, TextStyle style) {
  Layout layout = {shortened(fatbin::printable(map.title), room_of(map, style).title), 0, kColumn};
  layout.name = layout.title.size();
  for (const auto& row : shown.rows) {
    layout.name = std::max(layout.name, row.name.size() + kGap);
    for (const auto field : *row.pattern) {
      layout.column = std::max(layout.column, word_of(field).size());
    }
    legend.add(*row.pattern);
  }
  const auto devices = map.devices->size();
  const auto room = (std::max(style.columns, layout.name) - layout.name) / (layout.column + kGap);
  const auto fits = std::max<std::size_t>(style.all ? devices : room, 1);
  std::string text;
  for (std::size_t begin = 0; begin == 0 || begin < devices; begin += fits) {
    const auto end = std::min(begin + fits, devices);
    text += map_block(map, shown.rows, {begin, end}, layout, style.style);
  }
  return text + left_text(shown);
}

bool is_broken(const View& view, const ViewMap& map) {
  return std::any_of(map.kernels.begin(), map.kernels.end(),
                     [&](const ViewKernel& kernel) { return is_broken(view.pattern_of(kernel)); });
}

bool is_beside_fat(const View& view, const ViewMap& map) {
  return view.report.beside_fat.count(map.title) != 0;
}

/// Returns the maps to show, in their order. Broken ones have priority; single cells beside fat
/// ones are shown only if they are broken.
std::vector<bool> choose_maps(const View& view, TextStyle style) {
  std::vector<std::size_t> order(view.maps.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_partition(order.begin(), order.end(),
                        [&](std::size_t index) { return is_broken(view, view.maps[index]); });
  std::vector<bool> chosen(view.maps.size(), style.all);
  std::size_t lines = 0;
  for (const auto index : order) {
    if (is_beside_fat(view, view.maps[index]) && !is_broken(view, view.maps[index])) continue;
    lines += room_of(view.maps[index], style).lines(view.maps[index].kernels.size());
    if (lines <= kMostMapRows || index == order.front()) chosen[index] = true;
  }
  return chosen;
}

std::string maps_text(const View& view, TextStyle style) {
  const auto chosen = choose_maps(view, style);
  Legend legend;
  std::string text;
  std::size_t left = 0;
  std::size_t broken = 0;
  std::size_t kernels = 0;
  for (std::size_t index = 0; index < view.maps.size(); ++index) {
    const auto& map = view.maps[index];
    if (chosen[index]) {
      text += map_text(map, choose_rows(view, map, style), legend, style) + '\n';
      continue;
    }
    ++left;
    kernels += map.kernels.size();
    broken += is_broken(view, map) ? 1 : 0;
  }
  if (left > 0) {
    const auto trouble = broken == 0 ? std::string() : fmt::format(", {} with findings", broken);
    const std::string noun = view.report.by_cell ? "cell" : "file";
    const auto count = left < view.maps.size() ? "and " + count_text(left, "more " + noun)
                                               : count_text(left, noun);
    const auto line = fmt::format("{} with {}{} (--all shows every kernel)", count,
                                  count_text(kernels, "kernel"), trouble);
    text += wrapped(line, "", style.columns) + '\n';
  }
  return text + legend.text(view.report.like_other_kernels, style.style);
}

/// A fold, and cells that were not built for the same reason: one error in a source fails them all.
struct LikeCells {
  const FindingFold* fold = nullptr;
  std::vector<std::string> more_cells;
  std::size_t findings = 0;
};

/// Removes a word from a text: "cells/a.log" without "a" is "cells/.log".
std::string without_word(std::string text, const std::string& word) {
  const auto is_part = [&text](std::size_t at) {
    return at < text.size() && (std::isalnum(static_cast<unsigned char>(text[at])) != 0 ||
                                text[at] == '_' || text[at] == '-');
  };
  auto at = text.find(word);
  while (at != std::string::npos) {
    const bool is_whole = (at == 0 || !is_part(at - 1)) && !is_part(at + word.size());
    if (is_whole) text.erase(at, word.size());
    at = text.find(word, is_whole ? at : at + 1);
  }
  return text;
}

std::vector<LikeCells> causes_of(const View& view) {
  std::vector<LikeCells> causes;
  std::unordered_map<std::string, std::size_t> places;
  for (const auto& fold : view.folded) {
    const auto& finding = view.findings[fold.groups.front()].first();
    const auto& cell = finding.cell;
    if (finding.code == "not-built" && !cell.empty()) {
      const auto reason = without_word(message_of(finding), cell);  // it names the cell's log
      const auto [place, is_new] = places.try_emplace(reason, causes.size());
      if (!is_new) {
        causes[place->second].more_cells.push_back(cell);
        causes[place->second].findings += fold.findings;
        continue;
      }
    }
    causes.push_back({&fold, {}, fold.findings});
  }
  return causes;
}

/// Returns the last part of a path; "libx.a!x.o" for an object of a static library.
std::string_view file_name(std::string_view path) {
  auto at = path.find_last_of("/!");
  const auto whole = path.substr(0, at);
  const bool is_object = at != std::string_view::npos && path[at] == '!' &&
                         (whole.ends_with(".a") || whole.ends_with(".lib"));
  if (is_object) at = whole.find_last_of("/!");
  return path.substr(at + 1);
}

bool is_promised(const coverage::Finding& finding) {
  return finding.cause && finding.cause->rule == coverage::Rule::promised;
}

/// Returns "libx.so", or "3 files, the first libx.so".
std::string files_in(const View& view, const FindingFold& fold) {
  return files_text(fold.groups.size(), file_name(view.findings[fold.groups.front()].first().path));
}

/// Lists the files of a fold, one per line.
std::string listed_files(const View& view, const FindingFold& fold) {
  std::string text;
  for (const auto group : fold.groups) {
    text += fmt::format("  in {}\n", fatbin::printable(view.findings[group].first().path));
  }
  return text;
}

/// Returns a cause within the screen's width, by shortening the kernel's name.
std::string cause_text(const View& view, const FindingFold& fold, TextStyle style) {
  const auto& group = view.findings[fold.groups.front()];
  const auto& finding = group.first();
  const auto files = files_in(view, fold);
  auto more =
      finding.kernels > 1 ? fmt::format(" and {} more", finding.kernels - 1) : std::string();
  constexpr std::size_t kMaxDevices = 3;
  const auto devices = std::max(group.firsts.size(), finding.cause->devices.size());
  if (is_promised(finding)) {
    more += " on " + (devices > kMaxDevices ? count_text(devices, "GPU") : devices_of(group));
  }
  constexpr std::size_t kMinName = 12;
  constexpr std::size_t kMinFile = 24;
  constexpr std::size_t kColons = 4;
  const auto others = finding.code.size() + more.size() + kColons + kMinName;
  const auto most = std::max(kMinFile, style.columns - std::min(style.columns, others));
  auto place = fmt::format(": {}: ", fatbin::shortened(fatbin::printable(files), most));
  const auto taken = finding.code.size() + place.size() + more.size();
  const auto room = std::max(kMinName, style.columns - std::min(style.columns, taken));
  const auto full = fatbin::printable(demangled_of(finding));
  const auto name = style.all ? full : short_names({full}).front();
  place += style.all ? name : beginning(name, room);
  auto text = paint(finding.code, Ink::bad, style.style) + place + more + '\n';
  text += wrapped(fatbin::printable(message_of(group)), "  ", style.columns);
  const auto fix = fix_of(view, fold);
  if (!fix.empty()) text += wrapped("fix: " + fatbin::printable(fix), "  ", style.columns);
  if (style.all && fold.groups.size() > 1) text += listed_files(view, fold);
  return text;
}

/// Returns a finding about a file or a GPU of a package within the screen's width.
std::string short_text(const View& view, const FindingFold& fold, TextStyle style) {
  const auto& group = view.findings[fold.groups.front()];
  const auto files = files_in(view, fold);
  const auto devices = devices_of(group);
  auto place = devices.empty() ? files : files + (files.empty() ? "on " : " on ") + devices;
  if (!place.empty()) place.insert(0, " ");
  auto text =
      paint(group.first().code, Ink::bad, style.style) + ':' + fatbin::printable(place) + '\n';
  text += wrapped(fatbin::printable(message_of(group)), "  ", style.columns);
  const auto fix = fix_of(view, fold);
  if (!fix.empty()) text += wrapped("fix: " + fatbin::printable(fix), "  ", style.columns);
  if (style.all && fold.groups.size() > 1) text += listed_files(view, fold);
  return text;
}

/// Returns the name of a file; for a file of a cell, "cu130-fat/libx.so".
std::string_view place_in(std::string_view path, bool is_of_cell) {
  constexpr std::string_view kCells = "/cells/";
  const auto cells = path.rfind(kCells);
  if (!is_of_cell) return file_name(path);
  return cells == std::string::npos ? path : path.substr(cells + kCells.size());
}

/// Returns "cu130-fat/libx.so", "3 files, the first cu130-fat/libx.so".
std::string places_in(const View& view, const FindingFold& fold) {
  const auto& finding = view.findings[fold.groups.front()].first();
  return files_text(fold.groups.size(), place_in(finding.path, !finding.cell.empty()));
}

std::string finding_text(const View& view, const LikeCells& cause, TextStyle style) {
  const auto& fold = *cause.fold;
  const auto& group = view.findings[fold.groups.front()];
  const auto& finding = group.first();
  const bool is_of_cell = !finding.cell.empty() || style.all;
  if (finding.cause && !(is_promised(finding) && is_of_cell)) return cause_text(view, fold, style);
  const bool names_one_file = finding.path.find(", ") == std::string::npos;
  if (view.report.like_other_kernels && !style.all && names_one_file) {
    return short_text(view, fold, style);
  }
  auto place = subject_of(group, style.all ? std::string::npos : kLongestSubject);
  const auto add = [&place](const std::string& part) {
    if (!part.empty()) place += (place.empty() ? "" : ", ") + part;
  };
  const auto files = style.all || !names_one_file ? files_of(view, fold) : places_in(view, fold);
  const bool names_cell = fold.groups.size() == 1 && files.starts_with(finding.cell + '/');
  add(finding.cell.empty() || names_cell ? "" : "cell " + finding.cell);
  add(fold.groups.size() > 1 ? "in " + files : files);
  const auto columns = style.all ? std::string::npos : style.columns;
  auto text = fmt::format("{}:{}{}\n", paint(finding.code, Ink::bad, style.style),
                          place.empty() ? "" : " ", fatbin::printable(place));
  const auto add_line = [&](const std::string& line) {
    text += wrapped(fatbin::printable(line), "  ", columns);
  };
  add_line(message_of(group));
  const auto* const others = cause.more_cells.empty() ? "" : " (and likewise for the other cells)";
  if (!fix_of(finding).empty()) add_line(fmt::format("fix: {}{}", fix_of(view, fold), others));
  if (!cause.more_cells.empty()) {
    add_line(fmt::format("the same in {}: {}", count_text(cause.more_cells.size(), "more cell"),
                         fmt::join(cause.more_cells, ", ")));
  }
  return text;
}

std::string findings_text(const View& view, TextStyle style) {
  const auto causes = causes_of(view);
  const auto most = style.all ? causes.size() : std::min(causes.size(), kTextMaxFindings);
  std::string text;
  for (std::size_t index = 0; index < most; ++index) {
    text += finding_text(view, causes[index], style);
  }
  std::size_t left = 0;
  for (std::size_t index = most; index < causes.size(); ++index) left += causes[index].findings;
  if (left > 0) {
    text += fmt::format("and {} (--all or --json lists them)\n", count_text(left, "more finding"));
  }
  return text.empty() ? text : text + '\n';
}

/// Suspects of different files with equal texts.
struct LikeSuspects {
  const coverage::Finding* first = nullptr;
  std::set<std::string_view> files;
};

/// Groups suspects with equal texts; with `all`, each suspect is its own group.
std::vector<LikeSuspects> suspects_of(const View& view, bool all) {
  std::unordered_map<std::string, std::size_t> places;
  std::vector<LikeSuspects> suspects;
  for (const auto* suspect : view.suspects) {
    const auto [found, is_new] = places.try_emplace(suspect_text(*suspect), suspects.size());
    auto* const known = is_new || all ? nullptr : &suspects[found->second];
    if (known == nullptr || known->files.count(suspect->path) != 0) {
      suspects.push_back({suspect, {suspect->path}});
    } else {
      known->files.insert(suspect->path);
    }
  }
  return suspects;
}

/// Returns one line, unless all suspects are requested: nobody reads hundreds, and none is
/// certainly a defect.
std::string suspects_text(const View& view, TextStyle style) {
  if (view.suspects.empty()) return {};
  if (style.all || style.suspects) {
    std::string lines;
    for (const auto& like : suspects_of(view, style.all)) {
      const auto place = files_text(like.files.size(), file_name(like.first->path));
      const auto line = fmt::format("suspect: {}: {}", place, suspect_text(*like.first));
      lines += wrapped(fatbin::printable(line), "", style.columns);
    }
    return lines + '\n';
  }
  std::set<std::string_view> files;
  for (const auto* suspect : view.suspects) files.insert(suspect->path);
  return fmt::format("{} in {}, which may be meant so (--suspects lists them)\n\n",
                     count_text(view.suspects.size(), "suspect"), count_text(files.size(), "file"));
}

/// Notes of one kind.
struct LikeNotes {
  const RemarkFold* first = nullptr;
  std::size_t more = 0;  ///< not shown
};

/// Reports whether the note is for the author of the file, not for users who ask about a GPU.
bool is_for_makers(std::string_view code) {
  constexpr std::array<std::string_view, 4> kCodes = {"does-no-work", "only-reports",
                                                      "picked-by-host", "debug-code"};
  return std::find(kCodes.begin(), kCodes.end(), code) != kCodes.end();
}

bool is_question(const AuditReport& report) {
  return std::any_of(report.audits.begin(), report.audits.end(),
                     [](const coverage::Audit& audit) { return !audit.answers.empty(); });
}

/// Returns all notes, or, unless `all` is set, those for the reader, and one for notes that repeat
/// for many files with other numbers.
std::vector<LikeNotes> notes_of(const View& view, bool all) {
  constexpr std::string_view kOfManyFiles = "promised-on-fewer-devices";
  const bool is_asked = is_question(view.report);
  std::vector<LikeNotes> notes;
  std::optional<std::size_t> first;
  for (const auto& fold : view.folded_remarks) {
    if (!all && is_asked && is_for_makers(fold.first->code)) continue;
    const bool is_alike = !all && fold.first->code == kOfManyFiles;
    if (is_alike && first) {
      ++notes[*first].more;
      continue;
    }
    if (is_alike) first = notes.size();
    notes.push_back({&fold, 0});
  }
  return notes;
}

std::string note_text(const View& view, const LikeNotes& note, TextStyle style) {
  const auto& fold = *note.first;
  const auto place =
      style.all || fold.paths.empty()
          ? files_of(fold)
          : files_text(fold.paths.size(), place_in(fold.paths.front(), view.report.by_cell));
  auto text = fmt::format("note: {}{}{}", place, place.empty() ? "" : ": ", fold.first->message);
  if (note.more > 0) {
    text += fmt::format(" (and {} like it)", count_text(note.more, "more note"));
  }
  text = fatbin::printable(text);
  return style.all ? text + '\n' : wrapped(text, "", style.columns);
}

std::string notes_text(const View& view, TextStyle style) {
  std::string text;
  for (const auto& group : view.forgiven) {
    const auto ignored =
        fmt::format("ignored: {}: {}", count_text(group.findings, "finding"), group.reason);
    text += wrapped(fatbin::printable(ignored), "", style.columns);
  }
  const auto notes = notes_of(view, style.all);
  const auto most = style.all ? notes.size() : std::min(notes.size(), kMostRemarks);
  std::size_t told = 0;
  for (std::size_t index = 0; index < most; ++index) {
    text += note_text(view, notes[index], style);
    told += 1 + notes[index].more;
  }
  if (view.folded_remarks.size() > told) {
    text += fmt::format("and {} (--all or --json lists them)\n",
                        count_text(view.folded_remarks.size() - told, "more note"));
  }
  return text.empty() ? text : text + '\n';
}

std::string package_text(const View& view, TextStyle style) {
  auto text = package_table(view, style);
  return text.empty() ? text : text + '\n';
}

std::string package_answers_text(const View& view, TextStyle style) {
  std::string text;
  for (const auto& answer : view.package_answers) {
    text += wrapped(fatbin::printable(answer), "", style.columns);
  }
  return text;
}

}  // namespace

std::string verdict_text(const View& view, TextStyle style) {
  const auto ink = view.outcome == Outcome::holds ? Ink::good : Ink::bad;
  auto text = wrapped(view.verdict, "", style.columns);
  text.pop_back();
  return paint(text, ink, style.style) + '\n';
}

std::string audit_text(const View& view, TextStyle style) {
  const bool is_package = view.report.like_other_kernels && !style.all;
  return (is_package ? package_text(view, style) : maps_text(view, style)) +
         findings_text(view, style) + suspects_text(view, style) + notes_text(view, style) +
         package_answers_text(view, style) + verdict_text(view, style);
}

}  // namespace archgrid::report
