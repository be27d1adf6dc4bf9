// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include "ptx_identity.hpp"

#include <algorithm>
#include <archgrid/fatbin.hpp>
#include <charconv>

#include "digest.hpp"
#include "find_text.hpp"
#include "identity_text.hpp"
#include "marks.hpp"

namespace archgrid::fatbin {
namespace {

constexpr Marks kWord =
    marks_of("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_$.%");

/// Splits PTX into words, strings and other characters, without comments.
class Tokenizer {
 public:
  explicit Tokenizer(std::string_view text) : text_(text.substr(0, text.find('\0'))) {}

  /// Returns the next token; an empty one at the end.
  std::string_view next() {
    skip_blanks();
    if (at_ == text_.size()) return {};
    const auto begin = at_;
    if (is_marked(kWord, text_[at_])) {
      while (at_ < text_.size() && is_marked(kWord, text_[at_])) ++at_;
    } else if (text_[at_] == '"') {
      at_ = std::min(text_.find('"', at_ + 1), text_.size() - 1) + 1;
    } else {
      ++at_;
    }
    return text_.substr(begin, at_ - begin);
  }

  /// Skips the rest of a line, and returns it.
  std::string_view rest_of_line() {
    const auto begin = at_;
    at_ = std::min(text_.find('\n', at_), text_.size());
    return text_.substr(begin, at_ - begin);
  }

 private:
  void skip_blanks() {
    constexpr std::string_view kSkipped = " \t\r\n";
    while (true) {
      at_ = std::min(text_.find_first_not_of(kSkipped, at_), text_.size());
      const auto rest = text_.substr(at_, 2);
      if (rest == "//") {
        rest_of_line();
      } else if (rest == "/*") {
        at_ = std::min(text_.find("*/", at_ + 2), text_.size() - 2) + 2;
      } else {
        return;
      }
    }
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

/// Returns the function or variable that a statement declares; an empty name for other statements.
std::string_view name_in(const std::vector<std::string_view>& tokens) {
  const auto function = std::find_if(tokens.begin(), tokens.end(), [](std::string_view token) {
    return token == ".entry" || token == ".func";
  });
  if (function != tokens.end()) {
    auto at = function + 1;
    if (at != tokens.end() && *at == "(") {
      at = std::find(at, tokens.end(), ")");
      if (at != tokens.end()) ++at;
    }
    return at != tokens.end() ? *at : std::string_view();
  }
  const auto end = std::find_if(tokens.begin(), tokens.end(), [](std::string_view token) {
    return token == "[" || token == "=" || token == ";";
  });
  return end == tokens.begin() || end == tokens.end() ? std::string_view() : *(end - 1);
}

/// Returns the text of an initialiser, {104, 105, 0} or, since CUDA 13, {104, 105}, with its zero;
/// nothing if it is none.
std::optional<std::string> text_in(const std::vector<std::string_view>& tokens) {
  const auto begin = std::find(tokens.begin(), tokens.end(), "{");
  const auto end = std::find(begin, tokens.end(), "}");
  if (end == tokens.end()) return std::nullopt;
  std::string text;
  for (auto at = begin + 1; at != end; ++at) {
    if (*at == ",") continue;
    int value = 0;
    const auto result = std::from_chars(at->data(), at->data() + at->size(), value);
    const bool is_byte = result.ec == std::errc() && result.ptr == at->data() + at->size() &&
                         value >= 0 && value < 256;
    if (!is_byte) return std::nullopt;
    text += static_cast<char>(value);
  }
  if (text.empty() || text.back() != '\0') text += '\0';
  return text;
}

/// Reports whether the compiler numbers words like this one by the function's place in the module:
/// labels, stack frames and prototypes.
bool is_local(std::string_view word) {
  for (const std::string_view prefix : {"$L__", "__local_depot", "prototype_"}) {
    if (word.substr(0, prefix.size()) == prefix) return true;
  }
  return false;
}

/// Returns a word without what differs between builds. Short ones are instructions and numbers.
std::string stable(std::string_view word) {
  constexpr std::size_t kShortest = 16;
  return word.size() < kShortest ? std::string(word) : without_build(word);
}

}  // namespace

PtxIdentity::PtxIdentity(std::string_view text) {
  Tokenizer tokenizer(text);
  Tokens statement;
  std::size_t depth = 0;
  bool has_value = false;
  const auto end_statement = [&] {
    const auto name = name_in(statement);
    if (!name.empty()) {
      // A definition counts before a declaration.
      const bool defines = statement.back() == "}" || has_value;
      const auto [known, is_new] = by_name_.emplace(name, statements_.size());
      if (!is_new && defines) known->second = statements_.size();
    }
    statements_.push_back(std::move(statement));
    statement.clear();
    has_value = false;
  };
  for (auto token = tokenizer.next(); !token.empty(); token = tokenizer.next()) {
    if (token == ".loc" || token == ".file" || token == ".target" || token == ".address_size") {
      tokenizer.rest_of_line();
    } else if (token == ".version") {
      isa_ = tokenizer.next();
    } else {
      statement.push_back(token);
      if (token == "{") ++depth;
      if (token == "}" && depth > 0) --depth;
      if (depth > 0) continue;
      has_value = has_value || token == "=";
      if (token == ";" || (token == "}" && !has_value)) end_statement();
    }
  }
}

const PtxIdentity::Item& PtxIdentity::item(std::size_t statement) {
  const auto known = items_.find(statement);
  if (known != items_.end()) return known->second;
  const auto& tokens = statements_[statement];
  // Functions count by their code, which names their parameters after them.
  const bool is_function = tokens.back() == "}";
  const auto own = name_in(tokens);
  Digest digest;
  Item item;
  std::size_t begin = 0;
  if (is_numbered(own)) {
    if (const auto text = text_in(tokens)) {
      digest.add(without_folder(*text));
      begin = tokens.size();
    }
  }
  std::map<std::string_view, std::size_t> locals;
  for (auto at = begin; at < tokens.size(); ++at) {
    if (is_local(tokens[at])) {
      digest.add("local");
      digest.add(locals.emplace(tokens[at], locals.size()).first->second);
      continue;
    }
    const auto target = by_name_.find(tokens[at]);
    if (target != by_name_.end()) {
      digest.add("name");
      const bool has_name = !is_numbered(tokens[at]) && !(is_function && tokens[at] == own);
      if (has_name) digest.add(stable(tokens[at]));
      item.targets.push_back(target->second);
    } else if (is_function && begins_with(tokens[at], own)) {
      digest.add("parameter");
      digest.add(tokens[at].substr(own.size()));
    } else {
      digest.add(stable(tokens[at]));
    }
  }
  item.hash = digest.text();
  return items_.emplace(statement, std::move(item)).first->second;
}

std::string PtxIdentity::identity(std::string_view kernel, std::string_view arch) {
  const auto start = by_name_.find(kernel);
  if (start == by_name_.end()) return {};
  Digest digest;
  digest.add("ptx");
  digest.add(isa_);
  digest.add(arch);
  add_reached(
      digest, start->second, [this](std::size_t at) -> const Item& { return item(at); },
      [](std::size_t target) { return target; }, references_);
  return digest.text();
}

}  // namespace archgrid::fatbin
