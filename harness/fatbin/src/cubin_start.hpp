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

/// The content of the first bytes of a cubin. The compiler writes section names, symbol names and
/// symbols first, and the section table, which locates them, last. Other assemblers write the table
/// first.
struct CubinStart {
  struct Kernel {
    std::string_view name;
    std::uint64_t code = 0;   ///< bytes of machine code; 0: not recorded
    bool may_report = false;  ///< it may call a function that is_report()
  };
  int arch = 0;
  std::optional<char> suffix;         ///< 'a', 'f', '\0' for none; nothing if unknown
  std::string toolkit;                ///< empty if unknown
  std::optional<Arch> compiled_from;  ///< nothing if unknown
  std::vector<Kernel> kernels;
  bool variables = false;  ///< Image::variables, of a cubin without kernels
};

/// Reads the kernels from the first bytes of a cubin of `size` bytes: by its section table, if that
/// is among them. Else the symbols and the sections of kernels' parameters have to agree, in the
/// layout of compilers: section names, symbol names and symbols first, in this order; as many
/// sections as names; the section table at the very end. Returns nothing if anything differs; more
/// bytes, or all of them, may then be enough. The section table at the end may still contradict the
/// result, which only the whole cubin shows.
std::optional<CubinStart> read_cubin_start(std::string_view bytes, std::uint64_t size);

/// Estimates how many first bytes of a cubin read_cubin_start() needs, from those at hand: the
/// number of sections times the average length of the names so far.
std::uint64_t likely_start(std::string_view bytes);

}  // namespace archgrid::fatbin

#endif
