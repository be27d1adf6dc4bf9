// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <archgrid/coverage/nearest.hpp>
#include <archgrid/coverage/rules.hpp>
#include <archgrid/promises/error.hpp>
#include <archgrid/promises/gpus.hpp>
#include <archgrid/promises/lists.hpp>
#include <archgrid/promises/spelling.hpp>
#include <archgrid/report/codes.hpp>
#include <archgrid/system/terminal.hpp>
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
      what words and signs of the table, the map and the last line mean, and what to do
  archgrid explain H100
      the compute capability, products, archs, toolkits and drivers of a GPU)";

struct ExplainOptions {
  std::vector<std::string> what;  ///< the words of one name
  std::string json;               ///< destination; "-": standard output
};

/// All that one name means: "native" is a word of the screen and a code, "jit" a code and a rule.
struct Explained {
  std::vector<report::Code> codes;
  std::vector<coverage::Rule> rules;
  std::vector<report::ScreenWord> words;
  std::vector<coverage::ComputeCapability> gpus;

  [[nodiscard]] bool empty() const {
    return codes.empty() && rules.empty() && words.empty() && gpus.empty();
  }
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

/// Splits a text into lower-case words of letters and digits: "RTX6000" and "RTX 6000" have equal
/// words.
std::vector<std::string> words_of(const std::string& text) {
  std::vector<std::string> words(1);
  for (const char c : promises::lower_case(text)) {
    const bool is_digit = std::isdigit(static_cast<unsigned char>(c)) != 0;
    const bool is_word = std::isalnum(static_cast<unsigned char>(c)) != 0;
    if (!is_word || (is_digit && (words.back() == "rtx" || words.back() == "gtx"))) {
      words.emplace_back();
    }
    if (is_word) words.back() += c;
  }
  std::erase_if(words, [](const std::string& word) { return word.empty(); });
  return words;
}

/// Reports whether all words of the text are words of one product or generation, and not of a list
/// or a sentence about GPUs.
bool is_whole_name(const std::string& text) {
  const auto words = words_of(text);
  const auto has_all = [&words](const std::string& name) {
    const auto of_name = words_of(name);
    return std::all_of(words.begin(), words.end(), [&of_name](const std::string& word) {
      return std::find(of_name.begin(), of_name.end(), word) != of_name.end();
    });
  };
  const auto& rows = coverage::table().architectures;
  return text.find(',') == std::string::npos &&
         std::any_of(rows.begin(), rows.end(), [&has_all](const auto& row) {
           return has_all(row.generation) ||
                  std::any_of(row.products.begin(), row.products.end(), has_all);
         });
}

/// Returns the GPUs that the text names, also ambiguously ("RTX 6000") or by an arch ("90a").
std::vector<coverage::ComputeCapability> find_gpus(const std::string& text) {
  if (const auto arch = promises::read_known_arch(text)) {
    return {coverage::table().find_architecture(arch->arch.number)->device};
  }
  try {
    return promises::read_gpus({text});
  } catch (const promises::PromiseError&) {
    if (!is_whole_name(text)) return {};
    return coverage::devices_named(text);
  }
}

std::vector<coverage::ComputeCapability> all_gpus() {
  std::vector<coverage::ComputeCapability> gpus;
  for (const auto& row : coverage::table().architectures) gpus.push_back(row.device);
  return gpus;
}

/// Adds the code and the rule with the name.
void add_code_and_rule(const std::string& name, Explained& found) {
  if (const auto code = report::find_code(name)) found.codes.push_back(*code);
  if (const auto rule = report::find_rule(name)) found.rules.push_back(*rule);
}

/// Returns the name without the parentheses of "(missing)" on a map, or the s of a plural; empty if
/// it has none.
std::string plain_form(const std::string& name) {
  if (name.size() > 2 && name.front() == '(' && name.back() == ')') {
    return name.substr(1, name.size() - 2);
  }
  return name.size() > 1 && name.back() == 's' ? name.substr(0, name.size() - 1) : std::string();
}

/// Returns up to three names that resemble `typed`, or have it as a word: "runs in part" for
/// "part".
std::vector<std::string> near_names(const std::string& typed) {
  auto names = codes_and_rules();
  for (const auto& word : report::screen_words()) names.emplace_back(word.word);
  return coverage::nearest_words(typed, names);
}

/// Returns what has the name, or everything.
Explained find_explained(const std::string& name) {
  if (name.empty()) {
    return {report::all_codes(), coverage::all_rules(), report::screen_words(), all_gpus()};
  }
  const auto small = promises::lower_case(name);  // maps shout: EMPTY
  Explained found;
  add_code_and_rule(small, found);
  const auto words = report::find_screen_words(name);
  // "error rate" begins with a word, but "not-in-image" names just the code.
  if (found.empty() || report::is_screen_word(name)) found.words = words;
  if (found.codes.empty() && found.rules.empty()) add_code_and_rule(plain_form(small), found);
  if (found.empty()) found.gpus = find_gpus(name);
  if (!found.empty()) return found;
  const auto near = near_names(small);
  throw UsageError("explain: \"" + name + "\" is no code, rule, word or GPU: " +
                   (near.empty() ? "" : "write " + promises::either(near) + "; ") +
                   "archgrid explain lists them");
}

std::string text_of(const Explained& found, report::Style style, std::size_t columns) {
  std::string text;
  const auto add = [&text](const std::string& part, const char* also = "") {
    text += (text.empty() ? "" : "\n") + (also + part);
  };
  const auto is_word = [&found](std::string_view name) {
    return std::any_of(found.words.begin(), found.words.end(),
                       [name](const auto& word) { return !word.of_list && word.word == name; });
  };
  const auto add_words = [&](bool of_list) {
    for (const auto& word : found.words) {
      if (word.of_list == of_list) add(report::screen_word_text(word, style, columns));
    }
  };
  add_words(false);
  for (const auto& code : found.codes) {
    add(report::code_text(code, style, columns), is_word(code.code) ? "also a code:\n" : "");
  }
  for (const auto rule : found.rules) {
    add(report::rule_text(rule, style, columns),
        is_word(coverage::name_of(rule)) ? "also a rule:\n" : "");
  }
  add_words(true);
  for (const auto& gpu : found.gpus) add(report::gpu_text(gpu, style, columns));
  return text;
}

int run_explain(const ExplainOptions& options) {
  const auto found = find_explained(fmt::format("{}", fmt::join(options.what, " ")));
  Documents documents;
  documents.add("--json", options.json);
  documents.open();
  if (documents.on_standard_output() == nullptr) {
    const auto style = report::style_for(system::kStandardOutput);
    const auto columns = columns_of(system::kStandardOutput);
    print(stdout, options.what.empty() ? report::codes_text(style, columns)
                                       : text_of(found, style, columns));
  }
  const bool written = documents.write("--json", [&](const report::Sink& sink) {
    sink(report::codes_json(found.codes, found.rules, found.words, found.gpus));
  });
  return written ? kHolds : kTrouble;
}

}  // namespace

void add_explain(CLI::App& app, Run& run) {
  auto* command = app.add_subcommand(
      "explain",
      "Explain a code of an audit's findings and notes, a rule, a word of the screen, or a GPU");
  auto& options = options_of(*command, run, run_explain);
  command->footer(kExplainExamples);
  complete_by(command->add_option(
                  "WHAT", options.what,
                  "Code, rule or word of an audit, or GPU to explain, as not-in-image, 'all*' or "
                  "H100; default: list all"),
              codes_and_rules());
  add_json(*command, options.json, "archgrid.explain/1");
  add_color(*command);
}

}  // namespace archgrid::cli
