// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include "pe.hpp"

#include <algorithm>
#include <iterator>
#include <map>

#include "coff.hpp"

namespace archgrid::fatbin {
namespace {

constexpr std::string_view kSignature("PE\0\0", 4);
constexpr std::uint64_t kSignatureAt = 0x3c;
// The DOS program before the signature prints one sentence. Text that starts with "MZ" contains an
// offset far beyond.
constexpr std::uint32_t kLongestDosProgram = 0x10000;

constexpr std::uint64_t kFileHeaderSize = 20;
constexpr std::uint16_t kLibrary = 0x2000;
constexpr std::uint16_t kNarrow = 0x10b;
constexpr std::uint16_t kWide = 0x20b;

// Indices of data directories.
constexpr std::uint32_t kExports = 0;
constexpr std::uint32_t kImports = 1;
constexpr std::uint32_t kCertificates = 4;
constexpr std::uint32_t kDelayedImports = 13;

constexpr std::uint64_t kImportSize = 20;
constexpr std::uint64_t kDelayedImportSize = 32;
constexpr std::uint32_t kFromImageBase = 1;
constexpr std::uint64_t kHintSize = 2;

/// The fields of the headers that are used.
struct Pe {
  bool wide = true;  ///< PE32+
  bool library = false;
  std::uint16_t machine = 0;
  std::uint64_t base = 0;  ///< address the file is linked for, which its pointers include
  std::uint64_t directories_at = 0;
  std::uint32_t directory_count = 0;
  CoffTables tables;
};

struct Directory {
  std::uint32_t address = 0;
  std::uint32_t size = 0;
};

Pe read_headers(Bytes file) {
  const std::uint64_t header = file.at<std::uint32_t>(kSignatureAt, "PE header offset") + 4ULL;
  file.require(header, kFileHeaderSize, "PE header");
  Pe pe;
  pe.machine = file.at<std::uint16_t>(header, "machine");
  pe.tables.section_count = file.at<std::uint16_t>(header + 2, "section count");
  pe.tables.symbols_at = file.at<std::uint32_t>(header + 8, "symbol table offset");
  pe.tables.symbol_count = file.at<std::uint32_t>(header + 12, "symbol count");
  const auto optional_size = file.at<std::uint16_t>(header + 16, "optional header size");
  pe.library = (file.at<std::uint16_t>(header + 18, "file flags") & kLibrary) != 0;
  const auto optional = header + kFileHeaderSize;
  pe.tables.sections_at = optional + optional_size;
  const auto magic = file.at<std::uint16_t>(optional, "optional header");
  if (magic != kNarrow && magic != kWide) {
    file.fail(optional, fmt::format("optional header {:#x} is neither PE32 nor PE32+", magic));
  }
  pe.wide = magic == kWide;
  pe.base = pe.wide ? file.at<std::uint64_t>(optional + 24, "image base")
                    : file.at<std::uint32_t>(optional + 28, "image base");
  pe.directories_at = optional + (pe.wide ? 112 : 96);
  pe.directory_count = file.at<std::uint32_t>(pe.directories_at - 4, "directory count");
  return pe;
}

Directory directory(Bytes file, const Pe& pe, std::uint32_t number) {
  const auto at = pe.directories_at + number * 8ULL;
  if (number >= pe.directory_count || at + 8 > pe.tables.sections_at) return {};
  return {file.at<std::uint32_t>(at, "directory address"),
          file.at<std::uint32_t>(at + 4, "directory size")};
}

/// The file's bytes by their load address, relative to the image base.
class Memory {
 public:
  Memory(Bytes file, const std::vector<CoffSection>& sections) : left_(file.size()) {
    for (const auto& section : sections) {
      if (section.data.size() != 0) sections_.emplace(section.address, section.data);
    }
  }

  /// Returns the bytes from the address to the end of its section. Throws Unreadable.
  [[nodiscard]] Bytes at(std::uint64_t address, std::string_view what) const {
    const auto after = sections_.upper_bound(address);
    if (after != sections_.begin()) {
      const auto& [start, data] = *std::prev(after);
      if (address - start < data.size()) {
        return data.slice(address - start, data.size() - (address - start), what);
      }
    }
    throw Unreadable(
        0, fmt::format("{} expected at the address {:#x}, which no section holds", what, address));
  }

  std::string_view name(std::uint64_t address, std::string_view what) {
    const Bytes bytes = at(address, what);
    const auto name = bytes.c_string(0, what);
    take(bytes, name.size());
    return name;
  }

  /// Counts bytes that were read. Tables may share bytes, so a crafted file may have them read
  /// again and again; in a valid file all tables together are no longer than the file.
  void take(Bytes where, std::uint64_t size) {
    if (size > left_) where.fail(0, "the import tables overlap: they are longer than the file");
    left_ -= size;
  }

 private:
  std::map<std::uint64_t, Bytes> sections_;
  std::uint64_t left_;
};

/// Reads the functions in one import table; those imported by number have no name.
void read_functions(std::uint64_t address, const Pe& pe, Memory& memory, HostImage& image) {
  const Bytes table = memory.at(address, "import table");
  const std::uint64_t width = pe.wide ? 8 : 4;
  const auto by_number = std::uint64_t{1} << (width * 8 - 1);
  for (std::uint64_t at = 0;; at += width) {
    const auto entry = pe.wide ? table.at<std::uint64_t>(at, "imported function")
                               : table.at<std::uint32_t>(at, "imported function");
    if (entry == 0) return;
    memory.take(table, width);
    if ((entry & by_number) != 0) continue;
    image.imports.push_back(memory.name(entry + kHintSize, "name of an import"));
  }
}

void read_imports(Bytes file, const Pe& pe, Memory& memory, HostImage& image) {
  const auto found = directory(file, pe, kImports);
  if (found.address == 0) return;
  const Bytes table = memory.at(found.address, "import directory");
  for (std::uint64_t at = 0;; at += kImportSize) {
    const auto names = table.at<std::uint32_t>(at, "import");
    const auto library = table.at<std::uint32_t>(at + 12, "imported library");
    const auto functions = table.at<std::uint32_t>(at + 16, "imported functions");
    if (library == 0 || functions == 0) return;
    memory.take(table, kImportSize);
    image.libraries.push_back(memory.name(library, "name of a library"));
    read_functions(names != 0 ? names : functions, pe, memory, image);
  }
}

void read_delayed_imports(Bytes file, const Pe& pe, Memory& memory, HostImage& image) {
  const auto found = directory(file, pe, kDelayedImports);
  if (found.address == 0) return;
  const Bytes table = memory.at(found.address, "delayed import directory");
  for (std::uint64_t at = 0;; at += kDelayedImportSize) {
    const auto flags = table.at<std::uint32_t>(at, "delayed import");
    const auto library = table.at<std::uint32_t>(at + 4, "imported library");
    const auto names = table.at<std::uint32_t>(at + 16, "imported functions");
    if (library == 0) return;
    memory.take(table, kDelayedImportSize);
    const auto start = (flags & kFromImageBase) != 0 ? 0 : pe.base;
    image.libraries.push_back(memory.name(library - start, "name of a library"));
    read_functions(names - start, pe, memory, image);
  }
}

void find_exports(Bytes file, const Pe& pe, const Memory& memory, HostImage& image) {
  const auto found = directory(file, pe, kExports);
  if (found.address == 0) return;
  const auto begin = memory.at(found.address, "export directory").base();
  image.exports = {begin, begin + found.size};
}

/// Adds the bytes behind the sections: certificates, and data of installers.
void add_overlay(Bytes file, const Pe& pe, HostImage& image) {
  const auto certificates = directory(file, pe, kCertificates);
  file.require(certificates.address, certificates.size, "certificates");
  std::uint64_t end = pe.tables.sections_at;
  for (const auto& section : image.sections) {
    end = std::max(end, section.data.base() + section.data.size());
  }
  HostSection overlay;
  overlay.name = "overlay";
  overlay.data = file.slice(end, file.size() - end, "overlay");
  overlay.searched = true;
  image.sections.push_back(overlay);
}

void check(Bytes file, const Pe& pe, const CoffSection& section) {
  if (section.name.substr(0, 3) == "UPX") fail_as_packed(file);
  if (!pe.wide && is_named(section.name, kWrapperSection)) {
    section.data.fail(0, "fat binaries of 32-bit programs are not read");
  }
}

}  // namespace

bool is_pe(std::string_view bytes) {
  const Bytes file(bytes);
  if (bytes.substr(0, 2) != "MZ" || !file.contains(kSignatureAt, 4)) return false;
  const auto at = file.at<std::uint32_t>(kSignatureAt, "PE header offset");
  if (at < kSignatureAt + 4 || at > kLongestDosProgram) return false;
  return !file.contains(at, kSignature.size()) || bytes.substr(at, kSignature.size()) == kSignature;
}

// Reads a PE file. Pointers in place are addresses that include the image base, in wrappers, too;
// the relocations only list their positions (measured on cuRAND, cuSPARSE, CuPy and bitsandbytes,
// 11.8 to 13.5). Symbols, and with them the names of source files, are gone.
HostImage pe_host_image(Bytes file) {
  const Pe pe = read_headers(file);
  const auto sections = read_coff_sections(file, pe.tables);
  HostImage image;
  image.format = pe.library ? "DLL" : "executable";
  image.cpu = cpu_of_coff(pe.machine);
  image.padded = true;
  for (const auto& section : sections) {
    check(file, pe, section);
    image.sections.push_back(coff_host_section(section));
    image.sections.back().address = pe.base + section.address;
  }
  Memory memory(file, sections);
  read_imports(file, pe, memory, image);
  read_delayed_imports(file, pe, memory, image);
  find_exports(file, pe, memory, image);
  add_overlay(file, pe, image);
  return image;
}

}  // namespace archgrid::fatbin
