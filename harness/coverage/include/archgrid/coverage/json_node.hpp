// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Reads the values of a parsed file strictly: errors name the file, the place and the fix.
#ifndef ARCHGRID_COVERAGE_JSON_NODE_HPP
#define ARCHGRID_COVERAGE_JSON_NODE_HPP

#include <archgrid/coverage/json_text.hpp>
#include <cstdint>
#include <initializer_list>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

namespace archgrid::coverage {

/// The author of a file. Errors tell people how to write a value.
enum class Author { person, program };

/// A value with its place in a file. Functions that read it throw JsonError if it has another type.
class JsonNode {
 public:
  /// `path` and `value` outlive the node. An empty `place` is the top level.
  JsonNode(const std::string& path, const nlohmann::json& value, Author author,
           std::string place = "");

  /// Throws JsonError with the file, the place and `problem`.
  [[noreturn]] void fail(const std::string& problem) const;

  [[nodiscard]] const std::string& place() const { return place_; }
  [[nodiscard]] bool is_list() const;
  [[nodiscard]] bool is_text() const;
  [[nodiscard]] bool has(const char* key) const;

  void expect_object() const;
  /// Throws unless the value is an object with all of `keys`, and with other keys only from `more`.
  void expect_keys(std::initializer_list<const char*> keys,
                   std::initializer_list<const char*> more = {}) const;

  /// Returns the value of a key. `advice` is the fix if the key is missing.
  [[nodiscard]] JsonNode at(const char* key, const char* advice = "") const;
  [[nodiscard]] std::vector<JsonNode> items() const;
  [[nodiscard]] std::string text() const;
  [[nodiscard]] double number() const;
  [[nodiscard]] std::uint64_t count() const;
  [[nodiscard]] bool flag() const;
  /// Returns nothing for null.
  [[nodiscard]] std::optional<bool> flag_or_null() const;

 private:
  [[noreturn]] void fail_type(const std::string& expected, const char* fix = "") const;

  const std::string& path_;
  std::string place_;
  const nlohmann::json& value_;
  Author author_;
};

}  // namespace archgrid::coverage

#endif
