// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Reads JSON written by people or other programs.
#ifndef ARCHGRID_COVERAGE_JSON_TEXT_HPP
#define ARCHGRID_COVERAGE_JSON_TEXT_HPP

#include <filesystem>
#include <stdexcept>
#include <string>

namespace archgrid::coverage {

/// The message names the file and the place in it.
struct JsonError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Returns the text of a JSON file that all parsers read alike. Throws JsonError if the file cannot
/// be read or is not JSON, if an object has a duplicate key (parsers silently keep one), or if
/// values are nested too deeply.
std::string read_json_text(const std::filesystem::path& path);

/// Returns `text` in printable form, shortened for a message.
std::string quotable(const std::string& text);

}  // namespace archgrid::coverage

#endif
