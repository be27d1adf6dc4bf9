// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include "compression.hpp"

#include <lz4.h>
#include <lz4frame.h>
#include <zstd.h>
#include <zstd_errors.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <new>
#include <string>

namespace archgrid::fatbin {
namespace {

// The highest compression ratio of each format: a few bytes must not claim a gigabyte.
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
    if (hint == 0) {
      if (read != packed.size()) packed.fail(read, "the LZ4 frame ends before the image does");
      return written;
    }
    if (room == 0 && taken == 0) packed.fail(read, "the LZ4 frame does not end where it should");
  }
}

std::uint64_t decode_zstd(Bytes packed, char* output, std::uint64_t size, ZSTD_DCtx* context) {
  const auto written =
      ZSTD_decompressDCtx(context, output, size, packed.text().data(), packed.text().size());
  if (ZSTD_isError(written) != 0) {
    packed.fail(0, fmt::format("the zstd frame is corrupt: {}", ZSTD_getErrorName(written)));
  }
  return written;
}

std::uint64_t decode(Compression compression, Bytes packed, char* output, std::uint64_t size,
                     ZSTD_DCtx* context) {
  switch (compression) {
    case Compression::lz4:
      return decode_lz4(packed, output, size);
    case Compression::lz4_frame:
      return decode_lz4_frame(packed, output, size);
    case Compression::zstd:
      return decode_zstd(packed, output, size, context);
    case Compression::none:
      break;
  }
  packed.fail(0, "the image is not compressed");
}

/// Checks, without decoding, that the bytes are one whole frame of the claimed size. Often only the
/// first bytes of an image are decoded, and a truncated image must not pass.
void check_zstd_frame(Bytes packed, std::uint64_t size) {
  const auto* const bytes = packed.text().data();
  const auto held = ZSTD_getFrameContentSize(bytes, packed.size());
  const auto end = ZSTD_findFrameCompressedSize(bytes, packed.size());
  if (held == ZSTD_CONTENTSIZE_ERROR || ZSTD_isError(end) != 0) {
    packed.fail(0, fmt::format("the zstd frame is corrupt: {}", ZSTD_getErrorName(end)));
  }
  if (end != packed.size()) {
    packed.fail(end, fmt::format("the zstd frame ends {} bytes before the image does",
                                 packed.size() - end));
  }
  if (held != ZSTD_CONTENTSIZE_UNKNOWN && held != size) {
    packed.fail(0, fmt::format("the zstd frame holds {} bytes, but {} are claimed", held, size));
  }
}

// Input of one step of the zstd stream: the names of most cubins are in the first.
constexpr std::uint64_t kPackedStep = 8 * 1024;

// zstd decodes blocks of 128 KiB in order until its output is full, and then fails. The bytes
// written by then are correct. Its documentation does not promise that, but the sources of 1.4.0 to
// 1.5.6 show it, and 1.5.7 passes the same tests. Two cases, in which zstd keeps other bytes in the
// output for a while, are decoded the ordinary way: a block may be shorter than the output, or the
// output is longer than kMaxGlimpsed. That is zstd's ZSTD_DECODER_INTERNAL_BUFFER, unless zstd was
// built with a smaller one.
constexpr unsigned kFirstGlimpsed = 10400;  // zstd 1.4.0
constexpr unsigned kLastGlimpsed = 10507;
constexpr std::uint64_t kMaxGlimpsed = 64 * 1024;
// zstd copies 32 bytes at a time, which may exceed the decoded data.
constexpr std::size_t kCopiedTooMuch = 64;
constexpr char kNotWritten = '\xa5';

/// Reports whether these bytes start one frame of `size` decompressed bytes in blocks of 128 KiB,
/// or in one block (RFC 8878, 3.1.1.1).
bool has_long_blocks(std::string_view frame, std::uint64_t size) {
  constexpr std::string_view kMagic = "\x28\xb5\x2f\xfd";
  constexpr unsigned kSingleSegment = 1U << 5;
  constexpr unsigned kLongExponent = 17 - 10;
  const bool whole = frame.size() > 5 && frame.substr(0, kMagic.size()) == kMagic &&
                     ZSTD_getFrameContentSize(frame.data(), frame.size()) == size;
  if (!whole) return false;
  const auto descriptor = static_cast<unsigned char>(frame[4]);
  const auto window = static_cast<unsigned char>(frame[5]);
  return (descriptor & kSingleSegment) != 0 || window >> 3U >= kLongExponent;
}

/// Returns the output up to the first place where nothing was written.
std::string_view written_of(std::string_view output) {
  static const std::string kNothing(kCopiedTooMuch, kNotWritten);
  const auto written = output.substr(0, output.find(kNothing));
  return written.substr(0, written.find_last_not_of(kNotWritten) + 1);
}

bool may_glimpse(std::string_view frame, std::uint64_t size) {
  static const auto version = ZSTD_versionNumber();
  return version >= kFirstGlimpsed && version <= kLastGlimpsed && has_long_blocks(frame, size);
}

}  // namespace

void check_frame(Compression compression, Bytes packed, std::uint64_t size) {
  check_claim(compression, packed, size);
  if (compression == Compression::zstd) check_zstd_frame(packed, size);
}

bool must_decode(Compression compression, Bytes packed) {
  constexpr std::size_t kDescriptor = 4;
  constexpr unsigned kChecksum = 1U << 2;  // RFC 8878, 3.1.1.1.1
  const auto frame = packed.text();
  if (compression != Compression::zstd || frame.size() <= kDescriptor) return true;
  if ((static_cast<unsigned char>(frame[kDescriptor]) & kChecksum) != 0) return true;
  return ZSTD_getFrameContentSize(frame.data(), frame.size()) == ZSTD_CONTENTSIZE_UNKNOWN;
}

Decompressor::Decompressor() : zstd_(ZSTD_createDCtx(), &ZSTD_freeDCtx) {
  if (!zstd_) throw std::bad_alloc();
  // ZSTD_d_stableOutBuffer: decode the stream directly into the output buffer. A library without
  // this parameter copies.
  ZSTD_DCtx_setParameter(zstd_.get(), ZSTD_d_experimentalParam2, 1);
}

Decompressor::~Decompressor() = default;

std::string_view Decompressor::whole(Compression compression, Bytes packed, std::uint64_t size) {
  begin(compression, packed, size);
  decode_whole();
  return {buffer_.get(), size_};
}

void Decompressor::begin(Compression compression, Bytes packed, std::uint64_t size) {
  check_frame(compression, packed, size);
  compression_ = compression;
  packed_ = packed;
  size_ = size;
  read_ = 0;
  decoded_ = 0;
  room_for(size);
  ZSTD_DCtx_reset(zstd_.get(), ZSTD_reset_session_only);
}

std::string_view Decompressor::glimpse(std::uint64_t wanted) {
  if (compression_ != Compression::zstd || !may_glimpse(packed_.text(), size_)) return {};
  // Nothing is decoded if a block has more literals than there is room.
  for (auto room = wanted; room <= kMaxGlimpsed && room < size_; room *= 2) {
    const auto bytes = fill(room);
    if (!bytes.empty()) return bytes;
  }
  return {};
}

/// Returns the bytes that zstd decodes before it runs out of room.
std::string_view Decompressor::fill(std::uint64_t room) {
  auto* const output = buffer_.get();
  std::memset(output, kNotWritten, room);
  decoded_ = 0;
  const auto result =
      ZSTD_decompressDCtx(zstd_.get(), output, room, packed_.text().data(), packed_.text().size());
  ZSTD_DCtx_reset(zstd_.get(), ZSTD_reset_session_only);
  // For any other result, ordinary decoding reports what is wrong.
  if (ZSTD_getErrorCode(result) != ZSTD_error_dstSize_tooSmall) return {};
  const auto written = written_of({output, room});
  return written.substr(0, written.size() - std::min(written.size(), kCopiedTooMuch));
}

std::string_view Decompressor::first(std::uint64_t wanted) {
  if (decoded_ < std::min(wanted, size_)) {
    if (wanted >= size_ || compression_ != Compression::zstd) {
      decode_whole();
    } else {
      stream_zstd(wanted);
    }
  }
  return {buffer_.get(), decoded_};
}

// Returns uninitialised memory, as callers only get bytes that a decoder has written. The system
// zeroes memory on first touch, which takes a fifth of an audit's time in small pages.
char* Decompressor::room_for(std::uint64_t size) {
  constexpr std::uint64_t kPage = system::kLargePage;
  if (size > capacity_) {
    const auto wanted = std::max(size, std::min(2 * capacity_, kLargestImage));
    const auto capacity = (wanted + kPage - 1) / kPage * kPage;
    buffer_.reset();
    capacity_ = 0;
    buffer_ = system::allocate_pages(capacity);
    capacity_ = capacity;
  }
  return buffer_.get();
}

void Decompressor::decode_whole() {
  decoded_ = decode(compression_, packed_, buffer_.get(), size_, zstd_.get());
  if (decoded_ == size_) return;
  packed_.fail(
      0, fmt::format("the image decompresses to {} bytes, but {} are claimed", decoded_, size_));
}

void Decompressor::stream_zstd(std::uint64_t wanted) {
  ZSTD_inBuffer input = {packed_.text().data(), read_, read_};
  ZSTD_outBuffer output = {buffer_.get(), size_, decoded_};
  while (output.pos < wanted) {
    input.size = std::min(input.pos + kPackedStep, packed_.size());
    const bool ended = input.pos == packed_.size();
    // Decoding the whole image reports what is wrong, if anything.
    if (ended || ZSTD_isError(ZSTD_decompressStream(zstd_.get(), &output, &input)) != 0) {
      return decode_whole();
    }
  }
  read_ = input.pos;
  decoded_ = output.pos;
}

}  // namespace archgrid::fatbin
