// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Writes audits and plans for people and for programs.
#ifndef ARCHGRID_REPORT_HPP
#define ARCHGRID_REPORT_HPP

#include <archgrid/coverage.hpp>
#include <archgrid/report/audit_view.hpp>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace archgrid::report {

struct Style {
  bool colour = false;
};

/// Breaks the text at blanks into lines of at most `columns` that start with `margin`. Never breaks
/// longer words and texts that readers paste: commands, entries of matrix files, code.
std::string wrapped(std::string_view text, std::string_view margin, std::size_t columns);

/// Breaks the text likewise. The first line starts with `begin`, the others with `margin`.
std::string hanging(std::string_view begin, std::string_view text, std::string_view margin,
                    std::size_t columns);

/// Returns a style with colour if `descriptor` is a terminal or CLICOLOR_FORCE is set, and NO_COLOR
/// is not set.
Style style_for(int descriptor);

struct TextStyle {
  Style style;
  bool all = false;       ///< every kernel and every finding, in any number
  bool suspects = false;  ///< each on a line of its own
  std::size_t columns = 80;
  bool brief = false;  ///< no maps and notes; findings of a tree's cells in a line each
};

/// Returns the maps, the findings and the closing line: one screen, for files of any size.
std::string audit_text(const View& view, TextStyle style);

/// Returns only the closing line. It is never wrapped, because scripts read it.
std::string closing_line_text(const View& view, TextStyle style);

/// A receiver of a document in pieces, so that a large one is never completely in memory.
using Sink = std::function<void(std::string_view)>;

/// Writes archgrid.audit/1. `version` is archgrid's own.
void write_json(const View& view, std::string_view version, const Sink& sink);

/// Writes JUnit: one suite per file (or cell), with one test per device.
void write_junit(const View& view, const Sink& sink);

/// Writes SARIF 2.1.0. `version` is archgrid's own.
void write_sarif(const View& view, std::string_view version, const Sink& sink);

/// Returns GitHub's Markdown, at most `most` bytes; the rest is counted.
std::string audit_markdown(const View& view, std::size_t most);

/// Returns workflow commands that annotate a GitHub Actions run: at most ten, the tenth counts the
/// rest.
std::string audit_annotations(const View& view);

/// Changes text so that GitHub Actions reads no line of it as a workflow command.
std::string without_commands(std::string text);

/// Writes one self-contained HTML page, which needs no network.
void write_html(const View& view, std::string_view version, const Sink& sink);

/// Returns the cells, the jobs and the needs of each, from an archgrid.plan/1 document. Throws
/// std::runtime_error.
std::string plan_text(const std::string& plan_json, Style style);

/// Returns the jobs of an archgrid.jobs/1 document, each with its cells.
std::string jobs_text(const std::string& jobs_json, TextStyle style);

/// Returns readable kernel names, as short as possible while all differ: without return type,
/// parameters and namespaces.
std::vector<std::string> short_names(const std::vector<std::string>& demangled);

}  // namespace archgrid::report

#endif
