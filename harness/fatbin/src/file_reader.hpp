// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ARCHGRID_FATBIN_FILE_READER_HPP
#define ARCHGRID_FATBIN_FILE_READER_HPP

#include <string_view>
#include <vector>

namespace archgrid::fatbin {

/// Reads bytes of a MappedFile into memory of its own. Of what is looked at once that costs half of
/// what the system takes for mapping the pages and taking them back (docs/benchmarks.md).
class FileReader {
 public:
  FileReader() = default;
  FileReader(const FileReader&) = delete;
  FileReader& operator=(const FileReader&) = delete;
  ~FileReader();

  /// The same bytes, valid until the next call. They come back as they are where they lie in no
  /// MappedFile, or are so many that a copy would take more memory than it is worth; those are
  /// released afterwards. Bytes that cannot be read are zeros, and MappedFile::change says so.
  std::string_view read(std::string_view bytes);

 private:
  std::vector<char> buffer_;
  std::string_view mapped_;  ///< to be released
};

}  // namespace archgrid::fatbin

#endif
