// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <archgrid/coverage/json_node.hpp>
#include <nlohmann/json.hpp>
#include <utility>

namespace archgrid::coverage {
namespace {

/// Returns the text that a message shows for a value.
std::string shown(const nlohmann::json& value) {
  if (value.is_object()) return "an object";
  if (value.is_array()) return "a list";
  return quotable(value.dump());
}

}  // namespace

JsonNode::JsonNode(const std::string& path, const nlohmann::json& value, Author author,
                   std::string place)
    : path_(path), place_(std::move(place)), value_(value), author_(author) {}

void JsonNode::fail(const std::string& problem) const {
  const auto place = place_.empty() ? "the top level" : place_;
  throw JsonError(fmt::format("{}: {}: {}", path_, place, problem));
}

/// Fails because the value has another type. `fix` is for people.
void JsonNode::fail_type(const std::string& expected, const char* fix) const {
  fail(fmt::format("expected {}, found {}{}", expected, shown(value_),
                   author_ == Author::person ? fix : ""));
}

bool JsonNode::is_text() const {
  return value_.is_string();
}

bool JsonNode::is_list() const {
  return value_.is_array();
}

bool JsonNode::has(const char* key) const {
  return value_.contains(key);
}

void JsonNode::expect_object() const {
  if (value_.is_object()) return;
  fail_type(place_.rfind("tool.", 0) == 0 ? "a table" : "an object { }");  // TOML's word, or JSON's
}

void JsonNode::expect_keys(std::initializer_list<const char*> keys,
                           std::initializer_list<const char*> more) const {
  expect_object();
  for (const auto* key : keys) static_cast<void>(at(key));
  std::vector<std::string> known(keys.begin(), keys.end());
  known.insert(known.end(), more.begin(), more.end());
  for (const auto& item : value_.items()) {
    if (std::find(known.begin(), known.end(), item.key()) != known.end()) continue;
    fail(fmt::format("unknown key \"{}\": use one of {}", quotable(item.key()),
                     fmt::join(known, ", ")));
  }
}

JsonNode JsonNode::at(const char* key, const char* advice) const {
  expect_object();
  if (!has(key)) {
    fail(fmt::format("\"{}\" is missing{}{}", key, *advice == '\0' ? "" : ": ", advice));
  }
  return {path_, value_.at(key), author_, place_.empty() ? key : fmt::format("{}.{}", place_, key)};
}

std::vector<JsonNode> JsonNode::items() const {
  if (!value_.is_array()) fail_type("a list [ ]");
  std::vector<JsonNode> nodes;
  for (std::size_t index = 0; index < value_.size(); ++index) {
    nodes.emplace_back(path_, value_[index], author_, fmt::format("{}[{}]", place_, index));
  }
  return nodes;
}

std::string JsonNode::text() const {
  if (!value_.is_string()) fail_type("a string", ": write it in quotes");
  return value_.get<std::string>();
}

double JsonNode::number() const {
  if (!value_.is_number()) fail_type("a number");
  return value_.get<double>();
}

std::uint64_t JsonNode::count() const {
  if (!value_.is_number_unsigned()) fail_type("a whole number", ": write it as 128");
  return value_.get<std::uint64_t>();
}

bool JsonNode::flag() const {
  if (!value_.is_boolean()) fail_type("true or false");
  return value_.get<bool>();
}

std::optional<bool> JsonNode::flag_or_null() const {
  if (value_.is_null()) return std::nullopt;
  if (!value_.is_boolean()) fail_type("true, false or null");
  return value_.get<bool>();
}

}  // namespace archgrid::coverage
