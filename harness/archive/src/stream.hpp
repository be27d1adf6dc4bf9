// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Declares the byte streams that archives are read from.
#ifndef ARCHGRID_ARCHIVE_STREAM_HPP
#define ARCHGRID_ARCHIVE_STREAM_HPP

#include <archgrid/archive.hpp>
#include <cstdint>
#include <string>
#include <string_view>

namespace archgrid::archive {

class Stream {
 public:
  Stream() = default;
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;
  virtual ~Stream() = default;

  /// Returns the next bytes; empty at the end. They are valid until the next call, unless they lie
  /// in memory that stays valid anyway. Throws Problem, Broken or Exhausted.
  virtual std::string_view next() = 0;
};

/// Reads a stream to its end, as checksums are verified only there.
void drain(Stream& stream);

/// A stream over mapped or other memory; it releases the pages behind the reader.
class BytesStream : public Stream {
 public:
  explicit BytesStream(std::string_view bytes) : bytes_(bytes) {}
  std::string_view next() override;

  [[nodiscard]] std::uint64_t position() const { return at_; }
  [[nodiscard]] std::uint64_t size() const { return bytes_.size(); }
  void seek(std::uint64_t position);

 private:
  std::string_view bytes_;
  std::string_view last_;
  std::uint64_t at_ = 0;
};

/// A stream whose first bytes can be inspected before they are read.
class PeekedStream : public Stream {
 public:
  /// `kept`: the contents that `stream` may return parts of.
  PeekedStream(Stream& stream, const Contents& kept);

  /// Returns the first fatbin::kFirstBytes bytes or more, fewer only if the stream is shorter.
  /// Valid until `next`.
  [[nodiscard]] std::string_view first() const { return first_; }
  std::string_view next() override;

 private:
  Stream& stream_;
  std::string buffer_;
  std::string_view first_;
  bool begun_ = false;
};

/// A reader of pieces of a given size from a stream.
class Cursor {
 public:
  explicit Cursor(Stream& stream) : stream_(stream) {}

  /// Returns the next bytes, at most `most`; empty at the end.
  std::string_view some(std::uint64_t most);
  /// Returns the next `size` bytes, or fewer at the end.
  std::string bytes(std::size_t size);
  [[nodiscard]] std::uint64_t position() const { return position_; }
  /// Must be called after the stream has moved to `position`.
  void restart(std::uint64_t position) {
    rest_ = {};
    position_ = position;
  }

 private:
  Stream& stream_;
  std::string_view rest_;
  std::uint64_t position_ = 0;
};

}  // namespace archgrid::archive

#endif
