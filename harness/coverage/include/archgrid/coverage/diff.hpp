// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// What changed from one build, or release, to the next.
#ifndef ARCHGRID_COVERAGE_DIFF_HPP
#define ARCHGRID_COVERAGE_DIFF_HPP

#include <archgrid/coverage/verdict.hpp>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace archgrid::coverage {

/// One side of a comparison: what was read of a file, a folder or an archive.
struct Release {
  std::string path;  ///< what the paths of `files` begin with, or of the only one of them all
  std::vector<fatbin::File> files;
};

struct DiffRequest {
  std::vector<Device> devices;  ///< ascending; empty: every device of the data table
  std::optional<Driver> driver;
};

/// What became of a kernel on a device, in the order in which it is told.
enum class Turn {
  lost,      ///< was served (native, compatible, jit), and no longer is
  degraded,  ///< is served less well (native or compatible before, jit now), or less surely
  gained,    ///< was not served, and now is
  improved,  ///< is served better, or more surely
  other      ///< another verdict of the same worth: native and compatible, missing and empty
};

Turn turn_of(Verdict before, Verdict after);

/// "lost", ...
const char* name_of(Turn turn);

/// Kernels whose verdicts changed alike on the same devices.
struct CoverageChange {
  Turn turn = Turn::other;
  Verdict before = Verdict::missing;
  Verdict after = Verdict::missing;
  std::vector<Device> devices;
  Reason reason;  ///< of the verdict after, for one of the kernels on the first device
  std::vector<std::string> kernels;  ///< mangled, sorted
};

enum class Resource { registers, stack, shared, spills };

/// "registers", ...
const char* name_of(Resource resource);

/// What the machine code of a kernel takes for one arch: the most of its bodies in the file.
struct ResourceChange {
  std::string kernel;  ///< mangled
  fatbin::Arch arch;
  Resource resource = Resource::registers;
  std::uint64_t before = 0;
  std::uint64_t after = 0;
};

/// Of all images of a kind and arch.
struct ImageBytes {
  std::size_t images = 0;
  std::uint64_t stored = 0;  ///< in the file
  std::uint64_t bytes = 0;   ///< decompressed
};

struct SizeChange {
  fatbin::Kind kind = fatbin::Kind::other;
  fatbin::Arch arch;
  ImageBytes before;
  ImageBytes after;
};

/// What is told of one side of a pair.
struct FileFacts {
  std::string path;  ///< empty: there is no such file
  std::string name;  ///< the path within its side; of a side that is one file, that file's name
  std::uint64_t bytes = 0;
  std::size_t kernels = 0;         ///< those that have names
  std::size_t unnamed = 0;         ///< modules whose kernels cannot be named, and so not compared
  std::size_t stripped = 0;        ///< registered fat binaries that are not in the file
  std::set<std::string> toolkits;  ///< that made its machine code
  std::set<std::string> ptx_isas;  ///< of its PTX
  bool has_code = false;           ///< any image at all
};

/// A file and what it became.
struct FileDiff {
  FileFacts before;
  FileFacts after;
  std::vector<std::string> gone;  ///< kernels, mangled, sorted
  std::vector<std::string> added;
  std::vector<CoverageChange> coverage;   ///< by turn; in each what is unknown comes last
  std::vector<ResourceChange> resources;  ///< of machine code for archs that both have
  std::vector<SizeChange> sizes;          ///< every kind and arch of either
  /// Machine code of both sides whose spills one of them does not record.
  std::size_t unknown_spills = 0;

  /// Whether anything but bytes differs.
  [[nodiscard]] bool changed() const;
};

struct Diff {
  std::vector<Device> devices;
  std::vector<FileDiff> files;      ///< with device code on either side; pairs first
  std::vector<std::string> errors;  ///< what could not be read, of the old side first
  std::size_t errors_before = 0;    ///< how many of them are of the old side
  /// Devices that a kernel of the old side, whichever, was served on, and that no kernel of the new
  /// side may be served on; and the other way round. Told only where all could be read.
  std::vector<Device> devices_lost;
  std::vector<Device> devices_gained;
};

/// Pairs the files of both sides, and compares the kernels, images and sizes of each pair. A kernel
/// with internal linkage is the same one although its name, which has a hash of its source file,
/// differs, where only one such kernel is left on either side.
Diff diff(const Release& before, const Release& after, const DiffRequest& request);

struct TurnTotals {
  std::size_t kernels = 0;
  std::set<Device> devices;
};

/// What a diff comes to, over all of its files.
struct DiffTotals {
  std::map<Turn, TurnTotals> turns;  ///< only those that kernels took
  std::size_t before = 0;            ///< kernels of the old side
  std::size_t compared = 0;          ///< those of them that the new side has
  std::size_t gone = 0;
  std::size_t added = 0;
  std::size_t pairs = 0;       ///< files with device code that both sides have
  std::size_t files_gone = 0;  ///< with device code
  std::size_t files_added = 0;
  std::size_t stripped = 0;  ///< registered fat binaries that are no longer in their files
  bool all_gone = false;     ///< no kernel is left
  bool device_lost = false;  ///< there is one that no kernel runs on any more
  std::uint64_t stored_before = 0;
  std::uint64_t stored_after = 0;
};

DiffTotals totals_of(const Diff& diff);

/// Whether kernels are served no longer, or less well, or a device has none any more. `strict`: or
/// some are gone, which by itself breaks no one who does not launch them.
bool is_lost(const DiffTotals& totals, bool strict);

/// Two indices, or one and kUnpaired.
struct Pair {
  std::size_t before;
  std::size_t after;
};
constexpr std::size_t kUnpaired = static_cast<std::size_t>(-1);

/// Which file of `before` is which of `after`: by the path within each side, then by that without
/// versions (libx.so.12.1, foo-1.0, libx-1a2b3c4d.so), then by the file's name alone; each only
/// where no other file could be meant. One file on either side is a pair whatever the names are.
/// The unpaired ones follow.
std::vector<Pair> pair_files(const Release& before, const Release& after);

/// "pkg/libx.so" of "foo.whl!pkg/libx.so", where the release is foo.whl.
std::string name_within(const Release& release, std::size_t file);

}  // namespace archgrid::coverage

#endif
