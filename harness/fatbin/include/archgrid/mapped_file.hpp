// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Files in memory that may change, or be cut, while they are read. C++17, as fatbin.hpp.
#ifndef ARCHGRID_MAPPED_FILE_HPP
#define ARCHGRID_MAPPED_FILE_HPP

#include <cstddef>
#include <ctime>
#include <filesystem>
#include <string>
#include <string_view>

namespace archgrid::fatbin {

/// A regular file mapped for reading. Where it is cut meanwhile, or cannot be read, its bytes turn
/// to zeros, and `change` says so. While there is one, the process has a handler of SIGBUS, which
/// leaves to the one before it whatever is not of these mappings.
class MappedFile {
 public:
  /// Throws std::runtime_error, which says why but not which file: it cannot be opened or mapped,
  /// or is not a regular file (others are never opened).
  explicit MappedFile(const std::filesystem::path& path);

  /// The same for an open file, which this closes.
  explicit MappedFile(int descriptor);

  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;
  ~MappedFile();

  [[nodiscard]] std::string_view bytes() const;

  /// Why the bytes are not to be trusted: the file has changed since it was mapped. Empty if it
  /// has not.
  [[nodiscard]] std::string change() const;

 private:
  void map();

  int descriptor_ = -1;
  void* address_ = nullptr;
  std::size_t size_ = 0;
  timespec modified_ = {};
  void* guard_ = nullptr;
};

/// Takes back the memory of bytes that lie in a MappedFile: they are read from the file again when
/// they are looked at again. Of other bytes nothing happens.
void release(std::string_view bytes);

}  // namespace archgrid::fatbin

#endif
