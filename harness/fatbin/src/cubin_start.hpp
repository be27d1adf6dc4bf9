// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ARCHGRID_FATBIN_CUBIN_START_HPP
#define ARCHGRID_FATBIN_CUBIN_START_HPP

#include <archgrid/fatbin.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace archgrid::fatbin {

/// What the first bytes of a cubin tell. The compiler writes the names of sections, those of
/// symbols and the symbols first, and the section table, which says where they are, last; of other
/// assemblers' cubins the table comes first.
struct CubinStart {
  struct Kernel {
    std::string_view name;
    std::uint64_t code = 0;   ///< bytes of machine code; 0: not recorded
    bool may_report = false;  ///< it may call a function that is_report()
  };
  int arch = 0;
  std::optional<char> suffix;  ///< 'a', 'f', '\0' for none; nothing where the bytes do not tell
  std::string toolkit;         ///< empty where the bytes do not tell
  std::optional<Arch> compiled_from;  ///< nothing where the bytes do not tell
  std::vector<Kernel> kernels;
  bool variables = false;  ///< Image::variables, of a cubin without kernels
};

/// Reads the kernels out of the first bytes of a cubin of `size`: by its section table, if that is
/// among them. Else two sources have to agree on which they are, the symbols and the sections of
/// kernels' parameters, in a cubin that is laid out as compilers do it: names of sections, names of
/// symbols and symbols first, one after the other; as many sections as there are names; the section
/// table at the very end. Nothing where anything differs: then more bytes may tell, or all of them.
/// The section table at the end may still contradict all that, which only the whole shows.
std::optional<CubinStart> read_cubin_start(std::string_view bytes, std::uint64_t size);

/// How many first bytes of a cubin are likely to tell, as far as those tell that are there: so many
/// sections as it has names as long as those so far.
std::uint64_t likely_start(std::string_view bytes);

}  // namespace archgrid::fatbin

#endif
