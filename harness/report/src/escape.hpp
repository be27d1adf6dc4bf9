// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Escapes names and messages, which come from hostile files, for each output format.
#ifndef ARCHGRID_REPORT_ESCAPE_HPP
#define ARCHGRID_REPORT_ESCAPE_HPP

#include <archgrid/fatbin.hpp>
#include <string>
#include <string_view>

namespace archgrid::report {

/// Returns the text with U+FFFD in place of invalid UTF-8.
std::string utf8(std::string_view text);

/// Returns a JSON string with its quotes, which is safe in HTML's <script> and on a terminal:
/// characters that fatbin::printable() replaces are escaped.
std::string json_string(std::string_view text);

/// Escapes text and quoted attributes of XML and HTML, with U+FFFD for characters that XML 1.0
/// forbids.
std::string xml_text(std::string_view text);

/// Escapes a line of GitHub's Markdown: shown verbatim, without mentions.
std::string markdown_text(std::string_view text);

/// Returns a code span of GitHub's Markdown; in a table, `|` is escaped, too.
std::string markdown_code(std::string_view text, bool in_table);

/// Returns a workflow command of GitHub Actions that annotates the run with an error, with its line
/// break. `path` may be empty.
std::string annotation(std::string_view path, std::string_view title, std::string_view message);

/// Returns the base64 form of hexadecimal bytes, as a security policy's hash needs it.
std::string base64_of_hex(std::string_view hex);

/// Escapes a path for a relative URI reference.
std::string uri_path(std::string_view path);

using fatbin::shortened;

}  // namespace archgrid::report

#endif
