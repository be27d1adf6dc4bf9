// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <archgrid/coverage/rules.hpp>
#include <archgrid/words/cause_text.hpp>
#include <array>
#include <optional>
#include <set>
#include <tuple>
#include <unordered_map>

#include "audit_text_parts.hpp"
#include "escape.hpp"
#include "style.hpp"

namespace archgrid::report {
namespace {

constexpr std::size_t kMaxRemarks = 5;
constexpr std::size_t kMaxShownSuspects = 3;  ///< unless all are requested

using Suspects = std::vector<const coverage::Finding*>;

/// Suspects of different files with equal codes and texts.
struct LikeSuspects {
  const coverage::Finding* first = nullptr;
  std::set<std::string_view> files;
};

/// Groups suspects with equal codes and texts; with `all`, each suspect is its own group.
std::vector<LikeSuspects> suspects_of(const Suspects& list, bool all) {
  std::unordered_map<std::string, std::size_t> places;
  std::vector<LikeSuspects> suspects;
  for (const auto* suspect : list) {
    const auto key = suspect->code + '\n' + suspect_text(*suspect);
    const auto [found, is_new] = places.try_emplace(key, suspects.size());
    auto* const known = is_new || all ? nullptr : &suspects[found->second];
    if (known == nullptr || known->files.count(suspect->path) != 0) {
      suspects.push_back({suspect, {suspect->path}});
    } else {
      known->files.insert(suspect->path);
    }
  }
  return suspects;
}

bool is_idle(const coverage::Finding& suspect) {
  return suspect.code == "empty" || suspect.code == "trap" || suspect.code == "stub";
}

/// Reports whether nothing in the files explains the kernels: they merely have a worse kind of
/// code, or bodies that do nothing, and no name, type or check says that they are for other GPUs.
bool is_unexplained(const coverage::Finding& suspect) {
  const auto rule = suspect.cause->rule;
  if (coverage::leaves_doubt(rule)) return is_idle(suspect);
  return rule == coverage::Rule::jit || rule == coverage::Rule::unknown ||
         rule == coverage::Rule::compatible;
}

bool is_less_important(const LikeSuspects& left, const LikeSuspects& right) {
  const auto rank = [](const LikeSuspects& like) {
    return std::make_tuple(is_unexplained(*like.first), like.first->kernels * like.files.size());
  };
  return rank(left) < rank(right);
}

/// Returns "suspect jit: libx.so: k is compiled from PTX ...", with the code that an ignore names.
std::string suspect_line(const LikeSuspects& like, std::string_view head, TextStyle style) {
  const auto place = files_text(like.files.size(), file_name(like.first->path));
  const auto line =
      fmt::format("{} {}: {}: {}", head, like.first->code, place, suspect_text(*like.first));
  return wrapped(fatbin::printable(line), "", style.columns);
}

/// Notes of one kind.
struct LikeNotes {
  const NoteFold* first = nullptr;
  std::size_t more = 0;  ///< not shown
};

/// Reports whether the note is for the author of the file, not for users who ask about a GPU.
bool is_for_makers(std::string_view code) {
  constexpr std::array<std::string_view, 3> kCodes = {"does-no-work", "picked-by-host",
                                                      "debug-code"};
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
  for (const auto& fold : view.folded_notes) {
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

/// Returns "2 suspects in 1 file".
std::string counted(const Suspects& suspects) {
  std::set<std::string_view> files;
  for (const auto* suspect : suspects) files.insert(suspect->path);
  return fmt::format("{} in {}", count_text(suspects.size(), "suspect"),
                     count_text(files.size(), "file"));
}

/// Lists few suspects, or all if `is_list` is set, and counts many.
std::string shown_suspects_text(const Suspects& suspects, bool is_list, TextStyle style) {
  if (suspects.empty()) return {};
  const auto likes = suspects_of(suspects, style.all);
  if (is_list || likes.size() <= kMaxShownSuspects) {
    std::string lines = "suspects may be intended, so they pass (--strict fails them):\n";
    for (const auto& like : likes) lines += suspect_line(like, "suspect", style);
    return lines;
  }
  const auto head = counted(suspects) + " may be intended, so they pass (--suspects lists them):";
  const auto first = std::max_element(likes.begin(), likes.end(), is_less_important);
  return wrapped(head, "", style.columns) + suspect_line(*first, "for example,", style);
}

/// Counts suspects that probably do not concern the GPUs that somebody asks about.
std::string other_suspects_text(const Suspects& suspects, TextStyle style) {
  if (suspects.empty()) return {};
  return wrapped(fmt::format("{} may be for other GPUs (--suspects lists them)", counted(suspects)),
                 "", style.columns);
}

}  // namespace

std::string suspects_text(const View& view, TextStyle style) {
  const bool is_list = style.all || style.suspects;
  auto shown = view.suspects;
  Suspects others;
  if (!is_list && is_question(view.report)) {
    const auto begin = std::stable_partition(
        shown.begin(), shown.end(), [](const auto* suspect) { return is_unexplained(*suspect); });
    others.assign(begin, shown.end());
    shown.erase(begin, shown.end());
  }
  const auto text = shown_suspects_text(shown, is_list, style) + other_suspects_text(others, style);
  return text.empty() ? text : text + '\n';
}

std::string notes_text(const View& view, TextStyle style) {
  std::string text;
  for (const auto& group : view.ignored) {
    text += wrapped(fatbin::printable("ignored: " + ignored_text(group)), "", style.columns);
  }
  const auto notes = notes_of(view, style.all);
  const auto most = style.all ? notes.size() : std::min(notes.size(), kMaxRemarks);
  std::size_t told = 0;
  for (std::size_t index = 0; index < most; ++index) {
    text += note_text(view, notes[index], style);
    told += 1 + notes[index].more;
  }
  if (view.folded_notes.size() > told) {
    const auto left = view.folded_notes.size() - told;
    text +=
        fmt::format("{}{} (--all or --json lists {})\n", told > 0 ? "and " : "",
                    count_text(left, told > 0 ? "more note" : "note"), left == 1 ? "it" : "them");
  }
  return text.empty() ? text : text + '\n';
}

}  // namespace archgrid::report
