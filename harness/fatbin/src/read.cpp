// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <archgrid/fatbin.hpp>
#include <archgrid/system/mapped_file.hpp>
#include <new>

#include "bare.hpp"
#include "code_hash.hpp"
#include "coff.hpp"
#include "container.hpp"
#include "elf_host.hpp"
#include "host.hpp"
#include "identity.hpp"
#include "instructions.hpp"
#include "pe.hpp"
#include "ptx.hpp"

namespace archgrid::fatbin {
namespace {

/// Adds a cubin or PTX file as a module of one image.
void read_bare(Image image, const char* format, File& file) {
  file.format = format;
  file.modules.emplace_back();
  file.images.push_back(std::move(image));
}

void expect_padding(Bytes rest, ContainerReader& reader) {
  if (rest.text().find_first_not_of('\0') == std::string_view::npos) return;
  reader.note(rest.base(), "a fat binary (magic 0xba55ed50) expected here");
}

void read_bare_fatbin(Bytes bytes, const ReadOptions& options, File& file) {
  file.format = "fatbin";
  ContainerReader reader(file, options);
  std::uint64_t at = 0;
  while (at < bytes.size()) {
    const auto rest = bytes.slice(at, bytes.size() - at, "fat binary");
    if (!is_container(rest.text())) {
      expect_padding(rest, reader);
      break;
    }
    at += reader.read(rest, "");
  }
  reader.close();
}

void read_program(const HostImage& image, const ReadOptions& options, File& file) {
  file.format = image.format;
  file.host_cpu = image.cpu;
  read_host(image, options, file);
}

void read_bitcode(std::string_view text, File& file) {
  file.format = "object";
  note_host_lto(host_lto_of_bitcode(text), file);
}

// Matches ELF files that may contain device code. 32-bit or big-endian files, and core dumps,
// belong to no system that CUDA supports.
bool is_elf_with_code(std::string_view text) {
  constexpr std::size_t kHeader = 20;
  if (!is_elf(text) || text.size() < kHeader) return is_elf(text);
  const Bytes bytes(text);
  const auto type = bytes.at<std::uint16_t>(16, "type");
  // An invalid class or byte order is damage, which reading reports.
  const bool damaged = text[4] < 1 || text[4] > 2 || text[5] < 1 || text[5] > 2;
  const bool host =
      text[4] == 2 && text[5] == 1 && type >= elf::kObject && type <= elf::kSharedObject;
  return damaged || host || bytes.at<std::uint16_t>(18, "machine") == elf::kMachineCuda;
}

bool is_text(std::string_view bytes) {
  return std::all_of(bytes.begin(), bytes.end(), [](char c) {
    return (c >= ' ' && c <= '~') || c == '\t' || c == '\n' || c == '\r';
  });
}

/// Reports whether these are the first bytes of a Windows program, which is inside a DOS program.
/// Text may begin likewise.
bool is_windows_program(std::string_view text) {
  constexpr std::size_t kDosHeader = 64;
  if (text.size() < kDosHeader) return text.substr(0, 2) == "MZ" && !is_text(text);
  return is_pe(text);
}

/// Recognises a COFF object, which has no magic: a machine, sections, no optional header, not a
/// program. An object with more sections than 16 bits count begins with machine 0.
bool is_windows_object(std::string_view text) {
  constexpr std::size_t kHeader = 20;
  constexpr std::uint16_t kX86_64 = 0x8664;
  constexpr std::uint16_t kArm64 = 0xaa64;
  constexpr std::uint16_t kProgram = 2;
  if (text.size() < kHeader) return false;
  const Bytes bytes(text);
  const auto machine = bytes.at<std::uint16_t>(0, "machine");
  const auto sections = bytes.at<std::uint16_t>(2, "sections");
  if (machine == 0 && sections == 0xffff) return bytes.at<std::uint16_t>(4, "version") >= 2;
  const auto flags = bytes.at<std::uint16_t>(18, "flags");
  return (machine == kX86_64 || machine == kArm64) && sections > 0 &&
         bytes.at<std::uint16_t>(16, "optional header") == 0 && (flags & kProgram) == 0;
}

void read_any(Bytes bytes, const ReadOptions& options, File& file) {
  const auto text = bytes.text();
  if (text.empty()) bytes.fail(0, "the file is empty");
  if (is_elf(text)) {
    if (text.size() >= 20 && bytes.at<std::uint16_t>(18, "machine") == elf::kMachineCuda) {
      return read_bare(bare_cubin(bytes), "cubin", file);
    }
    return read_program(elf_host_image(bytes), options, file);
  }
  if (is_pe(text)) return read_program(pe_host_image(bytes), options, file);
  if (is_bitcode(text)) return read_bitcode(text, file);
  if (is_container(text)) return read_bare_fatbin(bytes, options, file);
  if (is_coff_object(text)) return read_program(coff_host_image(bytes), options, file);
  if (is_ptx(text)) return read_bare(bare_ptx(bytes), "ptx", file);
  bytes.fail(0, "not an ELF, PE or COFF file, a fat binary, a cubin or PTX");
}

}  // namespace

std::string Arch::text() const {
  auto result = std::to_string(number);
  if (suffix != '\0') result += suffix;
  return result;
}

File read_bytes(std::string_view bytes, std::string name, const ReadOptions& options) {
  File file;
  file.bytes = bytes.size();
  try {
    read_any(Bytes(bytes), options, file);
    hash_code(bytes, file);
    if (options.wants_identities) find_identities(bytes, options.wants_identities, file);
    const bool has_evidence = options.detail == Detail::bodies && options.host_names;
    if (has_evidence && (!options.wants_opcodes || options.wants_opcodes(name))) {
      find_instructions(bytes, file);
    }
  } catch (const Unreadable& error) {
    file.errors.push_back({error.offset, error.what()});
  } catch (const std::bad_alloc&) {
    // A partial result would pass for the whole, and takes the memory that the message needs.
    file = {};
    file.errors.push_back({0, "there is not enough memory to read it"});
  }
  file.path = std::move(name);
  file.bytes = bytes.size();
  return file;
}

File read(const std::filesystem::path& path, const ReadOptions& options) {
  std::string problem;
  try {
    const system::MappedFile mapped(path);
    auto file = read_bytes(mapped.bytes(), path.string(), options);
    problem = mapped.change();
    if (problem.empty()) return file;
  } catch (const std::runtime_error& error) {
    problem = error.what();
  }
  File file;
  file.path = path.string();
  file.errors.push_back({0, std::move(problem)});
  return file;
}

bool may_contain_device_code(std::string_view first_bytes) {
  return is_elf_with_code(first_bytes) || is_container(first_bytes) || is_ptx(first_bytes) ||
         is_bitcode(first_bytes) || is_windows_program(first_bytes) ||
         is_windows_object(first_bytes);
}

const char* name_of(Kind kind) {
  switch (kind) {
    case Kind::sass:
      return "sass";
    case Kind::ptx:
      return "ptx";
    case Kind::lto:
      return "lto";
    case Kind::tile:
      return "tile";
    case Kind::other:
      break;
  }
  return "other";
}

const char* name_of(Compression compression) {
  switch (compression) {
    case Compression::lz4:
      return "lz4";
    case Compression::lz4_frame:
      return "lz4-frame";
    case Compression::zstd:
      return "zstd";
    case Compression::none:
      break;
  }
  return "none";
}

}  // namespace archgrid::fatbin
