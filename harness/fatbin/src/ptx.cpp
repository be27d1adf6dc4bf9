// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include "ptx.hpp"

#include <algorithm>
#include <charconv>

#include "body.hpp"

namespace archgrid::fatbin {
namespace {

/// The text with comments blanked out, so that positions stay.
std::string without_comments(std::string_view text) {
  std::string result(text);
  std::size_t at = 0;
  while ((at = result.find('/', at)) != std::string::npos && at + 1 < result.size()) {
    std::size_t end = at + 1;
    if (result[at + 1] == '/') {
      end = std::min(result.find('\n', at), result.size());
    } else if (result[at + 1] == '*') {
      const auto close = result.find("*/", at + 2);
      end = close == std::string::npos ? result.size() : close + 2;
    } else {
      ++at;
      continue;
    }
    std::fill(result.begin() + static_cast<std::ptrdiff_t>(at),
              result.begin() + static_cast<std::ptrdiff_t>(end), ' ');
    at = end;
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

std::string_view body_after(std::string_view text, std::size_t at) {
  const auto open = text.find('{', at);
  if (open == std::string_view::npos) return {};
  int depth = 0;
  for (auto end = open; end < text.size(); ++end) {
    if (text[end] == '{') ++depth;
    if (text[end] == '}' && --depth == 0) return text.substr(open + 1, end - open - 1);
  }
  return {};
}

Arch parse_target(Bytes bytes, std::string_view target) {
  Arch arch;
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

}  // namespace

bool is_ptx(std::string_view bytes) {
  return bytes.substr(0, 64 * 1024).find(".version ") != std::string_view::npos &&
         bytes.find('\0') == std::string_view::npos;
}

Ptx parse_ptx(Bytes bytes) {
  const std::string text = without_comments(bytes.text().substr(0, bytes.text().find('\0')));
  std::size_t at = 0;
  Ptx result;
  result.isa = std::string(word_after(text, ".version", at));
  if (result.isa.empty()) bytes.fail(0, "PTX without a .version directive");
  result.arch = parse_target(bytes, word_after(text, ".target", at));
  for (auto name = word_after(text, ".entry", at); !name.empty();
       name = word_after(text, ".entry", at)) {
    const auto facts = classify_ptx(body_after(text, at));
    Kernel kernel;
    kernel.name = std::string(name);
    kernel.body = facts.body;
    kernel.stores = facts.stores;
    result.kernels.push_back(std::move(kernel));
  }
  return result;
}

}  // namespace archgrid::fatbin
