// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Maps files that may change, or be truncated, while they are read. C++17, like the other headers
// here.
#ifndef ARCHGRID_SYSTEM_MAPPED_FILE_HPP
#define ARCHGRID_SYSTEM_MAPPED_FILE_HPP

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

namespace archgrid::system {

/// A regular file mapped for reading. If it is truncated meanwhile, or cannot be read, its bytes
/// turn to zeros and `change` reports it: on POSIX systems, the process has a SIGBUS handler while
/// a MappedFile exists, which passes faults outside of these mappings to the previous handler.
/// Windows refuses to truncate a mapped file.
class MappedFile {
 public:
  /// Throws std::runtime_error if the file cannot be opened or mapped, or is not a regular file
  /// (others are never opened). The message contains the reason, but not the path.
  explicit MappedFile(const std::filesystem::path& path);

  /// Maps an open file and closes the descriptor. Throws likewise.
  explicit MappedFile(int descriptor);

  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;
  ~MappedFile();

  [[nodiscard]] std::string_view bytes() const;

  /// Returns why the bytes cannot be trusted (the file has changed since it was mapped), or an
  /// empty string.
  [[nodiscard]] std::string change() const;

 private:
  void map();

  int descriptor_ = -1;
  void* address_ = nullptr;
  std::size_t size_ = 0;
  std::uint64_t modified_ = 0;              ///< time of the last change, in units of the system
  [[maybe_unused]] void* guard_ = nullptr;  ///< on POSIX systems
};

/// Frees the memory of bytes in a MappedFile; the next access reads them from the file again. Has
/// no effect on other bytes.
void release(std::string_view bytes);

/// Reports whether the bytes begin in a MappedFile that copy_from_file() can read.
bool may_copy_from_file(std::string_view bytes);

/// Copies bytes of a MappedFile from the file to `to`, which costs half of the system's time for
/// mapping their pages. Bytes that cannot be read become zeros, and MappedFile::change reports
/// them.
void copy_from_file(std::string_view bytes, char* to);

}  // namespace archgrid::system

#endif
