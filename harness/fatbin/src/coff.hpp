// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// The parts of COFF that objects and Windows programs share.
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
  std::uint32_t virtual_size = 0;  ///< of programs
  std::uint32_t address = 0;       ///< of programs, from where they are loaded
  std::uint32_t relocations_at = 0;
  std::uint16_t relocation_count = 0;
  std::uint32_t flags = 0;
  Bytes data;  ///< empty where the section occupies no bytes of the file
};

/// Where the tables of a COFF header lie.
struct CoffTables {
  std::uint64_t sections_at = 0;
  std::uint32_t section_count = 0;
  std::uint32_t symbols_at = 0;  ///< 0: there are none
  std::uint32_t symbol_count = 0;
  std::uint32_t symbol_size = 18;  ///< 20 in "big" objects
};

/// Returns File::host_cpu of the machine in a COFF header.
std::string_view cpu_of_coff(std::uint16_t machine);

/// Throws Unreadable.
std::vector<CoffSection> read_coff_sections(Bytes file, const CoffTables& tables);

/// A section as the search sees it, without its address.
HostSection coff_host_section(const CoffSection& section);

/// Whether a COFF object starts here, a "big" one, or what an import library says of one function
/// of a DLL.
bool is_coff_object(std::string_view bytes);

/// A COFF object, as it also lies in static libraries (.lib). Throws Unreadable.
HostImage coff_host_image(Bytes file);

}  // namespace archgrid::fatbin

#endif
