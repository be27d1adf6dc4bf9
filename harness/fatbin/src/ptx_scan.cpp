// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include "ptx_scan.hpp"

#include <algorithm>
#include <cstdint>

#include "find_text.hpp"
#include "kernels.hpp"

namespace archgrid::fatbin {
namespace {

constexpr std::string_view kEntry = ".entry";
constexpr std::string_view kLongComment = "/*";
constexpr std::size_t kScanBlock = 4 * kVector;
// Vectors extend beyond the block as far as words may.
constexpr std::size_t kLookahead = kEntry.size() - 1;
// Each block adds up to 4 to a lane, which holds up to 127.
constexpr std::size_t kBlocksPerSum = 31;

int sum(Matches lanes) {
  int total = 0;
  for (std::size_t lane = 0; lane < kVector; ++lane) total += lanes[lane];
  return total;
}

/// Marks the bytes that may end the text or begin a word.
Matches marks(const char* at, Vector bytes) {
  const auto entry = (bytes == filled_with(kEntry.front())) &
                     (load(at + kLookahead) == filled_with(kEntry.back()));
  const auto comment =
      (bytes == filled_with(kLongComment[0])) & (load(at + 1) == filled_with(kLongComment[1]));
  return entry | comment | (bytes == Vector{});
}

class Scanner {
 public:
  explicit Scanner(std::string_view bytes) : bytes_(bytes) {}

  PtxScan scan() {
    std::size_t at = 0;
    while (at + kBlocksPerSum * kScanBlock + kLookahead <= bytes_.size() && !ended_)
      at = scan_sum(at);
    if (!ended_) scan_slowly(at, bytes_.size(), depth_);
    result_.size = ended_ ? end_ : bytes_.size();
    result_.plain = result_.plain && depth_ == 0;
    return std::move(result_);
  }

 private:
  /// Scans several blocks, as many as one lane can count the braces of; returns their end.
  std::size_t scan_sum(std::size_t at) {
    Matches braces = {};
    for (std::size_t block = 0; block < kBlocksPerSum; ++block, at += kScanBlock) {
      Matches marked = {};
      Matches found = {};
      for (std::size_t vector = 0; vector < kScanBlock; vector += kVector) {
        const auto* const from = bytes_.data() + at + vector;
        const auto bytes = load(from);
        marked |= marks(from, bytes);
        found += (bytes == filled_with('}')) - (bytes == filled_with('{'));
      }
      if (any(marked) && !look_at(at, depth_ + sum(braces))) {
        depth_ += sum(braces);
        return at;
      }
      braces += found;
    }
    depth_ += sum(braces);
    return at;
  }

  /// Examines a block that begins at a `depth` of braces; reports whether the text continues behind
  /// it. If not, the braces of the block are counted here.
  bool look_at(std::size_t at, std::int64_t depth) {
    const auto end = bytes_.substr(at, kScanBlock).find('\0');
    if (end != std::string_view::npos) {
      scan_slowly(at, at + kScanBlock, depth);
      return false;
    }
    note_words(at, at + kScanBlock, depth);
    return true;
  }

  void scan_slowly(std::size_t at, std::size_t to, std::int64_t depth) {
    end_ = std::min(bytes_.substr(0, to).find('\0', at), to);
    ended_ = end_ < bytes_.size() && bytes_[end_] == '\0';
    note_words(at, end_, depth);
    for (; at < end_; ++at) depth_ += bytes_[at] == '{' ? 1 : bytes_[at] == '}' ? -1 : 0;
  }

  void note_words(std::size_t at, std::size_t to, std::int64_t depth) {
    for (; at < to; ++at) {
      depth += bytes_[at] == '{' ? 1 : bytes_[at] == '}' ? -1 : 0;
      const auto begins = [&](std::string_view word) {
        return bytes_.compare(at, word.size(), word) == 0;
      };
      if (begins(kLongComment)) result_.plain = false;
      if (!begins(kEntry)) continue;
      if (depth != 0) result_.plain = false;  // an entry in a block is not a kernel
      if (result_.entries.size() == kMaxKernels) {
        result_.plain = false;
      } else {
        result_.entries.push_back(at);
      }
    }
  }

  std::string_view bytes_;
  PtxScan result_;
  std::int64_t depth_ = 0;
  std::size_t end_ = 0;
  bool ended_ = false;
};

}  // namespace

PtxScan scan_ptx(std::string_view bytes) {
  return Scanner(bytes).scan();
}

}  // namespace archgrid::fatbin
