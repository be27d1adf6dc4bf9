// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <archgrid/coverage/json_text.hpp>
#include <archgrid/coverage/text_file.hpp>
#include <archgrid/fatbin.hpp>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <set>
#include <string_view>
#include <vector>

namespace archgrid::coverage {
namespace {

using nlohmann::json;

constexpr std::size_t kDeepest = 64;
constexpr std::size_t kLongestQuote = 80;
// The JSON of an audit, which may be a baseline, is up to 100 MB for the largest packages.
constexpr std::uintmax_t kMaxBytes = std::uintmax_t{1} << 30U;
constexpr std::string_view kBlanks = " \t\r\n";

/// Returns "line 3, column 7" for a byte of a text.
std::string place_in(std::string_view text, std::size_t at) {
  const auto before = text.substr(0, at);
  const auto line = std::count(before.begin(), before.end(), '\n') + 1;
  const auto begin = before.rfind('\n');
  const auto column = begin == std::string_view::npos ? at + 1 : at - begin;
  return fmt::format("line {}, column {}", line, column);
}

/// A handler that follows a parser and records the keys of the open objects.
class Watcher : public nlohmann::json_sax<json> {
 public:
  explicit Watcher(std::string_view text) : text_(text) {}

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
    open_.back().awaits_value = true;
    return true;
  }

  bool parse_error(std::size_t position, const std::string& /*token*/,
                   const json::exception& error) override {
    const std::string_view said = error.what();
    const bool at_end = said.find("unexpected end of input") != std::string_view::npos;
    const auto end = at_end ? text_.size() : std::min(position, text_.size());
    const auto begin = at_end ? end : token_begin(end);
    const auto found = at_end ? std::string("the file ends")
                              : quotable(std::string(text_.substr(begin, end - begin))) + " stands";
    const auto bad_string = string_problem(said);
    problem_ = fmt::format(
        "{}: not JSON: {}\n  fix: write JSON (no comments, no comma after a last item, strings in "
        "double quotes)",
        place_in(text_, begin),
        bad_string.empty() ? fmt::format("{} where {} is expected", found, expected(begin))
                           : bad_string);
    return false;
  }

 private:
  /// An object or a list that is not closed yet.
  struct Open {
    bool is_list;
    std::size_t items;
    std::set<std::string> keys;
    std::string key;            ///< the latest
    bool awaits_value = false;  ///< of `key`
  };

  bool value() {
    if (open_.empty()) {
      is_done_ = true;
    } else {
      ++open_.back().items;
      open_.back().awaits_value = false;
    }
    return true;
  }

  /// Returns the start of the token that ends before `end`: a string, a sign, or a word.
  [[nodiscard]] std::size_t token_begin(std::size_t end) const {
    constexpr std::string_view kSigns = "[]{}:,";
    if (end == 0 || kSigns.find(text_[end - 1]) != std::string_view::npos) {
      return end - std::min<std::size_t>(end, 1);
    }
    if (text_[end - 1] == '"' && end > 1) {
      const auto quote = text_.rfind('"', end - 2);
      if (quote != std::string_view::npos) return quote;
    }
    const auto last = text_.substr(0, end).find_last_of(" \t\r\n[]{}:,\"");
    return last == std::string_view::npos ? 0 : std::min(last + 1, end - 1);
  }

  /// Returns "missing closing quote" from the parser's message about a string; empty for other
  /// messages.
  static std::string string_problem(std::string_view said) {
    constexpr std::string_view kInvalid = "invalid string: ";
    const auto at = said.find(kInvalid);
    if (at == std::string_view::npos) return {};
    const auto begin = at + kInvalid.size();
    return "a string is broken: " + std::string(said.substr(begin, said.find(';', begin) - begin));
  }

  /// Returns the tokens that may stand at a byte, from those before it.
  [[nodiscard]] std::string expected(std::size_t at) const {
    if (open_.empty()) return is_done_ ? "its end" : "a value";
    const auto last = text_.substr(0, at).find_last_not_of(kBlanks);
    const char before = last == std::string_view::npos ? ' ' : text_[last];
    const auto& inner = open_.back();
    if (inner.is_list) return before == '[' || before == ',' ? "a value" : "a comma or ]";
    if (inner.awaits_value) return before == '"' ? "a colon" : "a value";
    return before == '{' || before == ',' ? "a key in double quotes" : "a comma or }";
  }

  bool open(bool is_list) {
    if (open_.size() == kDeepest) {
      const auto& outermost = open_.front().key;
      problem_ = fmt::format("{}: objects and lists lie more than {} deep in each other",
                             outermost.empty() ? "the top level" : quotable(outermost), kDeepest);
      return false;
    }
    open_.push_back({is_list, 0, {}, {}, false});
    return true;
  }

  bool close() {
    open_.pop_back();
    return value();
  }

  /// Returns the place of the innermost open object: "promises[1]".
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

  std::string_view text_;
  std::vector<Open> open_;
  std::string problem_;
  bool is_done_ = false;  ///< a complete value was read
};

}  // namespace

std::string quotable(const std::string& text) {
  return fatbin::shortened(fatbin::printable(text), kLongestQuote);
}

std::string read_json_text(const std::filesystem::path& path) {
  const auto text = [&path] {
    try {
      return read_text_file(path, kMaxBytes, Pipes::taken);
    } catch (const FileError& error) {
      throw JsonError(error.what());
    }
  }();
  Watcher watcher(text);
  if (json::sax_parse(text, &watcher)) return text;
  throw JsonError(fmt::format("{}: {}", path.string(), watcher.problem()));
}

}  // namespace archgrid::coverage
