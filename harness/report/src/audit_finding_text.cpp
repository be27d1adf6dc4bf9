// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <archgrid/report/codes.hpp>
#include <archgrid/words/cause_text.hpp>
#include <archgrid/words/phrase.hpp>
#include <array>
#include <cctype>
#include <map>
#include <optional>
#include <set>
#include <unordered_map>
#include <utility>

#include "audit_text_parts.hpp"
#include "escape.hpp"
#include "style.hpp"
#include "view_parts.hpp"

namespace archgrid::report {
namespace {

constexpr std::size_t kLongestSubject = 160;
constexpr std::size_t kTextMaxFindings = 8;

/// A fold, and other cells with the same finding: one error in a source breaks them all. Folds of
/// the same cell with other kernels and files: the matrix file lacks an arch.
struct LikeCells {
  const FindingFold* fold = nullptr;
  std::vector<const FindingFold*> others;
  std::vector<std::string> more_cells;
  std::size_t findings = 0;
};

/// Removes a word from a text: "cells/a.log" without "a" is "cells/.log".
std::string without_word(std::string text, const std::string& word) {
  const auto is_part = [&text](std::size_t at) {
    return at < text.size() && (std::isalnum(static_cast<unsigned char>(text[at])) != 0 ||
                                text[at] == '_' || text[at] == '-');
  };
  if (word.empty()) return text;
  auto at = text.find(word);
  while (at != std::string::npos) {
    const bool is_whole = (at == 0 || !is_part(at - 1)) && !is_part(at + word.size());
    if (is_whole) text.erase(at, word.size());
    at = text.find(word, is_whole ? at : at + 1);
  }
  return text;
}

bool is_promised(const coverage::Finding& finding) {
  return finding.cause && finding.cause->rule == coverage::Rule::promised;
}

bool names_one_file(const coverage::Finding& finding) {
  return finding.path.find(", ") == std::string::npos;
}

/// Returns "libx.so", or "3 files, the first libx.so".
std::string files_in(const View& view, const FindingFold& fold) {
  return files_text(fold.groups.size(), file_name(view.findings[fold.groups.front()].first().path));
}

/// Returns the archive of a file in one: "dist/x.whl" of "dist/x.whl!libx.so"; else nothing.
std::string_view archive_of(std::string_view path) {
  const auto end = path.find('!');
  return end == std::string_view::npos ? std::string_view() : path.substr(0, end);
}

bool has_several_archives(const View& view) {
  std::set<std::string_view> archives;
  for (const auto& audit : view.report.audits) {
    for (const auto& file : audit.files) archives.insert(archive_of(file.file.path));
  }
  return archives.size() > 1;
}

/// Returns the archives of a fold's files, which may have equal names: "x-cp311.whl, x-cp312.whl".
std::string archives_in(const View& view, const FindingFold& fold) {
  std::set<std::string> names;
  for (const auto group : fold.groups) {
    const auto archive = archive_of(view.findings[group].first().path);
    if (!archive.empty()) names.emplace(file_name(archive));
  }
  return names.empty() ? std::string() : enumerated(names);
}

/// Lists the files of a fold, one per line.
std::string listed_files(const View& view, const FindingFold& fold) {
  std::string text;
  for (const auto group : fold.groups) {
    text += fmt::format("  in {}\n", fatbin::printable(view.findings[group].first().path));
  }
  return text;
}

/// Returns the first line about a cause within the screen's width, by shortening the kernel's name.
std::string cause_line(const View& view, const FindingFold& fold, TextStyle style) {
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
  constexpr std::size_t kMinFile = 16;
  constexpr std::size_t kColons = 4;
  const auto others = finding.code.size() + more.size() + kColons + kMinName;
  const auto most = std::max(kMinFile, style.columns - std::min(style.columns, others));
  auto place = fmt::format(": {}: ", fatbin::shortened(fatbin::printable(files), most));
  const auto taken = finding.code.size() + place.size() + more.size();
  const auto room = std::max(kMinName, style.columns - std::min(style.columns, taken));
  const auto full = fatbin::printable(demangled_of(finding));
  const auto name = style.all ? full : short_names({full}).front();
  place += style.all ? name : beginning(name, room);
  return paint(finding.code, Ink::bad, style.style) + place + more + '\n';
}

/// Returns the first line about a file or a GPU of a package.
std::string short_line(const View& view, const FindingFold& fold, TextStyle style) {
  const auto& group = view.findings[fold.groups.front()];
  const auto devices = devices_of(group);
  const auto on = devices.empty() ? devices : " on " + devices;
  constexpr std::size_t kMinFile = 16;
  const auto taken = group.first().code.size() + 2 + on.size();
  const auto files = fatbin::shortened(
      files_in(view, fold), std::max(kMinFile, style.columns - std::min(style.columns, taken)));
  auto place = files.empty() ? on : ' ' + files + on;
  return paint(group.first().code, Ink::bad, style.style) + ':' + fatbin::printable(place) + '\n';
}

/// Returns "cu130-fat/libx.so", "3 files, the first cu130-fat/libx.so".
std::string places_in(const View& view, const FindingFold& fold) {
  const auto& finding = view.findings[fold.groups.front()].first();
  return files_text(fold.groups.size(), place_in(finding.path, !finding.cell.empty()));
}

/// Returns the first line with kernel, GPUs, cell and file. Unless all is shown, long names of
/// kernels and files are shortened to the width.
std::string full_line(const View& view, const FindingFold& fold, TextStyle style) {
  constexpr std::size_t kMinKernel = 18;
  constexpr std::size_t kMinFile = 16;
  const auto& group = view.findings[fold.groups.front()];
  const auto& finding = group.first();
  std::string rest;
  const auto add = [&rest](const std::string& part) {
    if (!part.empty()) rest += (rest.empty() ? "" : ", ") + part;
  };
  auto files = style.all || !names_one_file(finding) ? files_of(view, fold) : places_in(view, fold);
  const bool names_cell = fold.groups.size() == 1 && files.starts_with(finding.cell + '/');
  auto subject = subject_of(group, style.all ? std::string::npos : kLongestSubject);
  if (!style.all && group.kernels > 0) {
    const auto cell = finding.cell.empty() || names_cell ? 0 : finding.cell.size() + 7;
    const auto taken = finding.code.size() + 4 + cell + (fold.groups.size() > 1 ? 3 : 0);
    const auto excess = [&] {
      const auto width = taken + subject.size() + files.size();
      return width - std::min(width, style.columns);
    };
    const auto kernel = std::min(demangled_of(group.first()).size(), kLongestSubject);
    if (excess() > 0) {
      subject = subject_of(group, std::max(kMinKernel, kernel - std::min(kernel, excess())));
    }
    if (excess() > 0 && files.size() > kMinFile) {
      files = shortened(files, std::max(kMinFile, files.size() - std::min(files.size(), excess())));
    }
  }
  add(subject);
  add(finding.cell.empty() || names_cell ? "" : "cell " + finding.cell);
  add(fold.groups.size() > 1 ? "in " + files : files);
  return fmt::format("{}:{}{}\n", paint(finding.code, Ink::bad, style.style),
                     rest.empty() ? "" : " ", fatbin::printable(rest));
}

/// Returns the first line about several folds of one cell.
std::string merged_line(const View& view, const LikeCells& cause, TextStyle style) {
  const auto& group = view.findings[cause.fold->groups.front()];
  std::size_t kernels = 0;
  std::size_t files = 0;
  const auto add = [&](const FindingFold& fold) {
    for (const auto index : fold.groups) kernels += view.findings[index].kernels;
    files += fold.groups.size();
  };
  add(*cause.fold);
  for (const auto* other : cause.others) add(*other);
  const auto name = short_names({fatbin::printable(demangled_of(group.first()))}).front();
  auto rest = fmt::format(" and {} in {} on {}, cell {}", count_text(kernels - 1, "more kernel"),
                          count_text(files, "file"), devices_of(group), group.first().cell);
  constexpr std::size_t kMinName = 12;
  const auto taken = group.first().code.size() + 2 + rest.size();
  const auto room = std::max(kMinName, style.columns - std::min(style.columns, taken));
  return fmt::format("{}: {}{}\n", paint(group.first().code, Ink::bad, style.style),
                     beginning(name, room), rest);
}

std::string first_line(const View& view, const LikeCells& cause, TextStyle style) {
  return cause.others.empty() ? full_line(view, *cause.fold, style)
                              : merged_line(view, cause, style);
}

/// Returns a key that is equal for findings of one cell if only kernels and files differ, and the
/// matrix file is to be changed; empty for other findings, whose files are to be named.
std::string key_of_arch(const View& view, const FindingFold& fold) {
  const auto& group = view.findings[fold.groups.front()];
  const auto& broken = group.first().broken;
  if (group.kernels == 0 || !broken || !broken->remedy.unasked) return {};
  return fmt::format("arch\n{}\n{}\n{}\n{}\n{}", group.first().code, group.first().cell,
                     message_of(group), fix_of(group.first()), devices_of(group));
}

/// Returns a key that is equal for findings of several cells if only the cell differs.
std::string key_without_cell(const View& view, const FindingFold& fold) {
  const auto& group = view.findings[fold.groups.front()];
  const auto& finding = group.first();
  auto text = finding.code + '\n' + message_of(group);
  // The fix of a cell that was not built names the cell's target, and its reason the cell's log.
  if (finding.code != "not-built") {
    text += '\n' + subject_of(group, std::string::npos) + '\n' + fix_of(view, fold);
    for (const auto index : fold.groups) {
      text += fmt::format("\n{}", place_in(view.findings[index].first().path, true));
    }
  }
  return fmt::format("{}\n{}", without_word(std::move(text), finding.cell), group.names);
}

std::vector<LikeCells> causes_of(const View& view, bool is_all) {
  std::vector<LikeCells> causes;
  std::unordered_map<std::string, std::size_t> places;
  for (const auto& fold : view.folded) {
    const auto& cell = view.findings[fold.groups.front()].first().cell;
    if (!cell.empty()) {
      const auto key = key_without_cell(view, fold);
      if (const auto like = places.find(key); like != places.end()) {
        auto& cause = causes[like->second];
        cause.findings += fold.findings;
        const bool is_named = !cause.more_cells.empty() && cause.more_cells.back() == cell;
        if (!is_named) cause.more_cells.push_back(cell);
        continue;
      }
      const auto arch = is_all ? std::string() : key_of_arch(view, fold);
      const auto other = arch.empty() ? places.end() : places.find(arch);
      const auto place = other == places.end() ? causes.size() : other->second;
      places.emplace(key, place);
      if (place < causes.size()) {
        causes[place].others.push_back(&fold);
        causes[place].findings += fold.findings;
        continue;
      }
      if (!arch.empty()) places.emplace(arch, place);
    }
    causes.push_back({&fold, {}, {}, fold.findings});
  }
  return causes;
}

/// The file or command with the ignore of a finding, and the target of archgrid_audit() there.
struct IgnorePlace {
  coverage::PromisePlace place;
  std::string_view audited;
};

IgnorePlace ignore_place(const View& view, const coverage::Finding& finding) {
  IgnorePlace at = {view.report.place, view.report.audited};
  if (is_promised(finding)) at = {finding.broken->remedy.place, finding.broken->remedy.audited};
  const bool is_option = at.place == coverage::PromisePlace::options;
  if (is_option && !finding.cell.empty()) at.place = coverage::PromisePlace::matrix_file;
  return at;
}

/// Returns "@7.5,8.0" for broken promises of kernels on some of the promised GPUs only.
std::string gpus_of_ignore(const View& view, const FindingGroup& group) {
  if (!is_promised(group.first())) return {};
  std::set<coverage::ComputeCapability> broken;
  for (const auto* finding : group.firsts) {
    const auto device = coverage::parse_device(finding->device);
    if (!device) return {};
    broken.insert(*device);
  }
  std::set<coverage::ComputeCapability> promised;
  for (const auto& audit : view.report.audits) {
    promised.insert(audit.devices.begin(), audit.devices.end());
  }
  if (broken.size() >= promised.size()) return {};
  std::vector<std::string> names;
  for (const auto device : broken) names.push_back(device.text());
  return fmt::format("@{}", fmt::join(names, ","));
}

/// Returns `--ignore 'missing:k=REASON'`, the entry of the file that has the promise, or the call
/// of archgrid_audit(), which may exceed the columns by the target's name; empty if
/// nothing can ignore the finding, or no pattern for `gpus` fits. Shortens the pattern for the
/// columns.
std::string accept_text(const View& view, const coverage::Finding& finding, const std::string& gpus,
                        std::size_t columns) {
  const auto [place, audited] = ignore_place(view, finding);
  const auto text_in = [&](std::string_view before, std::string_view after, std::size_t least = 0) {
    const auto frame = before.size() + gpus.size() + after.size();
    const auto ignore =
        columns == std::string::npos
            ? ignore_of(finding)
            : ignore_of(finding, std::max(columns - std::min(columns, frame), least));
    return ignore.empty() ? ignore : fmt::format("{}{}{}{}", before, ignore, gpus, after);
  };
  switch (place) {
    case coverage::PromisePlace::cmake: {
      // A target's name may be long: the line is for a file, not only for the screen.
      constexpr std::size_t kLeast = 36;
      return text_in(fmt::format("archgrid_audit({} IGNORE \"", audited), "=REASON\")", kLeast);
    }
    case coverage::PromisePlace::pyproject:
      return text_in("\"", "\" in an \"ignore\" of [tool.archgrid]");
    case coverage::PromisePlace::matrix_file:
      return text_in("\"", "\" in an \"ignore\" of the matrix file");
    case coverage::PromisePlace::options:
      break;
  }
  return text_in("--ignore '", "=REASON'");
}

/// Returns the lines below the first: message, fix, files and cells.
std::string details_text(const View& view, const LikeCells& cause, bool is_all, std::size_t columns,
                         std::string& last_fix) {
  const auto& group = view.findings[cause.fold->groups.front()];
  const auto& cells = cause.more_cells;
  std::string text;
  const auto add_line = [&](const std::string& line) {
    text += wrapped(fatbin::printable(line), "  ", columns);
  };
  if (!is_all && has_several_archives(view)) {
    if (const auto archives = archives_in(view, *cause.fold); !archives.empty()) {
      add_line("in " + archives);
    }
  }
  add_line(message_of(group));
  auto fold = *cause.fold;
  for (const auto* other : cause.others) {
    fold.groups.insert(fold.groups.end(), other->groups.begin(), other->groups.end());
  }
  const auto fix = fix_of(view, fold);
  const bool names_cell = !cells.empty() && without_word(fix, group.first().cell) != fix;
  const auto* const others = names_cell ? " (and likewise for the other cells)" : "";
  const bool is_again = !is_all && fix == last_fix;
  if (!fix.empty()) add_line(is_again ? "fix: the same" : fmt::format("fix: {}{}", fix, others));
  last_fix = fix;
  const auto accept =
      is_all ? accept_text(view, group.first(), gpus_of_ignore(view, group), std::string::npos)
             : std::string();
  if (!accept.empty()) text += fmt::format("  to ignore it: {}\n", accept);
  if (is_all && cause.fold->groups.size() > 1) text += listed_files(view, *cause.fold);
  if (!cells.empty()) {
    add_line(fmt::format("the same in {}: {}", count_text(cells.size(), "more cell"),
                         fmt::join(cells, ", ")));
  }
  return text;
}

/// Returns the first line alone, with the number of other cells: the audits of the cells say more.
std::string brief_line(const View& view, const LikeCells& cause, TextStyle style) {
  auto line = first_line(view, cause, style);
  if (cause.more_cells.empty()) return line;
  line.pop_back();
  return fmt::format("{} (and {})\n", line, count_text(cause.more_cells.size(), "more cell"));
}

std::string finding_text(const View& view, const LikeCells& cause, TextStyle style,
                         std::string& last_fix) {
  const auto& fold = *cause.fold;
  const auto& finding = view.findings[fold.groups.front()].first();
  if (style.brief && view.report.by_cell && !finding.cell.empty()) {
    return brief_line(view, cause, style);
  }
  const bool is_of_cell = !finding.cell.empty() || style.all;
  if (finding.cause && !(is_promised(finding) && is_of_cell)) {
    return cause_line(view, fold, style) +
           details_text(view, cause, style.all, style.columns, last_fix);
  }
  const bool is_short = view.report.without_promise && !style.all && names_one_file(finding);
  const auto first = is_short ? short_line(view, fold, style) : first_line(view, cause, style);
  const auto columns = style.all ? std::string::npos : style.columns;
  return first + details_text(view, cause, style.all, columns, last_fix);
}

/// Reports whether the path is of a file that people download or install: they may not have built
/// it.
bool is_published(std::string_view path) {
  constexpr std::array<std::string_view, 6> kPlaces = {".whl!", ".conda!",        ".tar.bz2!",
                                                       ".deb!", "site-packages/", "dist-packages/"};
  return std::any_of(kPlaces.begin(), kPlaces.end(), [path](std::string_view place) {
    return path.find(place) != std::string_view::npos;
  });
}

/// Reports whether only another build of the file helps. A matrix file or a [tool.archgrid] shows
/// that the reader builds it.
bool needs_another_build(const coverage::Finding& finding) {
  if (!finding.cause || finding.cause->rule == coverage::Rule::driver) return false;
  return !is_promised(finding) || finding.broken->remedy.place == coverage::PromisePlace::options;
}

/// A sentence with the GPUs in its middle.
struct AroundGpus {
  std::string before;
  std::string_view behind;
};

/// Returns "no kernel of this wheel runs on" and what to do, by the worst answer about the GPUs;
/// nothing without a question. Keeps only the GPUs with that answer. Code on the CPU may replace
/// kernels: only what the kernels do is certain.
std::optional<AroundGpus> worst_answer(const View& view, std::string_view what,
                                       std::set<coverage::ComputeCapability>& devices) {
  std::map<coverage::Answer, std::set<coverage::ComputeCapability>> by_answer;
  for (const auto& audit : view.report.audits) {
    for (const auto& [device, answer] : audit.answers) {
      if (devices.count(device) != 0) by_answer[answer].insert(device);
    }
  }
  if (by_answer.empty()) return std::nullopt;
  const auto& [answer, worst] = *by_answer.rbegin();
  devices = worst;
  constexpr std::string_view kTake = ": use another release or report:";
  switch (answer) {
    case coverage::Answer::does_not_run:
      return AroundGpus{fmt::format("no kernel of this {} runs on", what), kTake};
    case coverage::Answer::does_nothing:
      return AroundGpus{fmt::format("this {} does nothing on", what), kTake};
    case coverage::Answer::runs_in_part:
      return AroundGpus{fmt::format("this {} runs only in part on", what), kTake};
    case coverage::Answer::unknown:
      return AroundGpus{fmt::format("this {} cannot be judged for", what), kTake};
    case coverage::Answer::runs:
    case coverage::Answer::runs_after_jit:
      break;
  }
  return AroundGpus{fmt::format("this {} runs on", what), ", but for this, which you may report:"};
}

/// Returns names of the GPUs that a question is about, the longest first: "T4 (7.5)", "T4", "these
/// 2 GPUs".
std::vector<std::string> names_by_length(const View& view,
                                         const std::vector<coverage::ComputeCapability>& devices) {
  constexpr std::size_t kMaxNamed = 3;
  std::vector<std::string> names;
  for (const auto device : devices) {
    const auto asked = view.report.asked.find(device);
    const auto* gpu = coverage::table().find_architecture(device.number());
    const bool is_known = gpu != nullptr && !gpu->products.empty();
    names.push_back(asked != view.report.asked.end() ? asked->second
                    : is_known                       ? gpu->products.front()
                                                     : device.text());
  }
  std::vector<std::string> texts;
  if (names.size() <= kMaxNamed) texts = {asked_text(view.report, devices), enumerated(names)};
  texts.push_back(names.size() == 1 ? "this GPU" : "these " + count_text(names.size(), "GPU"));
  return texts;
}

/// Returns the first text that fits a line, or the last one.
std::string first_to_fit(const std::vector<std::string>& texts, std::size_t columns) {
  const auto fits = std::find_if(texts.begin(), texts.end(),
                                 [columns](const auto& text) { return text.size() <= columns; });
  return fits == texts.end() ? texts.back() : *fits;
}

/// Returns a line above the findings, whose fixes are for those who build the files, for readers
/// who did not build them; empty if they probably did, or if only the driver must change.
std::string users_text(const View& view, TextStyle style) {
  std::set<coverage::ComputeCapability> devices;
  std::set<coverage::ComputeCapability> of_driver;
  bool is_wheel = true;
  for (const auto& group : view.findings) {
    for (const auto* finding : group.firsts) {
      if (finding->code.starts_with("driver-too-")) {
        of_driver.insert(finding->devices.begin(), finding->devices.end());
        if (const auto device = coverage::parse_device(finding->device)) of_driver.insert(*device);
      }
      if (!is_published(finding->path) || !needs_another_build(*finding)) continue;
      is_wheel = is_wheel && finding->path.find(".whl!") != std::string::npos;
      devices.insert(finding->cause->devices.begin(), finding->cause->devices.end());
    }
  }
  for (const auto device : of_driver) devices.erase(device);
  if (devices.empty()) return {};
  std::vector<std::string> lines;
  const auto answer = view.package_answers.empty()
                          ? worst_answer(view, is_wheel ? "wheel" : "package", devices)
                          : std::nullopt;
  const std::vector<coverage::ComputeCapability> on(devices.begin(), devices.end());
  if (answer) {
    for (const auto& gpus : names_by_length(view, on)) {
      lines.push_back(fmt::format("{} {}{}", answer->before, gpus, answer->behind));
    }
  } else {
    constexpr std::size_t kMaxNamed = 3;
    std::vector<std::string> names;
    for (const auto device : on) names.push_back(device.text());
    std::vector<std::string> texts;
    if (names.size() <= kMaxNamed) {
      texts.push_back((names.size() == 1 ? "GPU " : "GPUs ") + enumerated(names));
    }
    texts.push_back("these " + count_text(names.size(), "GPU"));
    for (const auto& gpus : texts) {
      lines.push_back(
          fmt::format("if others built it: use a release for {}, or tell them this:", gpus));
    }
  }
  return wrapped(fatbin::printable(first_to_fit(lines, style.columns)), "", style.columns);
}

/// Returns the name of the package in the path of a wheel's file, "torch-gpu" for
/// torch_gpu-2.0-py3-none-any.whl!...; empty for other files, and for a local version such as
/// 2.0+cu118, which PyPI does not have.
std::string pypi_name(std::string_view path) {
  const auto wheel = path.substr(0, path.find(".whl!"));
  const auto file = wheel.substr(std::min(wheel.size(), wheel.rfind('/') + 1));
  const auto dash = file.find('-');
  if (wheel.size() == path.size() || dash == std::string_view::npos) return {};
  if (file.substr(0, file.find('-', dash + 1)).find('+') != std::string_view::npos) return {};
  std::string name(file.substr(0, dash));
  const auto is_of_names = [](unsigned char c) {
    return c < 0x80 && (std::isalnum(c) != 0 || c == '_' || c == '.');
  };
  if (!std::all_of(name.begin(), name.end(), is_of_names)) return {};  // it enters a command
  std::replace(name.begin(), name.end(), '_', '-');
  return name;
}

/// Returns a line on how to find a release that runs on the GPUs on which no kernel of the wheel
/// does; empty if there is no such answer, or more than one package. A package for another CPU has
/// no such release.
std::string release_hint(const View& view, TextStyle style) {
  std::set<coverage::ComputeCapability> devices;
  for (const auto& audit : view.report.audits) {
    for (const auto& [device, answer] : audit.answers) {
      if (answer == coverage::Answer::does_not_run) devices.insert(device);
    }
  }
  std::set<std::string> names;
  for (const auto& group : view.findings) {
    for (const auto* finding : group.firsts) {
      if (finding->code == "other-cpu") {
        if (const auto device = coverage::parse_device(finding->device)) devices.erase(*device);
      } else if (finding->cause && finding->code != "unused-ignore") {
        names.insert(pypi_name(finding->path));
      }
    }
  }
  if (devices.empty() || names.size() != 1 || names.begin()->empty()) return {};
  std::string gpus;
  for (const auto device : devices) gpus += (gpus.empty() ? "" : ",") + device.text();
  const auto command =
      fmt::format("archgrid audit pypi:{} --gpu {} --history", *names.begin(), gpus);
  constexpr std::string_view kTo = "to find a release on PyPI:";
  const bool fits = kTo.size() + 1 + command.size() <= style.columns;
  return fmt::format("{}{}{}\n", kTo, fits ? " " : "\n", fatbin::printable(command));
}

/// Returns a line on how to ignore the first finding that can be ignored; empty for none. Brief
/// audits of cells are logs of tests, whose failures people look up in the whole audit.
std::string accept_hint(const View& view, const std::vector<LikeCells>& causes, TextStyle style) {
  for (const auto& cause : causes) {
    const auto& group = view.findings[cause.fold->groups.front()];
    const auto& finding = group.first();
    if (style.brief && !finding.cell.empty()) continue;
    // The pattern names the file, and covers all errors of its kernels with this code.
    const bool is_wide = finding.kernels > 1 && finding.code != "file-lacks-arch";
    const bool is_call = ignore_place(view, finding).place == coverage::PromisePlace::cmake;
    const std::string_view what = is_wide ? "to ignore all of its file" : "to ignore one";
    const auto gpus = gpus_of_ignore(view, group);
    if (is_call) {
      const auto call = accept_text(view, finding, gpus, style.columns);
      if (call.empty()) continue;
      return fmt::format("{}, in CMakeLists.txt:\n{}\n", what, call);
    }
    const auto columns = style.columns == std::string::npos
                             ? style.columns
                             : style.columns - std::min(style.columns, what.size() + 2);
    const auto beside = accept_text(view, finding, gpus, columns);
    if (!beside.empty()) return fmt::format("{}: {}\n", what, beside);
    auto below = accept_text(view, finding, gpus, style.columns);
    if (below.empty()) below = accept_text(view, finding, {}, style.columns);
    if (!below.empty()) return fmt::format("{}:\n{}\n", what, below);
  }
  return {};
}

}  // namespace

std::string_view file_name(std::string_view path) {
  auto at = path.find_last_of("/!");
  const auto whole = path.substr(0, at);
  const bool is_object = at != std::string_view::npos && path[at] == '!' &&
                         (whole.ends_with(".a") || whole.ends_with(".lib"));
  if (is_object) at = whole.find_last_of("/!");
  return path.substr(at + 1);
}

std::string_view place_in(std::string_view path, bool is_of_cell) {
  constexpr std::string_view kCells = "/cells/";
  const auto cells = path.rfind(kCells);
  if (!is_of_cell) return file_name(path);
  return cells == std::string::npos ? path : path.substr(cells + kCells.size());
}

std::string findings_text(const View& view, TextStyle style) {
  const auto causes = causes_of(view, style.all);
  const auto most = style.all ? causes.size() : std::min(causes.size(), kTextMaxFindings);
  std::string text;
  auto users = users_text(view, style);
  std::string last_fix;
  for (std::size_t index = 0; index < most; ++index) {
    // Unused ignores come first. They are no errors of the package, which others built.
    const auto& first = view.findings[causes[index].fold->groups.front()].first();
    if (first.code != "unused-ignore") text += std::exchange(users, {});
    text += finding_text(view, causes[index], style, last_fix);
  }
  std::size_t left = 0;
  for (std::size_t index = most; index < causes.size(); ++index) left += causes[index].findings;
  if (left > 0) {
    text += fmt::format("and {} (--all or --json lists them)\n", count_text(left, "more finding"));
  }
  if (text.empty()) return text;
  text += release_hint(view, style);
  if (!style.all) text += accept_hint(view, causes, style);
  return text + '\n';
}

}  // namespace archgrid::report
