// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Bytes that come one after another.
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

  /// The next bytes, valid until the next call unless they lie in what is kept anyway; empty at
  /// the end. Throws Problem, Broken or Exhausted.
  virtual std::string_view next() = 0;
};

/// Reads a stream to its end: only there do checksums show.
void drain(Stream& stream);

/// Bytes at hand, whose memory is taken back behind the reader.
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

/// A stream whose first bytes can be looked at before they are read.
class PeekedStream : public Stream {
 public:
  /// `kept` is what `stream` may give parts of.
  PeekedStream(Stream& stream, const Contents& kept);

  /// As many as there are of the first fatbin::kFirstBytes, or more; valid until `next`.
  [[nodiscard]] std::string_view first() const { return first_; }
  std::string_view next() override;

 private:
  Stream& stream_;
  std::string buffer_;
  std::string_view first_;
  bool begun_ = false;
};

/// A stream read by sizes.
class Cursor {
 public:
  explicit Cursor(Stream& stream) : stream_(stream) {}

  /// The next bytes, at most `most`; empty at the end.
  std::string_view some(std::uint64_t most);
  /// The next `size` bytes, or fewer at the end.
  std::string bytes(std::size_t size);
  [[nodiscard]] std::uint64_t position() const { return position_; }
  /// To be called when the stream was moved to `position`.
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
