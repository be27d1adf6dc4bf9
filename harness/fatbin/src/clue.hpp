// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Searches the data of host files for device code.
#ifndef ARCHGRID_FATBIN_CLUE_HPP
#define ARCHGRID_FATBIN_CLUE_HPP

#include <cstddef>
#include <optional>
#include <string_view>
#include <utility>

#include "file_reader.hpp"

namespace archgrid::fatbin {

enum class Clue {
  container,  ///< the magic of a fat binary
  elf,        ///< the magic of an ELF file, which may be a cubin
  ptx,        ///< a .version directive
  loader      ///< part of the name of a function or library that loads code
};

struct Hit {
  std::size_t at = 0;
  Clue clue = Clue::container;
};

/// Returns the first clue at or after `from`. Looks for all clues at once, near the speed of
/// memory.
std::optional<Hit> next_clue(std::string_view text, std::size_t from);

/// A search for clues in data of any size, one part of which is in memory at a time.
class ClueFinder {
 public:
  explicit ClueFinder(std::string_view text) : text_(text) {}

  /// Returns the first clue at or after `from`.
  std::optional<Hit> next(std::size_t from);

  /// Returns a text with `bytes` bytes before and behind `at`, and the position of `at` in it: the
  /// part in memory if that is large enough, else the whole text. Valid until the next clue.
  [[nodiscard]] std::pair<std::string_view, std::size_t> around(std::size_t at,
                                                                std::size_t bytes) const;

 private:
  [[nodiscard]] std::size_t searched_end() const;

  std::string_view text_;
  FileReader file_;
  std::string_view part_;  ///< part of the text from begin_ on
  std::size_t begin_ = 0;
};

}  // namespace archgrid::fatbin

#endif
