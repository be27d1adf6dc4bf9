// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Makes fat binaries, compressed like NVIDIA's.
#ifndef ARCHGRID_TESTS_MADE_FATBIN_HPP
#define ARCHGRID_TESTS_MADE_FATBIN_HPP

#include <lz4.h>
#include <zstd.h>

#include <archgrid/fatbin.hpp>

#include "made.hpp"

namespace archgrid::tests {

inline std::string lz4_of(const std::string& text) {
  std::string packed(static_cast<std::size_t>(LZ4_compressBound(static_cast<int>(text.size()))),
                     '\0');
  packed.resize(static_cast<std::size_t>(LZ4_compress_default(
      text.data(), packed.data(), static_cast<int>(text.size()), static_cast<int>(packed.size()))));
  return packed;
}

/// Returns one frame, which contains its content size.
inline std::string zstd_of(const std::string& text, bool checksum = false) {
  std::string packed(ZSTD_compressBound(text.size()), '\0');
  auto* const context = ZSTD_createCCtx();
  ZSTD_CCtx_setParameter(context, ZSTD_c_checksumFlag, checksum ? 1 : 0);
  packed.resize(ZSTD_compress2(context, packed.data(), packed.size(), text.data(), text.size()));
  ZSTD_freeCCtx(context);
  return packed;
}

/// An entry of a fat binary.
struct MadeEntry {
  fatbin::Kind kind = fatbin::Kind::sass;
  fatbin::Arch arch = {80, '\0'};
  fatbin::Compression compression = fatbin::Compression::none;
  std::string payload;         ///< as stored in the file
  std::uint64_t unpacked = 0;  ///< claimed; 0 if not compressed
};

inline MadeEntry packed_entry(fatbin::Kind kind, fatbin::Arch arch, fatbin::Compression compression,
                              const std::string& content) {
  if (compression == fatbin::Compression::none) return {kind, arch, compression, content};
  const bool lz4 = compression == fatbin::Compression::lz4;
  return {kind, arch, compression, lz4 ? lz4_of(content) : zstd_of(content), content.size()};
}

inline std::string bytes_of(const MadeEntry& entry) {
  constexpr std::uint64_t kHeader = 64;
  std::uint64_t flags = 0x11;
  if (entry.compression == fatbin::Compression::lz4) flags |= 0x2000;
  if (entry.compression == fatbin::Compression::lz4_frame) flags |= 0x4000;
  if (entry.compression == fatbin::Compression::zstd) flags |= 0x8000;
  if (entry.arch.suffix == 'a') flags |= 0x100000;
  if (entry.arch.suffix == 'f') flags |= 0x200000;
  const auto stored = (entry.payload.size() + 7) / 8 * 8;
  std::string text(kHeader, '\0');
  put<std::uint16_t>(text, 0, entry.kind == fatbin::Kind::ptx ? 1 : 2);
  put<std::uint16_t>(text, 2, 0x101);
  put<std::uint32_t>(text, 4, kHeader);
  put<std::uint64_t>(text, 8, stored);
  if (entry.unpacked != 0) put(text, 0x10, static_cast<std::uint32_t>(entry.payload.size()));
  put(text, 0x1c, static_cast<std::uint32_t>(entry.arch.number));
  put<std::uint64_t>(text, 0x28, flags);
  put<std::uint64_t>(text, 0x38, entry.unpacked);
  text += entry.payload;
  text.resize(kHeader + stored, '\0');
  return text;
}

inline std::string fatbin_of(const std::vector<MadeEntry>& entries) {
  std::string text("\x50\xed\x55\xba\x01\x00\x10\x00", 8);
  text.resize(16, '\0');
  for (const auto& entry : entries) text += bytes_of(entry);
  put<std::uint64_t>(text, 8, text.size() - 16);
  return text;
}

}  // namespace archgrid::tests

#endif
