// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Bounds the work that a crafted file can cause by overlapping sections or names.
#ifndef ARCHGRID_FATBIN_BOUNDS_HPP
#define ARCHGRID_FATBIN_BOUNDS_HPP

#include "bytes.hpp"

namespace archgrid::fatbin {

/// Total size of sections. A crafted file may let all of its sections overlap.
class HeldBytes {
 public:
  explicit HeldBytes(std::uint64_t file_size) : file_size_(file_size) {}

  void add(Bytes data) { add(data.size(), data.base()); }

  /// Adds the bytes of a section at `offset`. Throws Unreadable if the total is too large.
  void add(std::uint64_t size, std::uint64_t offset) {
    held_ += size;
    if (held_ <= kMaxHeldPerByte * file_size_) return;
    throw Unreadable(offset, fmt::format("the sections overlap: they hold more than {} times "
                                         "the file's {} bytes",
                                         kMaxHeldPerByte, file_size_));
  }

 private:
  // Sections of a valid file do not overlap, so all work on them grows with the file. Twice its
  // size leaves room for the oddities of tools that rewrite files.
  static constexpr std::uint64_t kMaxHeldPerByte = 2;

  std::uint64_t file_size_;
  std::uint64_t held_ = 0;
};

/// A reader of section or symbol names. Names may share bytes, as linkers merge common endings, but
/// only in a crafted file are they together longer than the file.
class NameReader {
 public:
  NameReader(Bytes strings, std::uint64_t most) : strings_(strings), max_(most) {}

  /// Throws Unreadable.
  std::string_view at(std::uint64_t offset, std::string_view what) {
    const auto name = strings_.c_string(offset, what);
    read_ += name.size();
    if (read_ > max_) {
      strings_.fail(offset, fmt::format("{}s overlap: together they are longer than the file's {} "
                                        "bytes",
                                        what, max_));
    }
    return name;
  }

 private:
  Bytes strings_;
  std::uint64_t max_;
  std::uint64_t read_ = 0;
};

}  // namespace archgrid::fatbin

#endif
