// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// What the search for device code needs to know of a program, library or object: the same for ELF,
// PE and COFF.
#ifndef ARCHGRID_FATBIN_HOST_IMAGE_HPP
#define ARCHGRID_FATBIN_HOST_IMAGE_HPP

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "bytes.hpp"
#include "host_lto.hpp"

namespace archgrid::fatbin {

constexpr std::string_view kWrapperSection = ".nvFatBinSegment";
constexpr std::string_view kFatbinSection = ".nv_fatbin";
constexpr std::string_view kRelocatableSection = "__nv_relfatbin";

/// Begins the name of a function that a relocatable unit calls when loaded; the linker defines it.
constexpr std::string_view kRegistersUnit = "__cudaRegisterLinkedBinary_";

/// Whether a section has this name, or what a PE image leaves of it: eight characters (measured on
/// the DLLs of CUDA 11.8 to 13.5: ".nvFatBi", ".nv_fatb", "__nv_rel").
inline bool is_named(std::string_view section, std::string_view name) {
  return section == name || section == name.substr(0, 8);
}

/// Whether a section of this name holds containers and nothing else.
inline bool holds_only_containers(std::string_view section) {
  return is_named(section, kFatbinSection) || is_named(section, kRelocatableSection);
}

struct HostSection {
  std::string_view name;
  /// In memory; in an object, which has no addresses yet, where the section lies in the file. 0: it
  /// is not loaded.
  std::uint64_t address = 0;
  Bytes data;
  bool searched = false;  ///< may hold device code: neither machine code nor a linker's table
  bool is_text = false;   ///< its strings are those of the program: loaded, and no table of names
};

struct HostImage {
  std::string format;    ///< becomes File::format
  std::string_view cpu;  ///< becomes File::host_cpu
  std::vector<HostSection> sections;
  /// False: the sections are the loaded segments, and none has its name.
  bool has_sections = true;
  HostLto lto = HostLto::none;
  /// Linkers leave zeros between the pieces of a section.
  bool padded = false;
  /// Address -> what a relocation puts there, in the sections of registration wrappers. Elsewhere
  /// the bytes in place are the pointer.
  std::map<std::uint64_t, std::uint64_t> pointers;
  std::map<std::uint64_t, std::string> units;  ///< wrapper's address -> "gemm.cu"
  std::vector<std::string_view> imports;       ///< functions
  std::vector<std::string_view> linked;        ///< functions it has that register linked units
  std::vector<std::string_view> libraries;     ///< that it is linked with
  /// Where the names of its own functions lie in the file, begin and end: no one it may load.
  std::pair<std::uint64_t, std::uint64_t> exports;
};

/// Throws Unreadable: in a file that a packer rewrote nothing would be found.
[[noreturn]] inline void fail_as_packed(Bytes file) {
  file.fail(0, "the file is packed by UPX: unpack it first (upx -d)");
}

/// "gemm.cu" from nvcc's temporary "tmpxft_000015f2_00000000-6_gemm.cudafe1.cpp", with its folder
/// or without; empty for any other file.
std::string unit_of_file(std::string_view name);

/// "gemm.cu" from the wrapper of a relocatable unit, "__fatbinwrap_5ea3_7_gemm_cu_9f07": 7 is the
/// length of what follows. Empty for any other symbol.
std::string unit_of_wrapper(std::string_view name);

}  // namespace archgrid::fatbin

#endif
