// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include "ptx.hpp"

#include <algorithm>
#include <array>
#include <charconv>

#include "body.hpp"
#include "find_text.hpp"
#include "kernels.hpp"
#include "marks.hpp"
#include "ptx_functions.hpp"
#include "ptx_scan.hpp"

namespace archgrid::fatbin {
namespace {

constexpr std::size_t kLongestWord = 32;

/// Returns the end of the comment or string that starts at `at`; `at` itself if none does.
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

/// Returns the next of these characters outside of comments and strings; the end if there is none.
/// Most time is spent here, as PTX is long.
template <char... characters>
std::size_t find_mark(std::string_view text, std::size_t at) {
  while (true) {
    at = find_any<'/', '"', characters...>(text, at);
    if (at == text.size() || (text[at] != '/' && text[at] != '"')) return at;
    at = std::max(end_of_quiet(text, at), at + 1);
  }
}

constexpr Marks kSeparators = marks_of("{;}");

/// Returns the next character that ends a statement, or a statement's head.
std::size_t find_statement_end(std::string_view text, std::size_t at) {
  return find_mark<'{', ';', '}'>(text, at);
}

/// Returns the text with comments and strings blanked out, so that positions stay.
std::string without_comments(std::string_view text) {
  std::string result(text);
  for (std::size_t at = 0; at < text.size();) {
    const auto end = end_of_quiet(text, at);
    std::fill(result.begin() + static_cast<std::ptrdiff_t>(at),
              result.begin() + static_cast<std::ptrdiff_t>(end), ' ');
    at = find_any<'/', '"'>(text, std::max(end, at + 1));
  }
  return result;
}

bool is_space(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

/// Returns the first word after `directive`, itself a separate word, and moves `at` behind it;
/// empty if there is none.
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

/// Reports whether the text has an instruction that begins with the word.
bool has_instruction(std::string_view text, std::string_view word) {
  constexpr std::string_view kBefore = " \t\r\n{};";
  for (auto at = text.find(word); at != std::string_view::npos; at = text.find(word, at + 1)) {
    if (at > 0 && kBefore.find(text[at - 1]) != std::string_view::npos) return true;
  }
  return false;
}

/// Reports whether PTX has instructions that only targets with a suffix have (PTX ISA, "Target ISA
/// Notes" of wgmma, setmaxnreg and tcgen05). nvcc writes such PTX for compute_90 without assembling
/// it, and no driver compiles it.
bool needs_suffix(std::string_view text, Arch arch) {
  constexpr int kFirst = 90;
  if (arch.suffix != '\0' || arch.number < kFirst) return false;
  return has_instruction(text, "wgmma.") || has_instruction(text, "tcgen05.") ||
         has_instruction(text, "setmaxnreg.");
}

/// Returns the end of the block that begins at the start of the text; the text's size if it is not
/// closed.
std::size_t end_of_block(std::string_view text) {
  std::int64_t depth = 0;
  for (std::size_t at = 0; at < text.size(); at = find_mark<'{', '}'>(text, at + 1)) {
    depth += text[at] == '{' ? 1 : -1;
    if (depth == 0) return at;
  }
  return text.size();
}

/// Returns "13.0" for "// Cuda compilation tools, release 13.0, V13.0.88" in the comment that nvcc
/// begins with.
std::string toolkit_of(std::string_view text) {
  constexpr std::string_view kBefore = "Cuda compilation tools, release ";
  const auto comment = text.substr(0, 1024);
  const auto at = comment.find(kBefore);
  if (at == std::string_view::npos) return {};
  const auto version = comment.substr(at + kBefore.size());
  return std::string(version.substr(0, version.find_first_not_of("0123456789.")));
}

/// Reads "256, 1, 1" behind a directive; omitted values are 1.
std::optional<BlockDim> threads_after(std::string_view head, std::string_view directive) {
  const auto found = head.find(directive);
  if (found == std::string_view::npos) return std::nullopt;
  BlockDim threads = {1, 1, 1};
  auto rest = head.substr(found + directive.size());
  for (auto& count : threads) {
    rest.remove_prefix(std::min(rest.find_first_not_of(" \t\r\n,"), rest.size()));
    const auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), count);
    if (error != std::errc()) break;
    rest.remove_prefix(static_cast<std::size_t>(end - rest.data()));
    rest.remove_prefix(std::min(rest.find_first_not_of(" \t\r\n"), rest.size()));
    if (rest.empty() || rest[0] != ',') break;
  }
  return threads;
}

Kernel& add_kernel(std::string_view name, std::string_view head, KernelList& kernels) {
  auto& kernel = kernels.add(name);
  kernel.max_threads = threads_after(head, ".maxntid");
  kernel.required_threads = threads_after(head, ".reqntid");
  return kernel;
}

void take(const BodyFacts& facts, Kernel& kernel) {
  kernel.body = facts.body;
  kernel.stores = facts.stores;
  kernel.may_store = facts.may_store;
}

/// A reader of modules in the layout of NVIDIA's compilers, which skips most of their text: each
/// entry begins a line, and no comment spans several.
class PlainReader {
 public:
  PlainReader(Bytes image, std::string_view text, const FollowNames& follow)
      : text_(text), follow_(follow), kernels_(image) {}

  /// Returns nothing if the text may have another layout.
  std::optional<std::vector<Kernel>> read(const PtxScan& scan) {
    const auto last = text_.find_last_not_of(" \t\r\n");
    const bool ends_with_function = last != std::string_view::npos && text_[last] == '}';
    if (!ends_with_function || !scan.plain) return std::nullopt;
    std::size_t seen = 0;
    for (const auto at : scan.entries) {
      if (at < seen) continue;  // part of a statement, such as a name in it
      const bool is_word = at == 0 || is_space(text_[at - 1]);
      if (!is_word || !begins_line(at, seen)) return std::nullopt;
      const auto open = find_statement_end(text_, at);
      // An entry that ends without a body may have a pragma, with the body behind it.
      if (open == text_.size() || text_[open] != '{' || !read_entry(at, open)) return std::nullopt;
      seen = open;
    }
    return kernels_.take();
  }

 private:
  static constexpr std::string_view kEntry = ".entry";

  /// Reports whether the entry at `at` begins its line. Looks back only to `seen`, the body of the
  /// entry before, so that each byte is read once.
  [[nodiscard]] bool begins_line(std::size_t at, std::size_t seen) const {
    const auto before = text_.substr(seen, at - seen).rfind('\n');
    if (before == std::string_view::npos && seen != 0) return false;
    const auto start = before == std::string_view::npos ? 0 : seen + before + 1;
    const auto line = text_.substr(start, at + kEntry.size() - start);
    const auto begin = line.find_first_not_of(" \t");
    const auto word = line.substr(begin, line.find_first_of(" \t", begin) - begin);
    return word == kEntry || word == ".visible" || word == ".weak" || word == ".extern";
  }

  /// Reports whether the block that begins here has a line that stores to global memory. Searches
  /// up to the first line that begins with a brace: the end of the block, or of one inside it.
  static bool stores_plainly(std::string_view start) {
    const auto body = start.substr(0, find_text(start, "\n}", 0));
    const auto line = find_text(body, "\n\tst.global", 0);
    if (line == std::string_view::npos) return false;
    const auto statement = body.substr(line, body.find(';', line) - line);
    return begins_statement(body.substr(0, line)) && is_open(body.substr(1, line - 1)) &&
           classify_ptx(statement, {}).stores;
  }

  /// Reports whether a new statement follows `before`: the last line that is not blank ends a
  /// statement, and contains neither a comment nor a string.
  static bool begins_statement(std::string_view before) {
    const auto last = before.find_last_not_of(" \t\r\n");
    if (last == std::string_view::npos) return false;
    const auto begin = before.rfind('\n', last);
    const auto line = begin == std::string_view::npos ? 0 : begin;
    const auto quiet = before.substr(line, last - line).find_first_of("/\"");
    if (quiet != std::string_view::npos) return false;
    // Like a blank line, a label does not end the statement before it.
    if (before[last] == ':') return begins_statement(before.substr(0, line));
    return is_marked(kSeparators, before[last]);
  }

  /// Reports whether each closing brace has an opening one before it, as in vectors, so that the
  /// block around them continues.
  static bool is_open(std::string_view text) {
    for (auto close = text.find('}'); close != std::string_view::npos; close = text.find('}')) {
      if (text.substr(0, close).find('{') == std::string_view::npos) return false;
      text.remove_prefix(close + 1);
    }
    return true;
  }

  bool read_entry(std::size_t at, std::size_t open) {
    const auto head = without_comments(text_.substr(at, open - at));
    std::size_t after = 0;
    const auto name = word_after(head, kEntry, after);
    if (name.empty()) return false;
    auto& kernel = add_kernel(name, head, kernels_);
    const auto start = text_.substr(open, kLargestIdlePtx + 2);
    kernel.body = Body::code;
    if (stores_plainly(start)) {
      kernel.stores = true;
      return true;
    }
    const auto close = end_of_block(start);
    if (close == start.size()) return true;  // longer than an idle body
    take(classify_ptx(without_comments(start.substr(1, close - 1)), follow_), kernel);
    return true;
  }

  std::string_view text_;
  const FollowNames& follow_;
  KernelList kernels_;
};

/// A reader of the statements of a module, which reads each byte once.
class EntryReader {
 public:
  EntryReader(Bytes image, std::string_view text, Detail detail, const FollowNames& follow)
      : image_(image), text_(text), detail_(detail), follow_(follow), kernels_(image) {}

  std::vector<Kernel> read() {
    while (true) {
      const auto end = find_statement_end(text_, at_);
      const auto head = without_comments(text_.substr(at_, end - at_));
      note_entry(head);
      if (end == text_.size()) {
        check_rest(head);
        return kernels_.take();
      }
      if (text_[end] == '}') image_.fail(end, "PTX has a '}' without its '{'");
      if (text_[end] == '{') {
        read_block(head, end);
      } else {
        end_statement(head);
        at_ = end + 1;
      }
    }
  }

 private:
  void note_entry(std::string_view head) {
    std::size_t at = 0;
    const auto name = word_after(head, ".entry", at);
    if (!name.empty()) entry_ = std::string(name);
  }

  // Ends a statement without a body. It was a declaration, unless it continues: a pragma ends with
  // a semicolon, too.
  void end_statement(std::string_view head) {
    if (head.find(".pragma") == std::string_view::npos) entry_.clear();
  }

  void read_block(std::string_view head, std::size_t open) {
    const auto close = open + end_of_block(text_.substr(open));
    if (close == text_.size()) image_.fail(open, "PTX ends within the block that begins here");
    at_ = close + 1;
    if (entry_.empty()) return;
    auto& kernel = add_kernel(entry_, head, kernels_);
    const auto body = text_.substr(open + 1, close - open - 1);
    if (detail_ == Detail::everything || body.size() <= kLargestIdlePtx) {
      take(classify_ptx(without_comments(body), follow_), kernel);
    } else {
      kernel.body = Body::code;
    }
    entry_.clear();
  }

  /// Throws if other text than one-line directives follows the last statement, as the PTX is then
  /// truncated. `rest` has no comments and begins where the last statement ended.
  void check_rest(std::string_view rest) const {
    const auto size = rest.size();
    while (!rest.empty()) {
      const auto end = std::min(rest.find('\n'), rest.size());
      const auto line = rest.substr(0, end);
      const auto begin = line.find_first_not_of(" \t\r");
      if (begin != std::string_view::npos && !is_line_directive(line.substr(begin))) {
        image_.fail(at_ + (size - rest.size()), entry_.empty()
                                                    ? "PTX ends within a statement"
                                                    : "PTX ends before the body of its last entry");
      }
      rest.remove_prefix(std::min(end + 1, rest.size()));
    }
  }

  Bytes image_;
  std::string_view text_;
  Detail detail_;
  const FollowNames& follow_;
  KernelList kernels_;
  std::size_t at_ = 0;
  std::string entry_;  ///< the entry whose body is still to come
};

/// Returns the text behind blanks and comments.
std::string_view behind_blanks(std::string_view text) {
  std::size_t at = 0;
  while (at < text.size() && (is_space(text[at]) || text[at] == '/')) {
    const auto next = is_space(text[at]) ? at + 1 : end_of_quiet(text, at);
    if (next == at) break;
    at = next;
  }
  return text.substr(at);
}

/// Matches "8.4": the version of an assembler's file may be a string.
bool begins_with_release(std::string_view text) {
  constexpr std::string_view kDigits = "0123456789";
  const auto point = std::min(text.find_first_not_of(kDigits), text.size());
  return point > 0 && text.substr(point, 1) == "." &&
         text.substr(point + 1).find_first_of(kDigits) == 0;
}

}  // namespace

bool is_ptx(std::string_view bytes) {
  constexpr std::string_view kVersion = ".version";
  const auto text = behind_blanks(bytes.substr(0, kFirstBytes));
  const auto after = text.substr(std::min(kVersion.size(), text.size()));
  return text.substr(0, kVersion.size()) == kVersion && !after.empty() && is_space(after[0]) &&
         begins_with_release(behind_blanks(after));
}

Ptx parse_ptx(Bytes bytes, Detail detail, Externals externals) {
  const auto scan = scan_ptx(bytes.text());
  const auto text = bytes.text().substr(0, scan.size);
  // Both directives come first, before any statement ends.
  const auto head = without_comments(text.substr(0, find_statement_end(text, 0)));
  std::size_t at = 0;
  Ptx result;
  result.isa = std::string(word_after(head, ".version", at).substr(0, kLongestWord + 1));
  if (result.isa.empty() || result.isa.size() > kLongestWord) {
    bytes.fail(0, "PTX without a .version directive");
  }
  result.arch = parse_target(bytes, word_after(head, ".target", at));
  result.needs_suffix = needs_suffix(text, result.arch);
  result.toolkit = toolkit_of(text);
  if (externals == Externals::read) {
    auto found = externals_of(text);
    result.undefined = std::move(found.undefined);
    result.defined = std::move(found.defined);
  }
  std::optional<PtxFunctions> functions;
  const FollowNames follow = [&](const std::vector<std::string_view>& names) {
    if (!functions) functions.emplace(without_comments(text));
    return functions->follow(names);
  };
  if (detail != Detail::everything) {
    if (auto kernels = PlainReader(bytes, text, follow).read(scan)) {
      result.kernels = std::move(*kernels);
      return result;
    }
  }
  result.kernels = EntryReader(bytes, text, detail, follow).read();
  return result;
}

}  // namespace archgrid::fatbin
