// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Compares two builds, or releases.
#ifndef ARCHGRID_COVERAGE_DIFF_HPP
#define ARCHGRID_COVERAGE_DIFF_HPP

#include <archgrid/coverage/verdict.hpp>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace archgrid::coverage {

/// One side of a comparison: the contents of a file, a folder or an archive.
struct Release {
  std::string path;  ///< the common start of the paths of `files`, or the path of a single file
  std::vector<fatbin::File> files;
};

struct DiffRequest {
  std::vector<ComputeCapability> devices;  ///< ascending; empty: every device of the data table
  std::optional<Driver> driver;
};

/// Changes of a kernel's verdict on a device, in the order of reports.
enum class Turn {
  lost,      ///< was served (native, compatible, jit), and no longer is
  degraded,  ///< is served less well (native or compatible before, jit now), or less surely
  gained,    ///< was not served, and now is
  improved,  ///< is served better, or more surely
  other      ///< another verdict of equal worth: native and compatible, missing and empty
};

Turn turn_of(Verdict before, Verdict after);

/// Returns "lost", ...
const char* name_of(Turn turn);

/// Kernels with equal verdict changes on the same devices.
struct CoverageChange {
  Turn turn = Turn::other;
  Verdict before = Verdict::missing;
  Verdict after = Verdict::missing;
  std::vector<ComputeCapability> devices;
  Reason reason;  ///< of the new verdict, for one of the kernels on the first device
  std::vector<std::string> kernels;  ///< mangled, sorted
};

enum class Resource { registers, stack, shared, spills };

/// Returns "registers", ...
const char* name_of(Resource resource);

/// The resources of a kernel's machine code for one arch: the maximum of its bodies in the file.
struct ResourceChange {
  std::string kernel;  ///< mangled
  fatbin::Arch arch;
  Resource resource = Resource::registers;
  std::uint64_t before = 0;
  std::uint64_t after = 0;
};

/// Comparison of what GPUs execute, by Kernel::identity. Kernels without an identity, and those
/// that a GPU runs on one side only, are left out.
struct CodeChange {
  std::vector<ComputeCapability> devices;
  std::size_t unchanged = 0;         ///< kernels
  std::vector<std::string> changed;  ///< kernels, mangled, sorted
};

/// Totals of all images of one kind and arch.
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

/// Facts about one side of a pair.
struct FileFacts {
  std::string path;  ///< empty if the file does not exist
  std::string name;  ///< the path within its side; the file's name if the side is one file
  std::uint64_t bytes = 0;
  std::size_t kernels = 0;         ///< kernels with names
  std::size_t unnamed = 0;         ///< modules with nameless kernels, which are not compared
  std::size_t stripped = 0;        ///< registered fat binaries that are not in the file
  std::set<std::string> toolkits;  ///< of its machine code
  std::set<std::string> ptx_isas;  ///< of its PTX
  bool has_code = false;           ///< at least one image
};

/// Changes of the devices on which any kernel runs. Omits devices that the other side may serve.
struct DeviceChanges {
  std::vector<ComputeCapability> lost;      ///< some kernel ran there, and none does now
  std::vector<ComputeCapability> degraded;  ///< machine code ran there, and now only PTX serves it
  std::vector<ComputeCapability> gained;    ///< no kernel ran there, and some does now
};

/// A file and its changes.
struct FileDiff {
  FileFacts before;
  FileFacts after;
  std::vector<std::string> gone;  ///< kernels, mangled, sorted
  std::vector<std::string> added;
  DeviceChanges reach;                    ///< of a pair, if all files could be read
  std::vector<CoverageChange> coverage;   ///< by turn; unknown verdicts come last in each
  std::vector<CodeChange> code;           ///< empty if the files were read without identities
  std::size_t unknown_code = 0;           ///< kernels whose code has no identity on some device
  std::vector<ResourceChange> resources;  ///< of machine code for archs of both sides
  std::vector<SizeChange> sizes;          ///< every kind and arch of either side
  /// Counts machine code of both sides for which one side does not record spills.
  std::size_t unknown_spills = 0;

  /// Reports whether both sides have the file and kernels with names, and none in common.
  [[nodiscard]] bool shares_no_kernel() const;

  /// Reports whether some GPU executes other code in a kernel of both sides.
  [[nodiscard]] bool changes_code() const;

  /// Reports whether anything except bytes differs.
  [[nodiscard]] bool changed() const;
};

struct Diff {
  std::vector<ComputeCapability> devices;
  std::vector<FileDiff> files;      ///< with device code on either side; pairs first
  std::vector<std::string> errors;  ///< of reading, those of the old side first
  std::size_t errors_before = 0;    ///< number of errors of the old side
  DeviceChanges reach;              ///< over all files, if all could be read
};

/// Pairs the files of both sides, and compares the kernels, images and sizes of each pair. Names of
/// kernels with internal linkage contain a hash of their source file: such kernels match without it
/// if only one on each side remains.
Diff diff(const Release& before, const Release& after, const DiffRequest& request);

struct TurnTotals {
  std::size_t kernels = 0;
  std::set<ComputeCapability> devices;
};

/// Totals of a diff over all files.
struct DiffTotals {
  std::map<Turn, TurnTotals> turns;  ///< only turns that occurred
  std::size_t before = 0;            ///< kernels of the old side
  std::size_t compared = 0;          ///< of these, kernels that the new side has
  std::size_t gone = 0;
  std::size_t added = 0;
  std::size_t pairs = 0;       ///< files with device code on both sides
  std::size_t files_gone = 0;  ///< with device code
  std::size_t files_added = 0;
  std::size_t stripped = 0;      ///< registered fat binaries that are missing from their files now
  bool all_gone = false;         ///< no kernel is left
  bool device_lost = false;      ///< some device no longer runs any kernel
  bool device_degraded = false;  ///< some device no longer runs any machine code
  std::size_t files_lost = 0;    ///< pairs without common kernels that lost or degraded a device
  std::uint64_t stored_before = 0;
  std::uint64_t stored_after = 0;
};

DiffTotals totals_of(const Diff& diff);

/// Reports whether kernels are no longer served, or served less well, or a device lost its last
/// kernel or machine code, over all files or in a pair of files without common kernels. With
/// `strict`, also whether kernels are gone, which breaks only users that launch them.
bool is_lost(const DiffTotals& totals, bool strict);

/// Indices of two files, or of one file and kUnpaired.
struct Pair {
  std::size_t before;
  std::size_t after;
};
constexpr std::size_t kUnpaired = static_cast<std::size_t>(-1);

/// Pairs the files of both sides: by their path within each side, then by this path without
/// versions (libx.so.12.1, foo-1.0, libx-1a2b3c4d.so), then by file name, each only if the match is
/// unique. A single file on each side is a pair whatever its name. Unpaired files follow.
std::vector<Pair> pair_files(const Release& before, const Release& after);

/// Returns the path within the release: "pkg/libx.so" for "foo.whl!pkg/libx.so" in foo.whl.
std::string name_within(const Release& release, std::size_t file);

}  // namespace archgrid::coverage

#endif
