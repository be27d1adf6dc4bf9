// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Finds the files that may contain device code, in folders, archives and nested archives.
#ifndef ARCHGRID_ARCHIVE_HPP
#define ARCHGRID_ARCHIVE_HPP

#include <archgrid/fatbin.hpp>
#include <archgrid/system/mapped_file.hpp>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace archgrid::archive {

/// Limits of one input. An input that exceeds one is reported as an error and read no further.
struct Limits {
  std::size_t depth = 16;  ///< nested archives; a compressed tarball counts as two
  std::uint64_t members = std::uint64_t{1} << 20;
  /// Archives may unpack to `unpacked` bytes plus `unpacked_times` the input's size, all depths
  /// together. Compressed images in the unpacked files may decompress to as many bytes again.
  std::uint64_t unpacked = std::uint64_t{1} << 30;
  std::uint64_t unpacked_times = 200;
  /// An unpacked member that is larger goes to an unlinked file in $TMPDIR or, if that is unset, in
  /// /var/tmp, else /tmp.
  std::uint64_t in_memory = std::uint64_t{32} << 20;
};

/// The bytes of a file. They stay valid as long as this object or a copy of it exists.
class Contents {
 public:
  Contents() = default;
  /// Refers to bytes that the caller keeps alive.
  explicit Contents(std::string_view bytes) : bytes_(bytes) {}
  explicit Contents(std::string bytes);
  explicit Contents(std::shared_ptr<const system::MappedFile> file);

  [[nodiscard]] std::string_view bytes() const { return bytes_; }
  /// Returns the number of bytes it owns in memory; bytes in mapped files do not count.
  [[nodiscard]] std::size_t memory() const { return memory_ ? memory_->size() : 0; }
  /// Returns why the bytes cannot be trusted, or an empty string.
  [[nodiscard]] std::string change() const { return file_ ? file_->change() : std::string(); }

  [[nodiscard]] bool contains(std::string_view part) const;
  /// Returns a part of the bytes, with the same owner.
  [[nodiscard]] Contents slice(std::string_view part) const;

 private:
  std::string_view bytes_;
  std::shared_ptr<const std::string> memory_;
  std::shared_ptr<const system::MappedFile> file_;
};

/// A file that passes fatbin::may_contain_device_code(), or an error.
struct Found {
  /// "foo.whl!pkg/libfoo.so", for display only: control characters are replaced, but `../` and the
  /// like are not, so never write to this path.
  std::string path;
  Contents contents;
  std::string error;         ///< why the file, or a part of it, could not be read; else empty
  std::uint64_t input = 0;   ///< bytes of the input so far, files named by thin archives included
  bool is_metadata = false;  ///< selected by its path, whatever its content
};

using Visitor = std::function<void(Found)>;

/// Selects metadata, members without code, by their paths.
using Wants = std::function<bool(std::string_view path)>;

/// Returns the regular files in a folder and its subfolders, sorted by name; files reachable only
/// through symbolic links come last. Each file is listed once, however many links lead to it. Links
/// to folders are not followed. Folders that cannot be read are reported to `visit`.
std::vector<std::string> files_in(const std::string& folder, const Visitor& visit);

/// Reports whether a file with these bytes is an archive or a compressed file that walk() unpacks,
/// static libraries excepted. The content decides, not the name.
bool is_package(std::string_view bytes);

/// Calls `visit` with the file itself if it is not a known archive, else with the files in the
/// archive, in their order. Never throws because of what the file contains.
void walk(const std::string& path, const Limits& limits, const Visitor& visit);

/// Walks bytes in memory like a file; every path begins with `name`.
void walk_bytes(std::string_view bytes, std::string name, const Limits& limits,
                const Visitor& visit);

/// Reads a file anew, by the path that read() gave it. Members that do not lead to it are not
/// unpacked. Returns nothing if there is no such file any more, or it cannot be read.
std::optional<Contents> contents_of(const std::string& path, const Limits& limits = {});

/// Returns the bytes that are free where unpacked members are stored, or 0 if that is unknown.
std::uint64_t free_space();

struct Progress {
  std::string path;         ///< the input started last
  std::size_t found = 0;    ///< files found so far
  std::size_t read = 0;     ///< files read so far
  std::uint64_t bytes = 0;  ///< size of the files read
};

struct Options {
  Limits limits;
  fatbin::ReadOptions reading;
  unsigned threads = 0;  ///< 0: one for each processor
  /// Called several times a second, on the calling thread.
  std::function<void(const Progress&)> watch;
  /// Selects metadata. `take` receives its bytes, one file at a time, but none over 1 MiB.
  Wants wants;
  std::function<void(std::string_view path, std::string_view bytes)> take;
  /// Receives each file with device code and its bytes, one file at a time, in any order. A copy of
  /// the bytes spares a later contents_of(), but may take room in memory or for temporary files.
  std::function<void(const fatbin::File& file, const Contents& contents)> keep;
};

/// Reads files, folders and archives, several at a time. Results are in the order of `paths` and of
/// their contents. Files in folders and archives are left out if they contain no device code, load
/// none and have no error; a path without results yields one empty File. The first 64 files with
/// errors of each path keep their errors, and one more File counts the other errors.
std::vector<fatbin::File> read(const std::vector<std::string>& paths, const Options& options);

}  // namespace archgrid::archive

#endif
