// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ARCHGRID_FATBIN_COMPRESSION_HPP
#define ARCHGRID_FATBIN_COMPRESSION_HPP

#include <archgrid/fatbin.hpp>
#include <cstdlib>
#include <memory>

#include "bytes.hpp"

struct ZSTD_DCtx_s;

namespace archgrid::fatbin {

/// No image seen in the wild comes near; a claim above it is refused before memory is taken.
constexpr std::uint64_t kLargestImage = std::uint64_t{1} << 30;

/// Checks what shows without decoding: that the image may be of that size and, of zstd, that there
/// is one frame, of that size, whose blocks end where the bytes end. Throws Unreadable.
void check_frame(Compression compression, Bytes packed, std::uint64_t size);

/// Whether what passed check_frame() must be decoded as a whole to be trusted. So it is of LZ4,
/// where nothing else tells a whole block from a cut one, and of zstd frames that do not say their
/// size or have a checksum, which NVIDIA's compilers do not write.
bool must_decode(Compression compression, Bytes packed);

/// Decompresses images, one after the other, into one buffer that grows to the largest of them.
class Decompressor {
 public:
  Decompressor();
  ~Decompressor();
  Decompressor(const Decompressor&) = delete;
  Decompressor& operator=(const Decompressor&) = delete;

  /// The decompressed bytes, exactly `size` of them, valid until the next image. Throws Unreadable.
  std::string_view whole(Compression compression, Bytes packed, std::uint64_t size);

  /// Takes an image of which only the first bytes may be wanted. Throws Unreadable, as
  /// check_frame() does.
  void begin(Compression compression, Bytes packed, std::uint64_t size);

  /// About the first `wanted` decompressed bytes of that image, if it has more; none where they
  /// cannot be had without decoding many more. Valid until the next call.
  std::string_view glimpse(std::uint64_t wanted);

  /// At least the first `wanted` decompressed bytes of that image, or all of them, exactly the
  /// `size` that it claims: always all but of zstd. Valid until the next image. Throws Unreadable.
  std::string_view first(std::uint64_t wanted);

 private:
  char* room_for(std::uint64_t size);
  void decode_whole();
  std::string_view fill(std::uint64_t room);
  void stream_zstd(std::uint64_t wanted);

  std::unique_ptr<ZSTD_DCtx_s, std::size_t (*)(ZSTD_DCtx_s*)> zstd_;
  struct Free {
    void operator()(char* buffer) const { std::free(buffer); }
  };
  std::unique_ptr<char, Free> buffer_;
  std::uint64_t capacity_ = 0;

  Compression compression_ = Compression::none;
  Bytes packed_;
  std::uint64_t size_ = 0;
  std::uint64_t read_ = 0;     ///< of packed_, by the zstd stream
  std::uint64_t decoded_ = 0;  ///< in the buffer
};

}  // namespace archgrid::fatbin

#endif
