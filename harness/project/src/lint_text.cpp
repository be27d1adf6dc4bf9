// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <archgrid/project/lint.hpp>
#include <archgrid/report.hpp>
#include <archgrid/words/phrase.hpp>
#include <iterator>
#include <nlohmann/json.hpp>

namespace archgrid::project {
namespace {

using coverage::ComputeCapability;
using nlohmann::ordered_json;

/// Returns "Dockerfile:5: TORCH_CUDA_ARCH_LIST", "x.yml:5, 9 and 3 more lines: CUDAARCHS". nvcc's
/// options are mostly on lines of their own, and have the first.
std::string place_of(const ArchList& list) {
  constexpr std::size_t kMaxLines = 3;
  std::vector<std::string> lines = {std::to_string(list.line)};
  if (list.name.front() != '-') {
    for (const auto line : list.more_lines) lines.push_back(std::to_string(line));
  }
  if (lines.size() > kMaxLines) {
    const auto more = lines.size() - kMaxLines + 1;
    lines.resize(kMaxLines - 1);
    lines.push_back(fmt::format("{} more lines", more));
  }
  return fatbin::printable(
      fmt::format("{}:{}: {}", list.path, report::enumerated(lines), list.name));
}

std::vector<std::string> texts_of(const ArchList& list) {
  std::vector<std::string> texts;
  for (const auto& arch : list.archs) texts.push_back(arch.text());
  return texts;
}

/// Returns "10.0 (B200, GB200)" for a few GPUs, numbers alone for more.
std::vector<std::string> gpu_texts(const std::vector<ComputeCapability>& devices) {
  constexpr std::size_t kMaxNamed = 3;
  std::vector<std::string> texts;
  for (const auto device : devices) {
    const auto* gpu = coverage::table().find_architecture(device.number());
    const bool is_named = devices.size() <= kMaxNamed && gpu != nullptr && !gpu->products.empty();
    texts.push_back(is_named ? fmt::format("{} ({})", device.text(), gpu->products.front())
                             : device.text());
  }
  return texts;
}

/// Returns "lacks 7.0 (V100) and has only PTX for 8.0 (A100)".
std::string missing_text(const JudgedList& judged) {
  std::vector<ComputeCapability> without;
  std::set_difference(judged.lacks.begin(), judged.lacks.end(), judged.only_ptx.begin(),
                      judged.only_ptx.end(), std::back_inserter(without));
  std::vector<std::string> parts;
  if (!without.empty()) parts.push_back("lacks " + report::enumerated(gpu_texts(without)));
  if (!judged.only_ptx.empty()) {
    parts.push_back("has only PTX for " + report::enumerated(gpu_texts(judged.only_ptx)));
  }
  return report::enumerated(parts);
}

std::string lacks_text(const Lint& lint, const JudgedList& judged, std::string_view promise) {
  const auto missing = missing_text(judged);
  if (lint.is_promised) return fmt::format("{}, which {} promises", missing, promise);
  const auto& other = lint.lists[lint.served_by.at(judged.lacks.back())].list;
  return fmt::format("{}; {}:{} has {}", missing, other.path, other.line,
                     judged.lacks.back().text());
}

std::string unable_text(const JudgedList& judged) {
  std::vector<std::string> archs;
  for (const auto& arch : judged.unable) archs.push_back(arch.text());
  return fmt::format("CUDA {}, which the file names, cannot compile for {}",
                     judged.list.toolkit->text(), report::enumerated(archs));
}

std::string late_text(const LateArchs& late) {
  return fmt::format(
      "line {} has no effect: CMake has set CMAKE_CUDA_ARCHITECTURES in line {}; set it before "
      "that",
      late.line, late.since);
}

std::string verdict_of(const Lint& lint, std::string_view promise) {
  const auto lists = report::count_text(lint.lists.size(), "list");
  const auto faults = lint.faults();
  const auto unread =
      lint.unread.empty()
          ? std::string()
          : fmt::format("; {} not read", report::count_text(lint.unread.size(), "file"));
  if (lint.lists.empty()) return "no list of architectures was found" + unread;
  if (faults == 0) {
    return (lint.is_promised ? fmt::format("arch lists keep the promise of {}: {}", promise, lists)
                             : fmt::format("arch lists agree: {}", lists)) +
           unread;
  }
  const bool lacks_any =
      std::any_of(lint.lists.begin(), lint.lists.end(),
                  [](const JudgedList& judged) { return !judged.lacks.empty(); });
  if (!lacks_any) return fmt::format("arch lists have faults: {} of {}", faults, lists);
  return lint.is_promised
             ? fmt::format("arch lists break the promise of {}: {} of {}", promise, faults, lists)
             : fmt::format("arch lists disagree: {} of {}", faults, lists);
}

}  // namespace

std::string lint_text(const Lint& lint, std::string_view promise, std::size_t columns) {
  std::string text;
  for (const auto& judged : lint.lists) {
    const auto line =
        fmt::format("{} {}", place_of(judged.list), fmt::join(texts_of(judged.list), " "));
    text += report::hanging("", line, "    ", columns);
    if (!judged.lacks.empty()) {
      text += report::wrapped(fatbin::printable(lacks_text(lint, judged, promise)), "  ", columns);
    }
    if (!judged.unable.empty()) text += report::wrapped(unable_text(judged), "  ", columns);
    if (judged.late) text += report::wrapped(late_text(*judged.late), "  ", columns);
  }
  for (const auto& unread : lint.unread) {
    const auto line = fmt::format("{}:{}: computes its archs: not read", unread.path, unread.line);
    text += report::hanging("", fatbin::printable(line), "    ", columns);
  }
  if (lint.faults() > 0) {
    text += '\n' + report::wrapped(
                       "a line with the comment \"archgrid: ignore\", or below such a comment, is "
                       "not read",
                       "", columns);
  }
  return text + report::wrapped(fatbin::printable(verdict_of(lint, promise)), "", columns);
}

std::string lint_json(const Lint& lint) {
  ordered_json lists = ordered_json::array();
  for (const auto& judged : lint.lists) {
    ordered_json lacks = ordered_json::array();
    for (const auto device : judged.lacks) lacks.push_back(device.text());
    ordered_json only_ptx = ordered_json::array();
    for (const auto device : judged.only_ptx) only_ptx.push_back(device.text());
    ordered_json entry = {{"path", judged.list.path}, {"line", judged.list.line},
                          {"name", judged.list.name}, {"archs", texts_of(judged.list)},
                          {"lacks", lacks},           {"only_ptx", only_ptx}};
    if (!judged.list.more_lines.empty()) entry["more_lines"] = judged.list.more_lines;
    if (!judged.unable.empty()) {
      ordered_json unable = ordered_json::array();
      for (const auto& arch : judged.unable) unable.push_back(arch.text());
      entry["toolkit"] = judged.list.toolkit->text();
      entry["unable"] = unable;
    }
    if (judged.late) entry["late"] = {{"line", judged.late->line}, {"since", judged.late->since}};
    lists.push_back(std::move(entry));
  }
  ordered_json document = {{"schema", "archgrid.lint/1"},
                           {"promised", lint.is_promised},
                           {"faults", lint.faults()},
                           {"lists", lists}};
  for (const auto& unread : lint.unread) {
    document["unread"].push_back({{"path", unread.path}, {"line", unread.line}});
  }
  return document.dump(2, ' ', false, ordered_json::error_handler_t::replace) + '\n';
}

}  // namespace archgrid::project
