// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// libarchive, for the formats that archgrid leaves to it, one at a time.
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
  /// How a zip is read: by its central directory, or, where that is gone, from the front.
  enum class Zip { by_directory, from_front };

  /// A tar. Throws Broken, as `next` and `data` do.
  static LibArchive tar(Stream& stream, Budget& budget);
  static LibArchive zip(BytesStream& stream, Zip how, Budget& budget);
  /// A compressed file, whose only member is what it holds.
  static LibArchive compressed(Format format, Stream& stream, Budget& budget);

  LibArchive(LibArchive&&) noexcept;
  ~LibArchive();

  /// False at the end. Throws Problem where one member is lost, Broken where the rest is.
  bool next(Member& member);

  /// Where the header of the current member, or the end, begins in the stream.
  [[nodiscard]] std::uint64_t position() const;

  /// The bytes of the current member.
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
