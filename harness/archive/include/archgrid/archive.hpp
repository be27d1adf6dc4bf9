// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Paths -> the files within them that may hold device code: folders, archives, archives in
// archives.
#ifndef ARCHGRID_ARCHIVE_HPP
#define ARCHGRID_ARCHIVE_HPP

#include <archgrid/fatbin.hpp>
#include <archgrid/mapped_file.hpp>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace archgrid::archive {

/// What one input may cost. More is an error that says so, and ends that input.
struct Limits {
  std::size_t depth = 16;  ///< archives in archives; a compressed tarball is two
  std::uint64_t members = std::uint64_t{1} << 20;
  /// What archives may unpack to, at all depths together: this much, and so many times the input.
  /// Compressed images of the files in them may decompress to as much again.
  std::uint64_t unpacked = std::uint64_t{1} << 30;
  std::uint64_t unpacked_times = 200;
  /// A larger member that has to be unpacked is kept in an unlinked file, in $TMPDIR, else
  /// /var/tmp, else /tmp.
  std::uint64_t in_memory = std::uint64_t{32} << 20;
};

/// The bytes of a file, which live as long as this or a copy of it does.
class Contents {
 public:
  Contents() = default;
  /// Of bytes that somebody else keeps.
  explicit Contents(std::string_view bytes) : bytes_(bytes) {}
  explicit Contents(std::string bytes);
  explicit Contents(std::shared_ptr<const fatbin::MappedFile> file);

  [[nodiscard]] std::string_view bytes() const { return bytes_; }
  /// How many bytes of memory, not of files, it keeps.
  [[nodiscard]] std::size_t memory() const { return memory_ ? memory_->size() : 0; }
  /// Why the bytes are not to be trusted; empty if they are.
  [[nodiscard]] std::string change() const { return file_ ? file_->change() : std::string(); }

  [[nodiscard]] bool holds(std::string_view part) const;
  /// The same owner, for a part of the bytes.
  [[nodiscard]] Contents slice(std::string_view part) const;

 private:
  std::string_view bytes_;
  std::shared_ptr<const std::string> memory_;
  std::shared_ptr<const fatbin::MappedFile> file_;
};

/// A file whose first bytes fatbin::recognises, or a problem.
struct Found {
  /// "foo.whl!pkg/libfoo.so": control characters are replaced, `../` and the like are kept: the
  /// path is to be shown, and to write to it would be a mistake.
  std::string path;
  Contents contents;
  std::string error;  ///< why it, or what is in it, could not be read; empty if there are contents
  std::uint64_t input = 0;   ///< bytes of the input so far, with the files that thin archives name
  bool is_metadata = false;  ///< wanted by its path, whatever it holds
};

using Visitor = std::function<void(Found)>;

/// Picks members that hold no code by their paths: metadata.
using Wants = std::function<bool(std::string_view path)>;

/// The regular files in a folder and the folders in it, by name; those that only symbolic links
/// lead to come last. Each is named once, whatever links there are; links to folders are not
/// followed. Folders that cannot be read are told to `visit`.
std::vector<std::string> files_in(const std::string& folder, const Visitor& visit);

/// Reports whether a file with these bytes is an archive or a compressed file that walk() looks
/// into, static libraries aside: by what it holds, whatever its name.
bool is_package(std::string_view bytes);

/// Calls `visit` with the file if it is none of the archives known here, else with what is in the
/// archive, in its order. Never throws for what the file holds.
void walk(const std::string& path, const Limits& limits, const Visitor& visit);

/// The same for bytes in memory; `name` begins the paths.
void walk_bytes(std::string_view bytes, std::string name, const Limits& limits,
                const Visitor& visit);

struct Progress {
  std::string path;         ///< the input that was begun last
  std::size_t found = 0;    ///< files so far
  std::size_t read = 0;     ///< of these
  std::uint64_t bytes = 0;  ///< of those read
};

struct Options {
  Limits limits;
  fatbin::ReadOptions reading;
  unsigned threads = 0;  ///< 0: one for each processor
  /// Called by the calling thread, some times a second.
  std::function<void(const Progress&)> watch;
  /// Metadata: `take` gets their bytes, one after the other. Those beyond 1 MiB are left out.
  Wants wants;
  std::function<void(std::string_view path, std::string_view bytes)> take;
};

/// Reads files, folders and archives, several at a time. The order is that of `paths` and of what
/// they hold. Files in folders and archives that hold no device code, load none and have no error
/// are left out; for a path of which nothing is left there is an empty File. Of a path the first 64
/// files with errors keep them, and one more File counts the others' errors.
std::vector<fatbin::File> read(const std::vector<std::string>& paths, const Options& options);

}  // namespace archgrid::archive

#endif
