// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Wraps libarchive for the formats that archgrid does not read itself, one format at a time.
#ifndef ARCHGRID_ARCHIVE_LIBARCHIVE_HPP
#define ARCHGRID_ARCHIVE_LIBARCHIVE_HPP

#include <exception>
#include <memory>
#include <string>

#include "budget.hpp"
#include "format.hpp"
#include "stream.hpp"

struct archive;
struct archive_entry;

namespace archgrid::archive {

struct Member {
  std::string name;
  bool is_file = false;  ///< not a folder, a link or a device
  std::string refusal;   ///< why its bytes are not read; empty if they can be
};

class LibArchive {
 public:
  /// The way to read a zip: by its central directory or, if that is missing, from the front.
  enum class Zip { by_directory, from_front };

  /// Opens a tar. Throws Broken; so do `next` and `data`.
  static LibArchive tar(Stream& stream, Budget& budget);
  static LibArchive zip(BytesStream& stream, Zip how, Budget& budget);
  /// Opens a compressed file as an archive whose only member is the decompressed content.
  static LibArchive compressed(Format format, Stream& stream, Budget& budget);

  LibArchive(LibArchive&&) noexcept;
  ~LibArchive();

  /// Reads the next member; returns false at the end. Throws Problem if one member is lost, Broken
  /// if the rest is lost, too.
  bool next(Member& member);

  /// Returns the stream offset of the current member's header, or of the end.
  [[nodiscard]] std::uint64_t position() const;

  /// Returns the bytes of the current member.
  Stream& data();

 private:
  class Data;
  struct Source;

  LibArchive(Stream& stream, BytesStream* seekable, Budget& budget);
  void open();

  std::unique_ptr<Source> source_;
  std::unique_ptr<Data> data_;
};

}  // namespace archgrid::archive

#endif
