// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Names and messages come from hostile files: each format has its own way to keep them harmless.
#ifndef ARCHGRID_REPORT_ESCAPE_HPP
#define ARCHGRID_REPORT_ESCAPE_HPP

#include <archgrid/fatbin.hpp>
#include <string>
#include <string_view>

namespace archgrid::report {

/// The text with U+FFFD for what is no UTF-8.
std::string utf8(std::string_view text);

/// A JSON string with its quotes, that may stand in HTML's <script> too, and be shown by a
/// terminal: what fatbin::printable() replaces is escaped.
std::string json_string(std::string_view text);

/// For XML's and HTML's text and quoted attributes, with U+FFFD for what XML 1.0 cannot hold.
std::string xml_text(std::string_view text);

/// For a line of GitHub's Markdown: shown as it stands, and mentioning nobody.
std::string markdown_text(std::string_view text);

/// A code span of GitHub's Markdown; in a table `|` is escaped too.
std::string markdown_code(std::string_view text, bool in_table);

/// A workflow command of GitHub Actions that annotates the run with an error, its line break
/// included; `path` may be empty.
std::string annotation(std::string_view path, std::string_view title, std::string_view message);

/// The base64 of bytes that are told in hexadecimal, as a policy's hash has it.
std::string base64_of_hex(std::string_view hex);

/// For the relative reference of a URI.
std::string uri_path(std::string_view path);

using fatbin::shortened;

}  // namespace archgrid::report

#endif
