// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Audits and plans, written for people and for programs.
#ifndef ARCHGRID_REPORT_HPP
#define ARCHGRID_REPORT_HPP

#include <archgrid/audit_view.hpp>
#include <archgrid/coverage.hpp>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace archgrid::report {

struct Style {
  bool colour = false;
};

/// Colour if `descriptor` is a terminal or CLICOLOR_FORCE is set, and NO_COLOR is not.
Style style_for(int descriptor);

struct TextStyle {
  Style style;
  bool all = false;       ///< every kernel and every finding, however many
  bool suspects = false;  ///< each in a line of its own
  std::size_t columns = 80;
};

/// The maps, the findings and the closing line: one screen, however big the files are.
std::string audit_text(const View& view, TextStyle style);

/// The closing line alone: one line, however narrow the screen is, as scripts read it.
std::string verdict_text(const View& view, TextStyle style);

/// Takes a document piece by piece, so that a big one is never whole in memory.
using Sink = std::function<void(std::string_view)>;

/// archgrid.audit/1
void write_json(const View& view, const Sink& sink);

/// JUnit: a suite for each file (or cell) and in it a test for each device.
void write_junit(const View& view, const Sink& sink);

/// SARIF 2.1.0. `version` is archgrid's own.
void write_sarif(const View& view, std::string_view version, const Sink& sink);

/// GitHub's Markdown, at most `most` bytes: what does not fit is counted.
std::string audit_markdown(const View& view, std::size_t most);

/// Workflow commands that annotate a GitHub Actions run: at most ten, the tenth counts the rest.
std::string audit_annotations(const View& view);

/// The text, such that GitHub Actions takes no line of it for a workflow command.
std::string without_commands(std::string text);

/// One HTML page that needs nothing else and no network.
void write_html(const View& view, std::string_view version, const Sink& sink);

/// Cells, jobs and what each needs, from an archgrid.plan/1 document. Throws std::runtime_error.
std::string plan_text(const std::string& plan_json, Style style);

/// Kernel names for people, each as short as it can be while all differ: without return type,
/// parameters and namespaces.
std::vector<std::string> short_names(const std::vector<std::string>& demangled);

}  // namespace archgrid::report

#endif
