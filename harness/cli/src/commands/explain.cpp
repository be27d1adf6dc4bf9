// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <archgrid/coverage/nearest.hpp>
#include <archgrid/coverage/rules.hpp>
#include <archgrid/report/codes.hpp>
#include <cctype>
#include <string>
#include <vector>

#include "commands/commands.hpp"
#include "options.hpp"
#include "outputs.hpp"
#include "progress.hpp"

namespace archgrid::cli {
namespace {

constexpr const char* kExplainExamples = R"(Examples:
  archgrid explain
      every code that `archgrid audit` reports, a line each, and every rule
  archgrid explain not-in-image
      its meaning, its evidence, the fix, and how to ignore it
  archgrid explain left-behind
      what the "rule" of a finding in JSON means
  archgrid explain runs in part
      what words and signs of the table and the last line mean, and what to do)";

struct ExplainOptions {
  std::vector<std::string> what;  ///< the words of one name
  std::string json;               ///< destination; "-": standard output
};

/// Codes, rules and words of the screen: some have one name.
struct Explained {
  std::vector<report::Code> codes;
  std::vector<coverage::Rule> rules;
  std::vector<report::ScreenWord> words;
};

/// Returns the names of codes and rules, once each. Shells complete these: words have spaces.
std::vector<std::string> codes_and_rules() {
  std::vector<std::string> names;
  for (const auto& code : report::all_codes()) names.emplace_back(code.code);
  for (const auto rule : coverage::all_rules()) {
    const std::string name = coverage::name_of(rule);
    if (!report::find_code(name)) names.push_back(name);
  }
  return names;
}

/// Returns what has the name, or everything.
Explained find_explained(const std::string& name) {
  if (name.empty()) return {report::all_codes(), coverage::all_rules(), report::screen_words()};
  auto small = name;  // maps shout: EMPTY
  std::transform(small.begin(), small.end(), small.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  Explained found;
  if (const auto code = report::find_code(small)) found.codes.push_back(*code);
  if (const auto rule = report::find_rule(small)) found.rules.push_back(*rule);
  if (!found.codes.empty() || !found.rules.empty()) return found;
  found.words = report::find_screen_words(name);
  if (found.words.empty()) found.words = report::find_screen_words(small);
  if (!found.words.empty()) return found;
  auto names = codes_and_rules();
  for (const auto& word : report::screen_words()) names.emplace_back(word.word);
  const auto meant = coverage::nearest(name, names);
  throw UsageError("explain: \"" + name + "\" is no code, rule or word: " +
                   (meant.empty() ? "" : "write " + meant + "; ") + "archgrid explain lists them");
}

std::string text_of(const Explained& found, report::Style style, std::size_t columns) {
  std::string text;
  for (const auto& code : found.codes) text += report::code_text(code, style, columns);
  for (const auto rule : found.rules) {
    text += (text.empty() ? "" : "\n") + report::rule_text(rule, style, columns);
  }
  for (const auto& word : found.words) {
    text += (text.empty() ? "" : "\n") + report::screen_word_text(word, style, columns);
  }
  return text;
}

int run_explain(const ExplainOptions& options) {
  const auto found = find_explained(fmt::format("{}", fmt::join(options.what, " ")));
  Documents documents;
  documents.add("--json", options.json);
  documents.open();
  if (documents.on_standard_output() == nullptr) {
    const auto style = report::style_for(STDOUT_FILENO);
    const auto columns = columns_of(STDOUT_FILENO);
    print(stdout, options.what.empty() ? report::codes_text(style, columns)
                                       : text_of(found, style, columns));
  }
  const bool written = documents.write("--json", [&](const report::Sink& sink) {
    sink(report::codes_json(found.codes, found.rules, found.words));
  });
  return written ? kHolds : kTrouble;
}

}  // namespace

void add_explain(CLI::App& app, Run& run) {
  auto* command = app.add_subcommand(
      "explain",
      "Explain a code of an audit's findings and notes, a rule, or a word of the screen");
  auto& options = options_of(*command, run, run_explain);
  command->footer(kExplainExamples);
  complete_by(command->add_option(
                  "WHAT", options.what,
                  "Code, rule or word of an audit to explain, as not-in-image or 'all*'; default: "
                  "list all"),
              codes_and_rules());
  add_json(*command, options.json, "archgrid.explain/1");
  add_color(*command);
}

}  // namespace archgrid::cli
