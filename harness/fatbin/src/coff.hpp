// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Reads the parts of COFF that objects and Windows programs share.
#ifndef ARCHGRID_FATBIN_COFF_HPP
#define ARCHGRID_FATBIN_COFF_HPP

#include <cstdint>
#include <string_view>
#include <vector>

#include "bytes.hpp"
#include "host_image.hpp"

namespace archgrid::fatbin {

struct CoffSection {
  std::string_view name;
  std::uint32_t virtual_size = 0;  ///< programs only
  std::uint32_t address = 0;       ///< programs only: relative to the load address
  std::uint32_t relocations_at = 0;
  std::uint16_t relocation_count = 0;
  std::uint32_t flags = 0;
  Bytes data;  ///< empty if the section occupies no bytes of the file
};

/// Positions of the tables of a COFF header.
struct CoffTables {
  std::uint64_t sections_at = 0;
  std::uint32_t section_count = 0;
  std::uint32_t symbols_at = 0;  ///< 0: no symbols
  std::uint32_t symbol_count = 0;
  std::uint32_t symbol_size = 18;  ///< 20 in "big" objects
};

/// Returns File::host_cpu of the machine in a COFF header.
std::string_view cpu_of_coff(std::uint16_t machine);

/// Throws Unreadable.
std::vector<CoffSection> read_coff_sections(Bytes file, const CoffTables& tables);

/// Converts a section to the form that the search needs, without its address.
HostSection coff_host_section(const CoffSection& section);

/// Reports whether a COFF object starts here: a normal one, a "big" one, or a short import, the
/// entry of an import library for one function of a DLL.
bool is_coff_object(std::string_view bytes);

/// Reads a COFF object, which may come from a static library (.lib). Throws Unreadable.
HostImage coff_host_image(Bytes file);

}  // namespace archgrid::fatbin

#endif
