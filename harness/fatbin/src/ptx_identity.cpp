// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include "ptx_identity.hpp"

#include <algorithm>
#include <archgrid/fatbin.hpp>
#include <charconv>
#include <set>

#include "body.hpp"
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

using Tokens = std::vector<std::string_view>;

Tokens tokens_of(std::string_view text) {
  Tokenizer tokenizer(text);
  Tokens tokens;
  for (auto token = tokenizer.next(); !token.empty(); token = tokenizer.next()) {
    if (token == ".loc") {
      tokenizer.rest_of_line();
    } else {
      tokens.push_back(token);
    }
  }
  return tokens;
}

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
  if (word.substr(0, 4) == "$L__") return true;
  for (const std::string_view prefix : {"__local_depot", "prototype_"}) {
    const auto number = word.substr(std::min(word.size(), prefix.size()));
    if (word.substr(0, prefix.size()) == prefix && !number.empty() &&
        number.find_first_not_of("0123456789") == std::string_view::npos) {
      return true;
    }
  }
  return false;
}

/// Reports whether a call at a token names a register: "call (r), %rd1, (a), prototype_0".
bool calls_register(const std::vector<std::string_view>& tokens, std::size_t at) {
  if (tokens[at] != "call" && tokens[at].substr(0, 5) != "call.") return false;
  auto next = at + 1;
  if (next < tokens.size() && tokens[next] == "(") {
    while (next < tokens.size() && tokens[next] != ")") ++next;
    next += 2;  // the comma, too
  }
  return next < tokens.size() && tokens[next].front() == '%';
}

/// Returns a word without what differs between builds. Short ones are instructions and numbers.
std::string stable(std::string_view word) {
  constexpr std::size_t kShortest = 16;
  return word.size() < kShortest ? std::string(word) : without_build(word);
}

}  // namespace

PtxIdentity::PtxIdentity(std::string_view text) {
  // A limit that no module seen comes near.
  constexpr std::size_t kMaxTokens = std::size_t{1} << 24;
  Tokenizer tokenizer(text);
  Tokens statement;
  std::size_t depth = 0;
  bool has_value = false;
  for (auto token = tokenizer.next(); !token.empty(); token = tokenizer.next()) {
    if (token == ".loc" || token == ".file" || token == ".address_size") {
      const auto line = tokenizer.rest_of_line();
      is_unusual_ = is_unusual_ || line.find(';') != std::string_view::npos;
      continue;
    }
    if (token == ".version" || token == ".target") {
      const auto line = tokenizer.rest_of_line();
      Tokenizer words(line);
      for (auto word = words.next(); !word.empty(); word = words.next()) {
        if (word != "debug") module_ += std::string(word) + ' ';
      }
      continue;
    }
    statement.push_back(token);
    if (statement.size() > kMaxTokens) throw Unreadable(0, "a statement of PTX is too long");
    if (token == "{") ++depth;
    if (token == "}" && depth > 0) --depth;
    if (depth > 0) continue;
    has_value = has_value || token == "=";
    if (token != ";" && (token != "}" || has_value)) continue;
    const auto* begin = statement.front().data();
    add_statement({begin, static_cast<std::size_t>(token.data() + token.size() - begin)}, statement,
                  token == "}" || has_value);
    statement.clear();
    has_value = false;
  }
}

void PtxIdentity::add_statement(std::string_view text, const Tokens& tokens, bool is_definition) {
  const auto contains = [&](std::string_view word) {
    return std::find(tokens.begin(), tokens.end(), word) != tokens.end();
  };
  if (tokens.front() == ".section" || tokens.size() == 1) return;
  const auto name = tokens.front() == ".alias" || tokens.front() == ".pragma" ? std::string_view()
                                                                              : name_in(tokens);
  if (name.empty()) {
    is_unusual_ = is_unusual_ || tokens.front() == ".alias";
    for (const auto token : tokens) module_ += std::string(token) + ' ';
    return;
  }
  // x, y: only the last is found by its name.
  const bool is_function = contains(".func") || contains(".entry");
  std::size_t depth = 0;
  for (const auto token : tokens) {
    if (token == "{") ++depth;
    if (token == "}" && depth > 0) --depth;
    is_unusual_ = is_unusual_ || (!is_function && depth == 0 && token == ",");
  }
  const auto [known, is_new] = by_name_.emplace(name, statements_.size());
  // A definition counts before a declaration.
  if (!is_new && !is_definition) return;
  known->second = statements_.size();
  statements_.push_back(text);
}

const PtxIdentity::Item& PtxIdentity::item(std::size_t statement) {
  const auto known = items_.find(statement);
  if (known != items_.end()) return known->second;
  const auto tokens = tokens_of(statements_[statement]);
  // Functions count by their code, which names their parameters after them.
  const bool is_function = tokens.back() == "}";
  const auto own = name_in(tokens);
  Digest digest;
  Item item;
  const bool is_declared = std::find(tokens.begin(), tokens.end(), ".extern") != tokens.end();
  const bool is_shared = std::find(tokens.begin(), tokens.end(), ".shared") != tokens.end();
  item.is_unknown = is_declared && !is_shared && !is_provided(own);
  std::size_t begin = 0;
  if (is_numbered(own)) {
    if (const auto text = text_in(tokens)) {
      digest.add(without_folder(*text));
      begin = tokens.size();
    }
  }
  std::map<std::string_view, std::size_t> locals;
  for (auto at = begin; at < tokens.size(); ++at) {
    const auto token = tokens[at];
    item.calls_any = item.calls_any || calls_register(tokens, at);
    const auto target = by_name_.find(token);
    if (target != by_name_.end()) {
      digest.add("name");
      const bool has_name = !is_numbered(token) && !(is_function && token == own);
      if (has_name) digest.add(stable(token));
      item.targets.push_back(target->second);
    } else if (is_local(token)) {
      digest.add("local");
      digest.add(locals.emplace(token, locals.size()).first->second);
    } else if (is_function && begins_with(token, own)) {
      digest.add("parameter");
      digest.add(token.substr(own.size()));
    } else {
      digest.add(stable(token));
    }
  }
  item.hash = digest.text();
  return items_.emplace(statement, std::move(item)).first->second;
}

/// Returns a hash of all functions and variables, kernels included.
const std::string& PtxIdentity::hash_of_all() {
  if (!hash_of_all_.empty()) return hash_of_all_;
  std::set<std::string> hashes;
  for (const auto& [name, statement] : by_name_) hashes.insert(item(statement).hash);
  Digest digest;
  for (const auto& hash : hashes) digest.add(hash);
  return hash_of_all_ = digest.text();
}

std::string PtxIdentity::identity(std::string_view kernel, std::string_view arch) {
  const auto start = by_name_.find(kernel);
  if (start == by_name_.end() || is_unusual_) return {};
  Digest digest;
  digest.add("ptx");
  digest.add(module_);
  digest.add(arch);
  const auto reached = add_reached(
      digest, start->second, [this](std::size_t at) -> const Item& { return item(at); },
      [](std::size_t target) { return target; }, references_);
  bool calls_any = false;
  for (const auto place : reached) {
    if (item(place).is_unknown) return {};
    calls_any = calls_any || item(place).calls_any;
  }
  if (calls_any) digest.add(hash_of_all());
  return digest.text();
}

}  // namespace archgrid::fatbin
