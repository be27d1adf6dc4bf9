// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Reads ar archives: static libraries (System V and GNU, BSD, Windows, thin) and the outer layer of
// Debian packages.
#ifndef ARCHGRID_ARCHIVE_AR_HPP
#define ARCHGRID_ARCHIVE_AR_HPP

#include <memory>
#include <string>

#include "budget.hpp"
#include "stream.hpp"

namespace archgrid::archive {

struct ArMember {
  std::string name;
  std::uint64_t size = 0;
  /// In a thin archive, the offset of the member's header in the archive `name`; 0 if `name` is the
  /// member itself.
  std::uint64_t origin = 0;
};

class Ar {
 public:
  /// Throws what the stream throws; so do `next` and `data`.
  Ar(Stream& stream, bool thin, Budget& budget);
  ~Ar();

  /// Reads the next member and skips the archive's own tables; returns false at the end. Throws
  /// Broken, and at the end Problem if the symbol table names members that are missing.
  bool next(ArMember& member);

  /// Reads the member whose header lies at `offset` of `stream`, the stream of this archive.
  bool next_at(BytesStream& stream, std::uint64_t offset, ArMember& member);

  /// Returns the size of the table of long names, in bytes.
  [[nodiscard]] std::uint64_t names_size() const { return names_.size(); }

  /// Returns the bytes of the current member. Not for thin archives.
  Stream& data();

 private:
  class Data;

  bool read_header(ArMember& member);
  void read_symbols(ArMember& member, std::size_t width);
  [[nodiscard]] std::uint64_t read_number(std::size_t width);
  void expect_members_of_symbols() const;
  void finish_member();
  [[nodiscard]] std::string name_of(std::string_view field, ArMember& member);

  Cursor cursor_;
  bool thin_;
  Budget& budget_;
  std::string names_;  ///< the table of long names
  bool has_symbols_ = false;
  std::uint64_t last_symbols_member_ = 0;  ///< highest member offset in the symbol table
  std::unique_ptr<Data> data_;
};

}  // namespace archgrid::archive

#endif
