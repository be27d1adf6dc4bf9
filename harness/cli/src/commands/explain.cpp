// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include <unistd.h>

#include <algorithm>
#include <archgrid/coverage/nearest.hpp>
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
      every code that `archgrid audit` reports, a line each
  archgrid explain not-in-image
      its meaning, its evidence, the fix, and how to ignore it)";

struct ExplainOptions {
  std::string what;
  std::string json;  ///< destination; "-": standard output
};

std::vector<std::string> names_of_codes() {
  std::vector<std::string> names;
  for (const auto& code : report::all_codes()) names.emplace_back(code.code);
  return names;
}

/// Returns the code that was named, or all.
std::vector<report::Code> wanted_codes(const std::string& name) {
  if (name.empty()) return report::all_codes();
  auto small = name;  // maps shout: EMPTY
  std::transform(small.begin(), small.end(), small.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  if (const auto code = report::find_code(small)) return {*code};
  const auto meant = coverage::nearest(name, names_of_codes());
  throw UsageError("explain: \"" + name + "\" is no code: " +
                   (meant.empty() ? "" : "write " + meant + "; ") + "archgrid explain lists them");
}

int run_explain(const ExplainOptions& options) {
  const auto codes = wanted_codes(options.what);
  Documents documents;
  documents.add("--json", options.json);
  documents.open();
  if (documents.on_standard_output() == nullptr) {
    const auto style = report::style_for(STDOUT_FILENO);
    const auto columns = columns_of(STDOUT_FILENO);
    print(stdout, options.what.empty() ? report::codes_text(style, columns)
                                       : report::code_text(codes.front(), style, columns));
  }
  const bool written =
      documents.write("--json", [&](const report::Sink& sink) { sink(report::codes_json(codes)); });
  return written ? kHolds : kTrouble;
}

}  // namespace

void add_explain(CLI::App& app, Run& run) {
  auto* command = app.add_subcommand("explain", "Explain a code of an audit's findings and notes");
  auto& options = options_of(*command, run, run_explain);
  command->footer(kExplainExamples);
  complete_by(command->add_option("WHAT", options.what,
                                  "Code to explain, as not-in-image; default: list all"),
              names_of_codes());
  add_json(*command, options.json, "archgrid.explain/1");
  add_color(*command);
}

}  // namespace archgrid::cli
