// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include "clue.hpp"

#include <algorithm>
#include <array>

#include "find_text.hpp"

namespace archgrid::fatbin {
namespace {

/// A byte sequence to search for. The first character is stored separately, so that no program with
/// this reader contains what looks like the start of a fat binary.
struct Pattern {
  char first;
  std::string_view rest;
  Clue clue;
};

constexpr std::array<Pattern, 6> kPatterns = {{
    {'\x50', {"\xed\x55\xba\x01\x00\x10\x00", 7}, Clue::container},
    {'\x7f', "ELF\x02\x01\x01", Clue::elf},
    {'.', "version ", Clue::ptx},
    {'n', "vrtc", Clue::loader},
    {'n', "vJitLink", Clue::loader},
    {'L', "oad", Clue::loader},
}};

constexpr std::size_t kClueBlock = 4 * kVector;

// Containers are adjacent, other clues far apart. The largest step fits the caches.
constexpr std::size_t kFirstStep = std::size_t{1} << 10;
constexpr std::size_t kStepFurther = 4;
constexpr std::size_t kLargestStep = std::size_t{256} << 10;
constexpr std::size_t kLongestClue = 16;

/// Marks the positions of a pattern's first two bytes. Two are rare enough to check every match.
Matches starts(Vector bytes, Vector next) {
  const auto is = [&](char first, char second) {
    return (bytes == filled_with(first)) & (next == filled_with(second));
  };
  return is('\x50', '\xed') | is('\x7f', 'E') | is('.', 'v') | is('n', 'v') | is('L', 'o');
}

Matches starts_at(const char* bytes) {
  return starts(load(bytes), load(bytes + 1));
}

bool has_start(const char* block) {
  return any(starts_at(block) | starts_at(block + kVector) | starts_at(block + 2 * kVector) |
             starts_at(block + 3 * kVector));
}

std::optional<Hit> clue_at(std::string_view text, std::size_t at) {
  for (const auto& pattern : kPatterns) {
    if (text[at] != pattern.first) continue;
    if (text.compare(at + 1, pattern.rest.size(), pattern.rest) == 0) return Hit{at, pattern.clue};
  }
  return std::nullopt;
}

/// Returns the first clue in the block at `begin`.
std::optional<Hit> clue_in_block(std::string_view text, std::size_t begin) {
  for (auto at = begin; at < begin + kClueBlock; at += kVector) {
    const auto found = starts_at(text.data() + at);
    if (!any(found)) continue;
    for (std::size_t lane = 0; lane < kVector; ++lane) {
      if (found[lane] == 0) continue;
      if (const auto hit = clue_at(text, at + lane)) return hit;
    }
  }
  return std::nullopt;
}

}  // namespace

std::optional<Hit> next_clue(std::string_view text, std::size_t from) {
  auto at = from;
  for (; at + kClueBlock < text.size(); at += kClueBlock) {
    if (!has_start(text.data() + at)) continue;
    if (const auto hit = clue_in_block(text, at)) return hit;
  }
  for (; at < text.size(); ++at) {
    if (const auto hit = clue_at(text, at)) return hit;
  }
  return std::nullopt;
}

std::optional<Hit> ClueFinder::next(std::size_t from) {
  auto step = kFirstStep;
  while (from < text_.size()) {
    if (from < begin_ || from >= searched_end()) {
      begin_ = from;
      part_ = file_.read(text_.substr(begin_, step + kLongestClue));
      step = std::min(kStepFurther * step, kLargestStep);
    }
    if (const auto hit = next_clue(part_, from - begin_)) return Hit{begin_ + hit->at, hit->clue};
    from = searched_end();
  }
  return std::nullopt;
}

std::pair<std::string_view, std::size_t> ClueFinder::around(std::size_t at,
                                                            std::size_t bytes) const {
  const bool held = at >= begin_ + bytes && at + bytes <= begin_ + part_.size();
  return held ? std::pair(part_, at - begin_) : std::pair(text_, at);
}

/// Returns the end of the searched text: a clue from there on may extend beyond the part.
std::size_t ClueFinder::searched_end() const {
  const auto end = begin_ + part_.size();
  return end == text_.size() ? end : end - std::min(kLongestClue, part_.size());
}

}  // namespace archgrid::fatbin
