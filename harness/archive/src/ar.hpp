// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Static archives, and the outside of Debian packages: System V and GNU, BSD, Windows, thin ones.
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
  /// In a thin archive, where the member's header lies in the archive `name`; 0 where `name` is
  /// the member itself.
  std::uint64_t origin = 0;
};

class Ar {
 public:
  /// Throws what the stream throws, as `next` and `data` do.
  Ar(Stream& stream, bool thin, Budget& budget);
  ~Ar();

  /// The next member that is no table of the archive's own; false at the end. Throws Broken, and at
  /// the end Problem where the archive's own table of symbols names members that are not there.
  bool next(ArMember& member);

  /// The member whose header lies at an offset of `stream`, the one that this reads.
  bool next_at(BytesStream& stream, std::uint64_t offset, ArMember& member);

  /// The size of the table of long names, in bytes.
  [[nodiscard]] std::uint64_t names_size() const { return names_.size(); }

  /// The bytes of the current member, of an archive that is not thin.
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
  std::uint64_t last_symbols_member_ = 0;  ///< its offset, as the table of symbols says
  std::unique_ptr<Data> data_;
};

}  // namespace archgrid::archive

#endif
