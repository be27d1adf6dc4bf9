// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include "compression.hpp"

#include <lz4.h>
#include <lz4frame.h>
#include <zstd.h>

#include <memory>

namespace archgrid::fatbin {
namespace {

// The densest that each format can be, so that a few bytes cannot claim a gigabyte.
constexpr std::uint64_t kDensestLz4 = 255;
constexpr std::uint64_t kDensestZstd = 1 << 17;

void check_claim(Compression compression, Bytes packed, std::uint64_t size) {
  const auto densest = compression == Compression::zstd ? kDensestZstd : kDensestLz4;
  if (packed.size() > kLargestImage || size > kLargestImage ||
      size > (packed.size() + 1) * densest) {
    packed.fail(0, fmt::format("the image claims to be {} bytes when decompressed from {}: refused",
                               size, packed.size()));
  }
}

std::uint64_t decode_lz4(Bytes packed, char* output, std::uint64_t size) {
  const int written = LZ4_decompress_safe(packed.text().data(), output,
                                          static_cast<int>(packed.size()), static_cast<int>(size));
  if (written < 0) packed.fail(0, "the LZ4 block is corrupt");
  return static_cast<std::uint64_t>(written);
}

std::uint64_t decode_lz4_frame(Bytes packed, char* output, std::uint64_t size) {
  LZ4F_dctx* raw = nullptr;
  if (LZ4F_isError(LZ4F_createDecompressionContext(&raw, LZ4F_VERSION)) != 0) {
    packed.fail(0, "no LZ4 decoder could be made");
  }
  const std::unique_ptr<LZ4F_dctx, decltype(&LZ4F_freeDecompressionContext)> context(
      raw, &LZ4F_freeDecompressionContext);
  std::uint64_t read = 0;
  std::uint64_t written = 0;
  while (true) {
    std::size_t room = size - written;
    std::size_t taken = packed.size() - read;
    const std::size_t hint = LZ4F_decompress(context.get(), output + written, &room,
                                             packed.text().data() + read, &taken, nullptr);
    if (LZ4F_isError(hint) != 0) {
      packed.fail(read, fmt::format("the LZ4 frame is corrupt: {}", LZ4F_getErrorName(hint)));
    }
    written += room;
    read += taken;
    if (hint == 0) return written;
    if (room == 0 && taken == 0) packed.fail(read, "the LZ4 frame does not end where it should");
  }
}

std::uint64_t decode_zstd(Bytes packed, char* output, std::uint64_t size) {
  const std::size_t written =
      ZSTD_decompress(output, size, packed.text().data(), packed.text().size());
  if (ZSTD_isError(written) != 0) {
    packed.fail(0, fmt::format("the zstd frame is corrupt: {}", ZSTD_getErrorName(written)));
  }
  return written;
}

std::uint64_t decode(Compression compression, Bytes packed, char* output, std::uint64_t size) {
  switch (compression) {
    case Compression::lz4:
      return decode_lz4(packed, output, size);
    case Compression::lz4_frame:
      return decode_lz4_frame(packed, output, size);
    case Compression::zstd:
      return decode_zstd(packed, output, size);
    case Compression::none:
      break;
  }
  packed.fail(0, "the image is not compressed");
}

}  // namespace

std::string decompress(Compression compression, Bytes packed, std::uint64_t size) {
  check_claim(compression, packed, size);
  std::string output(size, '\0');
  const auto written = decode(compression, packed, output.data(), size);
  if (written != size) {
    packed.fail(
        0, fmt::format("the image decompresses to {} bytes, but {} are claimed", written, size));
  }
  return output;
}

}  // namespace archgrid::fatbin
