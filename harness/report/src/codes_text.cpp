// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <archgrid/coverage/rules.hpp>
#include <archgrid/report/codes.hpp>
#include <archgrid/words/cause_text.hpp>
#include <nlohmann/json.hpp>

#include "dump_json.hpp"
#include "style.hpp"

namespace archgrid::report {
namespace {

constexpr std::string_view kMargin = "          ";

/// Returns "means     The driver takes one image ...".
std::string part(std::string_view name, std::string_view text, Style style, std::size_t columns) {
  if (text.empty()) return {};
  auto lines = hanging(fmt::format("{:<10}", name), text, kMargin, columns);
  lines.replace(0, name.size(), paint(std::string(name), Ink::soft, style));
  return lines;
}

std::string ignore_help(const Code& code) {
  switch (code.about) {
    case About::kernel:
      return fmt::format("--ignore '{}:PATTERN=REASON', PATTERN for the kernel or its file",
                         code.code);
    case About::file:
      return fmt::format("--ignore '{}:PATTERN=REASON', PATTERN for the file", code.code);
    case About::gpu:
      return fmt::format("--ignore '{}:PATTERN=REASON', PATTERN for the GPU, like 9.0", code.code);
    case About::setting:
      return "impossible: correct the matrix file or the command";
    case About::note:
      break;
  }
  return "unnecessary: a note fails nothing";
}

/// Returns the word for JSON.
const char* about_text(About about) {
  switch (about) {
    case About::kernel:
      return "kernel";
    case About::file:
      return "file";
    case About::gpu:
      return "gpu";
    case About::setting:
      return "setting";
    case About::note:
      break;
  }
  return "note";
}

bool makes_error(coverage::Rule rule) {
  return coverage::severity_of(rule) == coverage::Severity::error;
}

/// Returns the codes of errors by the rule.
std::vector<Code> codes_of(coverage::Rule rule) {
  std::vector<Code> codes;
  for (const auto& code : all_codes()) {
    const auto rules = error_rules_of(code.code);
    if (std::find(rules.begin(), rules.end(), rule) != rules.end()) codes.push_back(code);
  }
  return codes;
}

/// Returns "errors    registered, unit, ...", the names of the rules with this severity.
std::string names_of_rules(std::string_view head, coverage::Severity severity, Style style,
                           std::size_t columns) {
  std::vector<std::string_view> names;
  for (const auto rule : coverage::all_rules()) {
    if (coverage::severity_of(rule) == severity) names.emplace_back(coverage::name_of(rule));
  }
  return part(head, fmt::format("{}", fmt::join(names, ", ")), style, columns);
}

/// Returns "audit     all, %, ..." and "list      sass, ptx, ...", after a heading.
std::string names_of_words(Style style, std::size_t columns) {
  std::vector<std::string_view> of_audits;
  std::vector<std::string_view> of_lists;
  for (const auto& word : screen_words()) {
    (word.of_list ? of_lists : of_audits).push_back(word.word);
  }
  return "\nwords of the screen: archgrid explain WORD\n\n" +
         part("audit", fmt::format("{}", fmt::join(of_audits, ", ")), style, columns) +
         part("list", fmt::format("{}", fmt::join(of_lists, ", ")), style, columns);
}

/// Returns "GPUs      3.5, ...", after a heading.
std::string names_of_gpus(Style style, std::size_t columns) {
  std::vector<std::string> names;
  for (const auto& gpu : coverage::table().architectures) names.push_back(gpu.device.text());
  return "\nGPUs, by compute capability or name: archgrid explain H100\n\n" +
         part("GPUs", fmt::format("{}", fmt::join(names, ", ")), style, columns);
}

/// Returns the plain arch of a GPU and those with a suffix: "100", "100a", "100f".
std::vector<std::string> archs_of(const coverage::Architecture& gpu) {
  std::vector<std::string> archs = {std::to_string(gpu.number)};
  for (const char suffix : gpu.suffixes) archs.push_back(archs.front() + suffix);
  return archs;
}

/// Returns the oldest toolkit whose nvcc compiles for the GPU; nothing if no toolkit of the table
/// does.
std::optional<coverage::Version> oldest_toolkit(const coverage::Architecture& gpu) {
  const auto toolkits = coverage::table().toolkits_for({gpu.number});
  if (toolkits.empty()) return std::nullopt;
  return toolkits.front();
}

/// Returns "11.8 to 12.9": the toolkits of the table that compile for the GPU.
std::string toolkits_text(const coverage::Architecture& gpu) {
  const auto& known = coverage::table().toolkits;
  const auto toolkits = coverage::table().toolkits_for({gpu.number});
  if (toolkits.empty()) return "none that archgrid knows compiles for it";
  const auto first = toolkits.front().text();
  const auto last = toolkits.back().text();
  const bool is_oldest = toolkits.front() == known.front().cuda;
  const bool is_newest = toolkits.back() == known.back().cuda;
  return fmt::format("CUDA {}{} {}", first, is_oldest ? " (the oldest that archgrid knows)" : "",
                     is_newest ? "or newer compiles for it"
                               : fmt::format("to {}: newer ones do not compile for it", last));
}

/// Returns "570 or newer", "470 or older".
std::string drivers_text(const coverage::Architecture& gpu) {
  if (gpu.first_driver == 0 && gpu.last_driver == 0) return "archgrid knows no limit";
  if (gpu.last_driver == 0) return fmt::format("{} or newer", gpu.first_driver);
  if (gpu.first_driver == 0) return fmt::format("{} or older", gpu.last_driver);
  return fmt::format("{} to {}", gpu.first_driver, gpu.last_driver);
}

/// Returns one line of archgrid.explain/1.
std::string gpu_json(coverage::ComputeCapability gpu) {
  const auto& row = *coverage::table().find_architecture(gpu.number());
  nlohmann::ordered_json entry = {{"gpu", gpu.text()},
                                  {"generation", row.generation},
                                  {"products", row.products},
                                  {"archs", archs_of(row)}};
  if (const auto oldest = oldest_toolkit(row)) entry["oldest_toolkit"] = oldest->text();
  if (row.first_driver != 0) entry["first_driver"] = std::to_string(row.first_driver);
  if (row.last_driver != 0) entry["last_driver"] = std::to_string(row.last_driver);
  return dump(entry);
}

/// Returns the name of a file up to its version or hash, with a *: "libx-*" for
/// "libx-1a2b3c4d.so.12.4".
std::string pattern_of_file(std::string_view path) {
  const auto name = std::string(path.substr(path.find_last_of("/!") + 1));
  const auto plain = coverage::without_versions(name);
  if (plain == name) return name;
  const auto end = std::mismatch(name.begin(), name.end(), plain.begin(), plain.end()).first;
  if (end == name.begin()) return name;
  const bool is_separated = end != name.end() && (*end == '-' || *end == '.');
  return std::string(name.begin(), is_separated ? end + 1 : end) + '*';
}

/// Returns the pattern in `most` characters, with a * in place of its middle: the last template
/// arguments distinguish kernels whose names begin alike.
std::string with_gap(const std::string& pattern, std::size_t most) {
  const auto kept = most - 1;
  const auto end = kept / 3;
  return pattern.substr(0, kept - end) + '*' + pattern.substr(pattern.size() - end);
}

/// Reports whether the pattern can stand in single quotes before "=REASON", and in double quotes.
bool is_quotable(const std::string& pattern) {
  return !pattern.empty() && pattern.find_first_of("='\"\\") == std::string::npos &&
         fatbin::printable(pattern) == pattern;
}

}  // namespace

std::string ignore_of(const coverage::Finding& finding, std::size_t most) {
  const auto code = find_code(finding.code);
  if (!code || !can_be_ignored(*code)) return {};
  const bool is_of_kernel = finding.kernels == 1 && !finding.kernel.str().empty();
  auto pattern = is_of_kernel ? coverage::without_signature(demangled_of(finding)) : std::string();
  if (!is_quotable(pattern)) pattern = pattern_of_file(finding.path);
  if (code->about == About::gpu) pattern = finding.device;
  if (!is_quotable(pattern)) return {};
  const auto start = finding.code + ':';
  if (start.size() + pattern.size() <= most) return start + pattern;
  constexpr std::size_t kNarrow = 10;  // a shorter beginning would match others, too
  if (most < start.size() + kNarrow) return {};
  return start + with_gap(pattern, most - start.size());
}

std::string code_text(const Code& code, Style style, std::size_t columns) {
  auto text = hanging(fmt::format("{}: ", code.code), code.title, "  ", columns);
  text.replace(0, code.code.size(), paint(std::string(code.code), Ink::strong, style));
  text += '\n' + part("means", code.meaning, style, columns);
  for (const auto rule : error_rules_of(code.code)) {
    text += part("evidence", fmt::format("{}: {}", coverage::name_of(rule), evidence_text(rule)),
                 style, columns);
  }
  return text + part("fix", code.fix, style, columns) +
         part("ignore", ignore_help(code), style, columns);
}

std::string rule_text(coverage::Rule rule, Style style, std::size_t columns) {
  const std::string_view name = coverage::name_of(rule);
  const auto* const title = makes_error(rule) ? "evidence that makes an error"
                                              : "evidence of a suspect, which may be intended";
  auto text = hanging(fmt::format("{}: ", name), title, "  ", columns);
  text.replace(0, name.size(), paint(std::string(name), Ink::strong, style));
  text += '\n' + part("evidence", evidence_text(rule), style, columns);
  for (const auto& code : codes_of(rule)) {
    text += part("code", fmt::format("{}: {}", code.code, code.title), style, columns);
  }
  const auto* const fails = makes_error(rule) ? "" : "only with --strict";
  return text + part("fails", fails, style, columns);
}

std::string gpu_text(coverage::ComputeCapability gpu, Style style, std::size_t columns) {
  const auto& row = *coverage::table().find_architecture(gpu.number());
  const auto name = gpu.text();
  auto text = hanging(fmt::format("{}: ", name),
                      fmt::format("compute capability of {} GPUs", row.generation), "  ", columns);
  text.replace(0, name.size(), paint(name, Ink::strong, style));
  return text + '\n' +
         part("products", fmt::format("{}", fmt::join(row.products, ", ")), style, columns) +
         part("archs", fmt::format("{}", fmt::join(archs_of(row), ", ")), style, columns) +
         part("toolkits", toolkits_text(row), style, columns) +
         part("drivers", drivers_text(row), style, columns) +
         part("to ask", "archgrid audit FILE --gpu " + name, style, columns);
}

std::string codes_text(Style style, std::size_t columns) {
  std::size_t width = 0;
  for (const auto& code : all_codes()) width = std::max(width, code.code.size());
  std::string text;
  bool are_notes = false;
  for (const auto& code : all_codes()) {
    if (code.about == About::note && !are_notes) text += "\nnotes, which fail nothing\n\n";
    are_notes = code.about == About::note;
    auto line = hanging(fmt::format("{:<{}}  ", code.code, width), code.title,
                        std::string(width + 2, ' '), columns);
    line.replace(0, code.code.size(), paint(std::string(code.code), Ink::strong, style));
    text += line;
  }
  text += "\nrules, the evidence of findings: archgrid explain RULE\n\n";
  return text + names_of_rules("errors", coverage::Severity::error, style, columns) +
         names_of_rules("suspects", coverage::Severity::suspect, style, columns) +
         names_of_words(style, columns) + names_of_gpus(style, columns);
}

std::string codes_json(const std::vector<Code>& codes, const std::vector<coverage::Rule>& rules,
                       const std::vector<ScreenWord>& words,
                       const std::vector<coverage::ComputeCapability>& gpus) {
  std::vector<std::string> of_codes;
  for (const auto& code : codes) {
    nlohmann::ordered_json entry = {{"code", code.code},
                                    {"about", about_text(code.about)},
                                    {"title", code.title},
                                    {"meaning", code.meaning},
                                    {"evidence", nlohmann::ordered_json::object()},
                                    {"fix", code.fix},
                                    {"ignore", ignore_help(code)}};
    for (const auto rule : error_rules_of(code.code)) {
      entry["evidence"][coverage::name_of(rule)] = evidence_text(rule);
    }
    of_codes.push_back(dump(entry));
  }
  std::vector<std::string> of_rules;
  for (const auto rule : rules) {
    nlohmann::ordered_json entry = {{"rule", coverage::name_of(rule)},
                                    {"severity", makes_error(rule) ? "error" : "suspect"},
                                    {"evidence", evidence_text(rule)},
                                    {"codes", nlohmann::ordered_json::array()}};
    for (const auto& code : codes_of(rule)) entry["codes"].push_back(code.code);
    of_rules.push_back(dump(entry));
  }
  std::vector<std::string> of_words;
  for (const auto& word : words) {
    of_words.push_back(dump(nlohmann::ordered_json{{"word", word.word},
                                                   {"command", word.of_list ? "list" : "audit"},
                                                   {"meaning", word.meaning},
                                                   {"advice", word.advice}}));
  }
  std::vector<std::string> of_gpus;
  for (const auto& gpu : gpus) of_gpus.push_back(gpu_json(gpu));
  return fmt::format(
      "{{\"schema\": \"archgrid.explain/1\",\n\"codes\": [\n  {}\n],\n\"rules\": [\n  {}\n],\n"
      "\"words\": [\n  {}\n],\n\"gpus\": [\n  {}\n]}}\n",
      fmt::join(of_codes, ",\n  "), fmt::join(of_rules, ",\n  "), fmt::join(of_words, ",\n  "),
      fmt::join(of_gpus, ",\n  "));
}

}  // namespace archgrid::report
