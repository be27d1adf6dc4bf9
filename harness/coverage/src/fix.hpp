// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ARCHGRID_COVERAGE_FIX_HPP
#define ARCHGRID_COVERAGE_FIX_HPP

#include <archgrid/coverage/arch_plan.hpp>
#include <archgrid/coverage/audit.hpp>
#include <archgrid/coverage/verdict.hpp>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace archgrid::coverage {

/// An arch that a cell is built for.
struct CellArch {
  std::string text;  ///< as CMake spells it: "90", "90a-real", "90-virtual"
  PlannedArch code;  ///< of it, what a device takes

  friend bool operator==(const CellArch&, const CellArch&) = default;
};

/// What mends a verdict that is not accepted: the same for all kernels of a file for which these
/// are the same. What the fix of the verdict does not name stays unset.
struct Remedy {
  Device device;
  Verdict verdict = Verdict::missing;
  std::optional<Version> unable;       ///< the toolkit, if it cannot compile for the own number
  std::optional<Version> toolkit;      ///< said to build the file
  bool recorded = false;               ///< the file tells that toolkit; else it is said to build it
  std::optional<PlannedArch> another;  ///< of that toolkit, which serves the device
  std::string compiled;   ///< the arch that the device takes of the module, added or no
  bool linked = false;    ///< by the device linker
  bool damaged = false;   ///< an image of the module could not be read
  std::string undefined;  ///< used by an image of the module, and defined by nothing
  Options options = Options::both;
  std::optional<CellArch> asked;  ///< of the cell, which serves the device
  bool unasked = false;           ///< a cell builds the file, and none of its archs serves it

  friend bool operator==(const Remedy&, const Remedy&) = default;
};

/// The kernels that a fix is for.
struct Subject {
  const std::string& path;  ///< of their file
  const KernelRow& first;
  std::size_t kernels = 1;
  std::vector<std::string> units;  ///< their source files, as far as the file tells them
  std::size_t modules = 1;
};

/// One sentence.
std::string fix_text(const Remedy& remedy, const Subject& subject);

/// What to do about verdicts on the kernels of one file that are not accepted.
class Fixes {
 public:
  /// `toolkit` is said to build the file, in a cell of `cell_archs` (empty: in none), and fixes
  /// name `options`. Keeps references to `file` and `coverage`.
  Fixes(const fatbin::File& file, const Coverage& coverage, std::optional<Version> toolkit,
        Options options, std::vector<std::string> cell_archs = {});

  /// What mends a verdict that is none of those `wanted`.
  [[nodiscard]] Remedy remedy(const Wanted& wanted, const Decision& decision) const;

 private:
  /// The archs of a module, the farthest first, each once.
  struct Compiled {
    std::vector<fatbin::Arch> sass;
    std::vector<fatbin::Arch> ptx;
  };
  static std::vector<Compiled> compiled_in(const fatbin::File& file);
  /// Returns the arch of the cell whose code gives the device an accepted verdict; of several the
  /// nearest.
  [[nodiscard]] std::optional<CellArch> cell_arch_for(const Wanted& wanted) const;

  const Coverage& coverage_;
  std::optional<Version> toolkit_;
  Options options_;
  std::vector<std::string> cell_archs_;
  std::vector<std::optional<Version>> recorded_;  ///< by module: the newest of its images
  std::vector<Compiled> compiled_;                ///< by module
  std::vector<bool> linked_;                      ///< by module: by the device linker
  std::vector<bool> damaged_;                     ///< by module: an image could not be read
};

}  // namespace archgrid::coverage

#endif
