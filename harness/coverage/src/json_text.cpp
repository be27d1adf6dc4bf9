// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <archgrid/coverage/json_text.hpp>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <set>
#include <vector>

namespace archgrid::coverage {
namespace {

using nlohmann::json;

constexpr std::size_t kDeepest = 64;
constexpr std::size_t kLongestQuote = 80;
constexpr std::size_t kLongestError = 400;

/// The first bytes of a text in UTF-8, without half a character.
std::string cut(const std::string& text, std::size_t most) {
  if (text.size() <= most) return text;
  constexpr unsigned kMask = 0xC0;
  constexpr unsigned kContinues = 0x80;
  while (most > 0 && (static_cast<unsigned char>(text[most]) & kMask) == kContinues) --most;
  return text.substr(0, most) + "...";
}

/// Follows a parser through a text and remembers the keys of the objects that are open.
class Watcher : public nlohmann::json_sax<json> {
 public:
  [[nodiscard]] const std::string& problem() const { return problem_; }

  bool null() override { return value(); }
  bool boolean(bool /*value*/) override { return value(); }
  bool number_integer(number_integer_t /*value*/) override { return value(); }
  bool number_unsigned(number_unsigned_t /*value*/) override { return value(); }
  bool number_float(number_float_t /*value*/, const string_t& /*text*/) override { return value(); }
  bool string(string_t& /*value*/) override { return value(); }
  bool binary(binary_t& /*value*/) override { return value(); }
  bool start_object(std::size_t /*size*/) override { return open(false); }
  bool start_array(std::size_t /*size*/) override { return open(true); }
  bool end_object() override { return close(); }
  bool end_array() override { return close(); }

  bool key(string_t& name) override {
    if (!open_.back().keys.insert(name).second) {
      problem_ = fmt::format("{}: the key \"{}\" stands twice in one object: keep one of them",
                             place(), quotable(name));
      return false;
    }
    open_.back().key = name;
    return true;
  }

  bool parse_error(std::size_t /*position*/, const std::string& /*token*/,
                   const json::exception& error) override {
    // What it quotes comes last and may be as long as the file.
    problem_ = "malformed JSON: " + cut(error.what(), kLongestError);
    return false;
  }

 private:
  /// An object or a list whose end was not met yet.
  struct Open {
    bool is_list;
    std::size_t items;
    std::set<std::string> keys;
    std::string key;  ///< the latest
  };

  bool value() {
    if (!open_.empty()) ++open_.back().items;
    return true;
  }

  bool open(bool is_list) {
    if (open_.size() == kDeepest) {
      const auto& outermost = open_.front().key;
      problem_ = fmt::format("{}: objects and lists lie more than {} deep in each other",
                             outermost.empty() ? "the top level" : quotable(outermost), kDeepest);
      return false;
    }
    open_.push_back({is_list, 0, {}, {}});
    return true;
  }

  bool close() {
    open_.pop_back();
    return value();
  }

  /// Where the innermost open object stands: "promises[1]".
  [[nodiscard]] std::string place() const {
    std::string text;
    for (std::size_t level = 0; level + 1 < open_.size(); ++level) {
      const auto& outer = open_[level];
      if (outer.is_list) {
        text += fmt::format("[{}]", outer.items);
      } else {
        text += (text.empty() ? "" : ".") + quotable(outer.key);
      }
    }
    return text.empty() ? "the top level" : text;
  }

  std::vector<Open> open_;
  std::string problem_;
};

std::string content_of(const std::filesystem::path& path) {
  std::error_code error;
  if (std::filesystem::is_directory(path, error)) {
    throw JsonError(fmt::format("{}: it is a folder: name a file", path.string()));
  }
  std::ifstream stream(path, std::ios::binary);
  if (!stream) {
    throw JsonError(fmt::format("{}: cannot open: {}", path.string(), std::strerror(errno)));
  }
  std::string text{std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
  if (stream.bad()) throw JsonError(fmt::format("{}: cannot be read", path.string()));
  return text;
}

}  // namespace

std::string quotable(const std::string& text) {
  return cut(text, kLongestQuote);
}

std::string read_json_text(const std::filesystem::path& path) {
  auto text = content_of(path);
  Watcher watcher;
  if (json::sax_parse(text, &watcher)) return text;
  throw JsonError(fmt::format("{}: {}", path.string(), watcher.problem()));
}

}  // namespace archgrid::coverage
