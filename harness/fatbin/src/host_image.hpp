// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Declares the view of a program, library or object that the search for device code uses, common to
// ELF, PE and COFF.
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

/// Prefix of the function that a relocatable unit calls when loaded; the linker defines it.
constexpr std::string_view kRegistersUnit = "__cudaRegisterLinkedBinary_";

/// Reports whether a section has this name, or the eight characters of it that a PE image keeps
/// (measured on the DLLs of CUDA 11.8 to 13.5: ".nvFatBi", ".nv_fatb", "__nv_rel").
inline bool is_named(std::string_view section, std::string_view name) {
  return section == name || section == name.substr(0, 8);
}

/// Reports whether a section of this name contains containers and nothing else.
inline bool contains_only_containers(std::string_view section) {
  return is_named(section, kFatbinSection) || is_named(section, kRelocatableSection);
}

struct HostSection {
  std::string_view name;
  /// Address in memory; in an object, which has no addresses yet, the offset in the file. 0: not
  /// loaded.
  std::uint64_t address = 0;
  Bytes data;
  bool searched = false;  ///< may contain device code: neither machine code nor a linker's table
  bool is_text = false;   ///< contains strings of the program: loaded, and not a table of names
};

struct HostImage {
  std::string format;    ///< becomes File::format
  std::string_view cpu;  ///< becomes File::host_cpu
  std::vector<HostSection> sections;
  /// False: the sections are the loaded segments, without their own names.
  bool has_sections = true;
  HostLto lto = HostLto::none;
  /// True: linkers leave zeros between the pieces of a section.
  bool padded = false;
  /// Address -> value that a relocation stores there, in the sections of registration wrappers.
  /// Elsewhere the bytes in place are the pointer.
  std::map<std::uint64_t, std::uint64_t> pointers;
  std::map<std::uint64_t, std::string> units;           ///< wrapper's address -> "gemm.cu"
  std::vector<std::string_view> imports;                ///< imported functions
  std::vector<std::string_view> defined_registrations;  ///< becomes File::defined_registrations
  std::vector<std::string_view> libraries;              ///< libraries it is linked with
  /// Functions of a linked file whose copies the linker merged, and those of one unit alone. The
  /// latter are known only if the file is not stripped.
  std::vector<std::string_view> weak_functions;
  std::vector<std::string_view> local_functions;
  /// File range (begin, end) of the names of its own functions, none of which is a loader it uses.
  std::pair<std::uint64_t, std::uint64_t> exports;
};

/// Throws Unreadable, as nothing would be found in a file that a packer rewrote.
[[noreturn]] inline void fail_as_packed(Bytes file) {
  file.fail(0, "the file is packed by UPX: unpack it first (upx -d)");
}

/// Returns "gemm.cu" for nvcc's temporary "tmpxft_000015f2_00000000-6_gemm.cudafe1.cpp", with or
/// without its folder; empty for any other file.
std::string unit_of_file(std::string_view name);

/// Returns "gemm.cu" for the wrapper of a relocatable unit, "__fatbinwrap_5ea3_7_gemm_cu_9f07": 7
/// is the length of the part that follows. Empty for any other symbol.
std::string unit_of_wrapper(std::string_view name);

}  // namespace archgrid::fatbin

#endif
