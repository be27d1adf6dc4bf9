// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ARCHGRID_FATBIN_FILE_READER_HPP
#define ARCHGRID_FATBIN_FILE_READER_HPP

#include <string_view>
#include <vector>

namespace archgrid::fatbin {

/// A reader that copies bytes of a system::MappedFile into its own memory. For bytes that are read
/// once, this costs half of the system's time for mapping pages and freeing them.
class FileReader {
 public:
  FileReader() = default;
  FileReader(const FileReader&) = delete;
  FileReader& operator=(const FileReader&) = delete;
  ~FileReader();

  /// Returns the same bytes, valid until the next call. Bytes outside of any MappedFile, and ranges
  /// too large to be worth a copy, are returned in place; the large ones are released afterwards.
  /// Bytes that cannot be read are zeros, and MappedFile::change reports them.
  std::string_view read(std::string_view bytes);

 private:
  std::vector<char> buffer_;
  std::string_view mapped_;  ///< to be released
};

}  // namespace archgrid::fatbin

#endif
