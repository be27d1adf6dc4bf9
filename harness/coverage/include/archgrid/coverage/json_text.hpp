// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// JSON that people or other programs wrote.
#ifndef ARCHGRID_COVERAGE_JSON_TEXT_HPP
#define ARCHGRID_COVERAGE_JSON_TEXT_HPP

#include <filesystem>
#include <stdexcept>
#include <string>

namespace archgrid::coverage {

/// Names the file and the place in it.
struct JsonError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// The text of a JSON file that any parser can take and reads alike. Throws JsonError where the
/// file cannot be read or is no JSON, where an object has a key twice (parsers keep one of them, in
/// silence), and where values lie too deep in each other.
std::string read_json_text(const std::filesystem::path& path);

/// Returns `text`, printable, or so much of it as a message may quote.
std::string quotable(const std::string& text);

}  // namespace archgrid::coverage

#endif
