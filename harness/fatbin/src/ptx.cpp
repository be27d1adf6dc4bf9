// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include "ptx.hpp"

#include <algorithm>
#include <charconv>

#include "body.hpp"
#include "kernels.hpp"

namespace archgrid::fatbin {
namespace {

constexpr std::size_t kLongestWord = 32;

/// Where the comment or the string that starts at `at` ends; `at` itself where none starts.
std::size_t end_of_quiet(std::string_view text, std::size_t at) {
  const auto start = text.substr(at, 2);
  std::size_t end = at;
  if (start == "//") {
    end = text.find('\n', at);
  } else if (start == "/*") {
    const auto close = text.find("*/", at + 2);
    end = close == std::string_view::npos ? close : close + 2;
  } else if (start[0] == '"') {
    const auto close = text.find_first_of("\"\n", at + 1);
    end = close == std::string_view::npos ? close : close + 1;
  }
  return std::min(end, text.size());
}

/// The text with comments and strings blanked out, so that positions stay.
std::string without_comments(std::string_view text) {
  std::string result(text);
  for (auto at = text.find_first_of("/\""); at != std::string_view::npos;
       at = text.find_first_of("/\"", at)) {
    const auto end = end_of_quiet(text, at);
    std::fill(result.begin() + static_cast<std::ptrdiff_t>(at),
              result.begin() + static_cast<std::ptrdiff_t>(end), ' ');
    at = std::max(end, at + 1);
  }
  return result;
}

bool is_space(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

/// The first word after `directive`, which stands as a word of its own; npos-like end if absent.
std::string_view word_after(std::string_view text, std::string_view directive, std::size_t& at) {
  while ((at = text.find(directive, at)) != std::string_view::npos) {
    const bool starts = at == 0 || is_space(text[at - 1]);
    auto begin = at + directive.size();
    at = begin;
    if (!starts || begin >= text.size() || !is_space(text[begin])) continue;
    begin = std::min(text.find_first_not_of(" \t\r\n", begin), text.size());
    const auto end = std::min(text.find_first_of(" \t\r\n(,;{", begin), text.size());
    at = end;
    return text.substr(begin, end - begin);
  }
  return {};
}

bool is_line_directive(std::string_view line) {
  const auto word = line.substr(0, line.find_first_of(" \t\r"));
  return word == ".version" || word == ".target" || word == ".address_size" || word == ".file";
}

Arch parse_target(Bytes bytes, std::string_view target) {
  Arch arch;
  if (target.size() > kLongestWord) bytes.fail(0, "PTX target is not an architecture");
  if (target.substr(0, 3) == "sm_") target.remove_prefix(3);
  const auto [rest, error] =
      std::from_chars(target.data(), target.data() + target.size(), arch.number);
  if (error != std::errc())
    bytes.fail(0, fmt::format("PTX target '{}' is not an architecture", target));
  const std::string_view suffix(rest,
                                target.size() - static_cast<std::size_t>(rest - target.data()));
  if (suffix == "a" || suffix == "f") {
    arch.suffix = suffix[0];
  } else if (!suffix.empty()) {
    bytes.fail(0, fmt::format("PTX target '{}' has an unknown suffix", target));
  }
  return arch;
}

/// Walks the statements of a module, so that each byte is looked at once.
class EntryReader {
 public:
  /// `text` is that of `image`, without comments and strings.
  EntryReader(Bytes image, std::string_view text) : image_(image), text_(text), kernels_(image) {}

  std::vector<Kernel> read() {
    while (true) {
      const auto end = text_.find_first_of("{;}", at_);
      if (end == std::string_view::npos) break;
      const auto head = text_.substr(at_, end - at_);
      if (text_[end] == '}') image_.fail(end, "PTX has a '}' without its '{'");
      note_entry(head);
      if (text_[end] == '{') {
        read_block(end);
      } else {
        end_statement(head);
        at_ = end + 1;
      }
    }
    const auto rest = text_.substr(at_);
    note_entry(rest);
    check_rest(rest);
    return kernels_.take();
  }

 private:
  void note_entry(std::string_view head) {
    std::size_t at = 0;
    const auto name = word_after(head, ".entry", at);
    if (!name.empty()) entry_ = name;
  }

  // Without a body it is a declaration, unless it goes on: a pragma ends with a semicolon, too.
  void end_statement(std::string_view head) {
    if (head.find(".pragma") == std::string_view::npos) entry_ = {};
  }

  void read_block(std::size_t open) {
    const auto close = end_of_block(open);
    at_ = close + 1;
    if (entry_.empty()) return;
    const auto facts = classify_ptx(text_.substr(open + 1, close - open - 1));
    auto& kernel = kernels_.add(entry_);
    kernel.body = facts.body;
    kernel.stores = facts.stores;
    entry_ = {};
  }

  [[nodiscard]] std::size_t end_of_block(std::size_t open) const {
    std::int64_t depth = 0;
    for (auto at = text_.find_first_of("{}", open); at != std::string_view::npos;
         at = text_.find_first_of("{}", at + 1)) {
      depth += text_[at] == '{' ? 1 : -1;
      if (depth == 0) return at;
    }
    image_.fail(open, "PTX ends within the block that begins here");
  }

  /// What follows the last statement are directives that take a line each, or it was cut.
  void check_rest(std::string_view rest) const {
    while (!rest.empty()) {
      const auto end = std::min(rest.find('\n'), rest.size());
      const auto line = rest.substr(0, end);
      const auto begin = line.find_first_not_of(" \t\r");
      if (begin != std::string_view::npos && !is_line_directive(line.substr(begin))) {
        image_.fail(static_cast<std::uint64_t>(rest.data() - text_.data()),
                    entry_.empty() ? "PTX ends within a statement"
                                   : "PTX ends before the body of its last entry");
      }
      rest.remove_prefix(std::min(end + 1, rest.size()));
    }
  }

  Bytes image_;
  std::string_view text_;
  KernelList kernels_;
  std::size_t at_ = 0;
  std::string_view entry_;  ///< seen, its body not yet
};

}  // namespace

bool is_ptx(std::string_view bytes) {
  return bytes.substr(0, 64 * 1024).find(".version ") != std::string_view::npos &&
         bytes.find('\0') == std::string_view::npos;
}

Ptx parse_ptx(Bytes bytes) {
  const std::string text = without_comments(bytes.text().substr(0, bytes.text().find('\0')));
  std::size_t at = 0;
  Ptx result;
  result.isa = std::string(word_after(text, ".version", at).substr(0, kLongestWord + 1));
  if (result.isa.empty() || result.isa.size() > kLongestWord) {
    bytes.fail(0, "PTX without a .version directive");
  }
  result.arch = parse_target(bytes, word_after(text, ".target", at));
  result.kernels = EntryReader(bytes, text).read();
  return result;
}

}  // namespace archgrid::fatbin
