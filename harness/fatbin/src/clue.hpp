// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// The search for device code in the data of host files.
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
  elf,        ///< that of an ELF file, which a cubin may be
  ptx,        ///< a .version directive
  loader      ///< part of the name of a function or library that loads code
};

struct Hit {
  std::size_t at = 0;
  Clue clue = Clue::container;
};

/// The first clue at `from` or after. Looks for all of them at once, near the speed of memory.
std::optional<Hit> next_clue(std::string_view text, std::size_t from);

/// Finds one after the other in data of any size, of which a part at a time is in memory.
class ClueFinder {
 public:
  explicit ClueFinder(std::string_view text) : text_(text) {}

  /// The first clue at `from` or after.
  std::optional<Hit> next(std::size_t from);

  /// The text with so many bytes before and behind `at`, and `at` within it: what is in memory if
  /// that has them, else all. Valid until the next clue.
  [[nodiscard]] std::pair<std::string_view, std::size_t> around(std::size_t at,
                                                                std::size_t bytes) const;

 private:
  [[nodiscard]] std::size_t searched_end() const;

  std::string_view text_;
  FileReader file_;
  std::string_view part_;  ///< of the text, from begin_ on
  std::size_t begin_ = 0;
};

}  // namespace archgrid::fatbin

#endif
