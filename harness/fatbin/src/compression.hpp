// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ARCHGRID_FATBIN_COMPRESSION_HPP
#define ARCHGRID_FATBIN_COMPRESSION_HPP

#include <archgrid/fatbin.hpp>
#include <archgrid/system/memory.hpp>
#include <memory>

#include "bytes.hpp"

struct ZSTD_DCtx_s;

namespace archgrid::fatbin {

/// Largest size of a decompressed image. No image seen in the wild comes near; a larger claim is
/// refused before memory is allocated.
constexpr std::uint64_t kLargestImage = std::uint64_t{1} << 30;

/// Checks, without decoding, that the image may have the claimed size and, for zstd, that the bytes
/// are exactly one frame of that size. Throws Unreadable.
void check_frame(Compression compression, Bytes packed, std::uint64_t size);

/// Reports whether an image that passed check_frame() must be decoded as a whole to be trusted. LZ4
/// must be, as nothing else distinguishes a whole block from a truncated one. So must zstd frames
/// without a size or with a checksum, which NVIDIA's compilers do not write.
bool must_decode(Compression compression, Bytes packed);

/// A decompressor of one image after the other, into one buffer that grows to the largest of them.
class Decompressor {
 public:
  Decompressor();
  ~Decompressor();
  Decompressor(const Decompressor&) = delete;
  Decompressor& operator=(const Decompressor&) = delete;

  /// Returns the decompressed bytes, exactly `size`, valid until the next image. Throws Unreadable.
  std::string_view whole(Compression compression, Bytes packed, std::uint64_t size);

  /// Starts an image of which only the first bytes may be needed. Throws Unreadable, like
  /// check_frame().
  void begin(Compression compression, Bytes packed, std::uint64_t size);

  /// Returns about the first `wanted` decompressed bytes of the image, if it has more; none if many
  /// more would have to be decoded. Valid until the next call.
  std::string_view glimpse(std::uint64_t wanted);

  /// Returns at least the first `wanted` decompressed bytes of the image, or all of them, exactly
  /// the claimed `size`. Formats other than zstd always return all. Valid until the next image.
  /// Throws Unreadable.
  std::string_view first(std::uint64_t wanted);

 private:
  char* room_for(std::uint64_t size);
  void decode_whole();
  std::string_view fill(std::uint64_t room);
  void stream_zstd(std::uint64_t wanted);

  std::unique_ptr<ZSTD_DCtx_s, std::size_t (*)(ZSTD_DCtx_s*)> zstd_;
  system::Pages buffer_;
  std::uint64_t capacity_ = 0;

  Compression compression_ = Compression::none;
  Bytes packed_;
  std::uint64_t size_ = 0;
  std::uint64_t read_ = 0;     ///< bytes of packed_ that the zstd stream has read
  std::uint64_t decoded_ = 0;  ///< bytes in the buffer
};

}  // namespace archgrid::fatbin

#endif
