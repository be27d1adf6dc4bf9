// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ARCHGRID_SYSTEM_TEMPORARY_FILE_HPP
#define ARCHGRID_SYSTEM_TEMPORARY_FILE_HPP

#include <archgrid/system/mapped_file.hpp>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace archgrid::system {

/// A temporary file that disappears once it is neither open nor mapped. It is in $TMPDIR, or in the
/// first of the system's folders for large temporary files that accepts it.
class TemporaryFile {
 public:
  /// Throws std::runtime_error with the folder and the reason.
  TemporaryFile();
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  ~TemporaryFile();

  /// Appends bytes. Throws likewise.
  void add(std::string_view bytes);

  /// Maps the file, which gets no more bytes. Throws like MappedFile.
  std::shared_ptr<const MappedFile> map();

 private:
  [[noreturn]] void fail() const;

  std::string folder_;
  int descriptor_ = -1;
};

/// Returns the bytes that are free in the folder of temporary files, or 0 if that is unknown.
std::uint64_t free_temporary_space();

}  // namespace archgrid::system

#endif
