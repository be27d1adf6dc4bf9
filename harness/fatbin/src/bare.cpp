// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include "bare.hpp"

#include <algorithm>

#include "cubin.hpp"
#include "elf.hpp"
#include "ptx.hpp"

namespace archgrid::fatbin {
namespace {

// Kind codes as in the entries of a fat binary.
constexpr std::uint16_t kPtxEntry = 1;
constexpr std::uint16_t kCubinEntry = 2;

constexpr std::uint64_t kElfHeaderSize = 64;
constexpr std::uint64_t kBareSectionHeaderSize = 64;
constexpr std::uint64_t kBareSegmentHeaderSize = 56;

// The first three directives of a module are close together; others belong to other text.
constexpr std::size_t kMaxBareStart = 1024;

Image bare_image(Kind kind, std::uint16_t code, Bytes bytes) {
  Image image;
  image.kind = kind;
  image.kind_code = code;
  image.offset = bytes.base();
  image.decompressed_bytes = bytes.size();
  image.stored = bytes.size();
  return image;
}

/// Returns the end of a table of `count` records; absent if it is not within the bytes.
std::optional<std::uint64_t> end_of_table(Bytes bytes, std::uint64_t at, std::uint64_t count,
                                          std::uint64_t size) {
  if (at < kElfHeaderSize || count > bytes.size() / size || !bytes.contains(at, count * size)) {
    return std::nullopt;
  }
  return at + count * size;
}

bool has_bytes(std::uint32_t type) {
  // Sections of types that only cubins have may state a size in the GPU's memory.
  return type != 0 && type != elf::kNoBits && type <= elf::kCudaInfo;
}

/// Returns the end of the last section that lies within the bytes.
std::uint64_t end_of_sections(Bytes bytes, std::uint64_t table, std::uint64_t count) {
  std::uint64_t end = 0;
  for (std::uint64_t index = 0; index < count; ++index) {
    const auto header = table + index * kBareSectionHeaderSize;
    if (!has_bytes(bytes.at<std::uint32_t>(header + 4, "section type"))) continue;
    const auto offset = bytes.at<std::uint64_t>(header + 24, "section offset");
    const auto size = bytes.at<std::uint64_t>(header + 32, "section size");
    if (bytes.contains(offset, size)) end = std::max(end, offset + size);
  }
  return end;
}

bool is_cubin_header(Bytes bytes) {
  return bytes.contains(0, kElfHeaderSize) && is_elf(bytes.text()) &&
         bytes.at<std::uint8_t>(4, "ELF class") == 2 &&
         bytes.at<std::uint8_t>(5, "ELF byte order") == 1 &&
         bytes.at<std::uint16_t>(18, "machine") == elf::kMachineCuda &&
         bytes.at<std::uint16_t>(52, "header size") == kElfHeaderSize &&
         bytes.at<std::uint16_t>(58, "section header size") == kBareSectionHeaderSize;
}

/// Returns the size of the cubin that starts here; absent if none does. Only headers are read, so
/// the content may still be unreadable.
std::optional<std::uint64_t> size_of_cubin(Bytes bytes) {
  if (!is_cubin_header(bytes)) return std::nullopt;
  const auto table = bytes.at<std::uint64_t>(40, "section table offset");
  if (!end_of_table(bytes, table, 1, kBareSectionHeaderSize)) return std::nullopt;
  if (bytes.at<std::uint32_t>(table + 4, "section type") != 0) return std::nullopt;
  std::uint64_t count = bytes.at<std::uint16_t>(60, "section count");
  if (count == 0) count = bytes.at<std::uint64_t>(table + 32, "extended section count");
  const auto sections = end_of_table(bytes, table, count, kBareSectionHeaderSize);
  const auto segment_count = bytes.at<std::uint16_t>(56, "program header count");
  const auto segments =
      segment_count == 0 ? std::optional(kElfHeaderSize)
                         : end_of_table(bytes, bytes.at<std::uint64_t>(32, "program header offset"),
                                        segment_count, kBareSegmentHeaderSize);
  if (!sections || !segments) return std::nullopt;
  return std::max({*sections, *segments, end_of_sections(bytes, table, count)});
}

std::size_t past(std::string_view text, std::size_t at, std::string_view characters) {
  return std::min(text.find_first_not_of(characters, at), text.size());
}

/// Reports whether `at` is the start of a separate directive such as ".version 8.4".
bool is_version(std::string_view text, std::size_t at) {
  constexpr std::string_view kDigits = "0123456789";
  constexpr std::string_view kAround("\0 \t\r\n", 5);
  if (at != 0 && kAround.find(text[at - 1]) == std::string_view::npos) return false;
  const auto major = past(text, at, ".version");
  const auto begin = past(text, major, " \t");
  const auto dot = past(text, begin, kDigits);
  const auto end = past(text, dot + 1, kDigits);
  return begin < dot && text.substr(dot, 1) == "." && dot + 1 < end && end < text.size() &&
         kAround.find(text[end]) != std::string_view::npos;
}

bool is_start_of_module(std::string_view text, std::size_t at) {
  if (!is_version(text, at)) return false;
  const auto start = text.substr(at, kMaxBareStart);
  const auto words = start.substr(0, start.find('\0'));
  return words.find(".target ") != std::string_view::npos &&
         words.find(".address_size ") != std::string_view::npos;
}

}  // namespace

Image bare_cubin(Bytes bytes) {
  auto image = bare_image(Kind::sass, kCubinEntry, bytes);
  auto cubin = parse_cubin(bytes);
  image.arch = cubin.arch;
  image.toolkit = std::move(cubin.toolkit);
  image.options = std::move(cubin.options);
  image.debug = cubin.debug;
  image.kernels = std::move(cubin.kernels);
  image.variables = cubin.variables;
  image.undefined = std::move(cubin.undefined);
  image.defined = std::move(cubin.defined);
  return image;
}

Image bare_ptx(Bytes bytes) {
  auto image = bare_image(Kind::ptx, kPtxEntry, bytes);
  auto ptx = parse_ptx(bytes);
  image.arch = ptx.arch;
  if (ptx.needs_suffix) image.arch.suffix = 'a';
  image.ptx_isa = std::move(ptx.isa);
  image.toolkit = std::move(ptx.toolkit);
  image.kernels = std::move(ptx.kernels);
  image.undefined = std::move(ptx.undefined);
  image.defined = std::move(ptx.defined);
  return image;
}

std::optional<Image> embedded_cubin(Bytes bytes) {
  const auto size = size_of_cubin(bytes);
  if (!size) return std::nullopt;
  bytes = bytes.slice(0, *size, "cubin");
  try {
    return bare_cubin(bytes);
  } catch (const Unreadable& error) {
    auto image = bare_image(Kind::sass, kCubinEntry, bytes);
    image.error = fmt::format("at offset {:#x}: {}", error.offset, error.what());
    return image;
  }
}

std::optional<Image> embedded_ptx(Bytes bytes, std::uint64_t at, std::uint64_t& end) {
  const auto text = bytes.text();
  end = at;
  if (!is_start_of_module(text, at)) return std::nullopt;
  end = std::min(text.find('\0', at), text.size());
  // The text may lack a final zero: in one library it runs into other data.
  const auto words = text.substr(at, end - at);
  const auto other = std::find_if(words.begin(), words.end(), [](char c) {
    const auto code = static_cast<unsigned char>(c);
    return code < '\t' || code >= 0x80;
  });
  const auto plain = static_cast<std::size_t>(other - words.begin());
  for (const auto size : {words.size(), plain}) {
    try {
      auto image = bare_ptx(bytes.slice(at, size, "PTX"));
      if (!image.kernels.empty()) return image;
    } catch (const Unreadable&) {
      continue;
    }
  }
  return std::nullopt;
}

}  // namespace archgrid::fatbin
