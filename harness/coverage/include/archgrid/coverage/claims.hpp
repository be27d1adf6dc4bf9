// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Reads the GPUs that a package's metadata name, and the packages that it needs.
#ifndef ARCHGRID_COVERAGE_CLAIMS_HPP
#define ARCHGRID_COVERAGE_CLAIMS_HPP

#include <archgrid/coverage/table.hpp>
#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>

namespace archgrid::coverage {

/// The GPUs that a package supports according to its metadata, and the versions that it pins.
struct Claim {
  std::string source;           ///< "variant.json", "index.json"
  std::set<std::string> archs;  ///< as CMake spells them: "90-real", "90-virtual"; empty: any
  std::optional<ComputeCapability> least;  ///< the oldest GPU on which it is installed
  /// The oldest GPU that the description of a wheel says it needs. GPUs below stay judged.
  std::optional<ComputeCapability> described;
  /// Versions that a wheel requires of other packages (`torch==2.3.0`), by name as in "my-lib".
  std::map<std::string, std::string> pins;
  bool is_unread = false;        ///< not JSON, or of another form: nothing is claimed
  bool python_checks = false;    ///< Python code of the package checks the compute capability
  std::size_t cuda_sources = 0;  ///< .cu files in an archive: compiled where it is installed
};

/// Reports whether an archive member with this path may name the package's GPUs: a wheel's
/// `*.dist-info/variant.json` or `METADATA`, a conda package's `info/index.json`, or Python or CUDA
/// code. In folders, a path of the same form may be part of an unpacked wheel.
bool may_claim(std::string_view path);

/// Reads metadata of that path: `nvidia :: sm_arch` of a variant wheel (PEP 825 draft; values as in
/// nvidia-variant-provider: "90_real"), `cuda-arch` or `__cuda_arch` with a lower bound among the
/// dependencies of a conda package (CEP 46). Returns nothing if it names no GPU.
std::optional<Claim> read_claim(std::string_view path, std::string_view text);

/// Claims by package, "foo.whl", or by the folder of an unpacked one, "site-packages/foo/".
using Claims = std::map<std::string, Claim, std::less<>>;

/// Adds the claim of the member at `path`, "foo.whl!foo.dist-info/variant.json".
void add_claim(std::string_view path, std::string_view text, Claims& claims);

/// Assigns the claims of `*.dist-info` in folders to the folders of their packages, after the last
/// add_claim(): the whole folder if it has one `*.dist-info`, else those that have its name.
void settle_folders(Claims& claims);

/// Returns the claim of the package that contains a file; null for none.
const Claim* find_claim(const Claims& claims, std::string_view path);

/// Returns the oldest GPU of lines such as "GPU: must be compute capability 7.5 or higher" in the
/// description of a wheel; nothing if there are none. Lines about a part of the package do not
/// count.
std::optional<ComputeCapability> described_gpu(std::string_view text);

/// Returns the versions that lines `Requires-Dist: torch==2.3.0` of a wheel's METADATA pin, by name
/// as in "my-lib". Leaves out packages that only extras need, and those pinned to several versions.
std::map<std::string, std::string> pinned_in(std::string_view metadata);

/// Reports whether a claim excludes the device.
bool leaves_out(const Claim& claim, ComputeCapability device);

/// Returns the devices that a claim names: those of its archs with machine code, else the oldest.
std::set<ComputeCapability> named_by(const Claim& claim);

}  // namespace archgrid::coverage

#endif
