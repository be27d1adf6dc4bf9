// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include "audit_outputs.hpp"

#include <fmt/format.h>

#include <archgrid/system/terminal.hpp>
#include <functional>
#include <limits>
#include <utility>

#include "options.hpp"
#include "progress.hpp"
#include "version.hpp"

namespace archgrid::cli {

using report::Sink;
using report::View;

void add_outputs(CLI::App& command, AuditOutputOptions& options) {
  const auto add = [&command](const char* name, std::string& path, const char* what) {
    command.add_option(name, path, what)->option_text("FILE")->group("Output");
  };
  command.add_flag("--all", options.all, "Show every kernel and finding, however many")
      ->group("Output");
  command.add_flag("--suspects", options.suspects, "Show every suspect in a line")->group("Output");
  command
      .add_flag("--brief", options.brief,
                "Show findings and the verdict, without table and notes; with --tree, each "
                "finding of a cell in a line")
      ->group("Output");
  command.add_flag("-q,--quiet", options.quiet, "Show the last line alone: the verdict")
      ->group("Output");
  add_color(command);
  add_json(command, options.json, "archgrid.audit/1")->group("Output");
  add("--html", options.html, "Write one HTML page: the coverage as a picture, to be searched");
  add("--markdown", options.markdown, "Write Markdown");
  add("--junit", options.junit, "Write JUnit's XML");
  add("--sarif", options.sarif, "Write SARIF 2.1.0");
  command
      .add_flag("--github", options.github,
                "In GitHub Actions: annotate the run, and write its step summary")
      ->group("Output");
}

AuditOutputs::AuditOutputs(const AuditOutputOptions& options,
                           const std::vector<std::string>& inputs)
    : options_(options) {
  documents_.add("--json", options.json);
  documents_.add("--junit", options.junit);
  documents_.add("--html", options.html);
  documents_.add("--markdown", options.markdown);
  documents_.add("--sarif", options.sarif);
  const auto* option = documents_.on_standard_output();
  if (option != nullptr && options_.github) {
    throw UsageError(fmt::format("--github writes to standard output: name a file for {} ({}=FILE)",
                                 option, option));
  }
  documents_.spare(inputs);
  documents_.open();
}

bool AuditOutputs::write(const View& view) {
  bool written = true;
  const auto document = [&](const char* option, const std::function<void(const Sink&)>& writer) {
    written = documents_.write(option, writer) && written;
  };
  if (documents_.on_standard_output() == nullptr) write_text(view);
  document("--json", [&](const Sink& sink) { report::write_json(view, kVersion, sink); });
  document("--junit", [&](const Sink& sink) { report::write_junit(view, sink); });
  document("--html", [&](const Sink& sink) { report::write_html(view, kVersion, sink); });
  document("--markdown", [&](const Sink& sink) {
    sink(report::audit_markdown(view, std::numeric_limits<std::size_t>::max()));
  });
  document("--sarif", [&](const Sink& sink) { report::write_sarif(view, kVersion, sink); });
  if (options_.github)
    written = attempt([&] {
                write_summary([&](std::size_t most) { return report::audit_markdown(view, most); });
              }) &&
              written;
  for (const auto error : view.errors) {
    const auto lines = error_lines(error);
    print(stderr, options_.github ? report::without_commands(lines) : lines);
  }
  return written;
}

void AuditOutputs::write_text(const View& view) {
  const report::TextStyle style = {
      report::style_for(system::kStandardOutput), options_.all, options_.suspects,
      options_.quiet ? std::string::npos : columns_of(system::kStandardOutput), options_.brief};
  auto text =
      options_.quiet ? report::closing_line_text(view, style) : report::audit_text(view, style);
  if (!options_.github) return print(stdout, text);
  print(stdout, report::without_commands(std::move(text)));
  fmt::print("{}", report::audit_annotations(view));
}

}  // namespace archgrid::cli
