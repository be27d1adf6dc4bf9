// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ARCHGRID_COVERAGE_REMEDY_HPP
#define ARCHGRID_COVERAGE_REMEDY_HPP

#include <archgrid/coverage/arch_plan.hpp>
#include <archgrid/coverage/table.hpp>
#include <archgrid/coverage/verdict.hpp>
#include <optional>
#include <string>
#include <tuple>

namespace archgrid::coverage {

/// The options that a fix names: those of CMake's targets, those of nvcc, or both.
enum class Options { both, cmake, nvcc };

/// An arch that a cell is built for.
struct CellArch {
  std::string text;  ///< as CMake spells it: "90", "90a-real", "90-virtual"
  PlannedArch code;  ///< the code that a device loads
};

inline bool operator==(const CellArch& left, const CellArch& right) {
  return left.text == right.text && left.code == right.code;
}

/// The place where promises and ignores are written: `cmake` is a call of archgrid_audit().
enum class PromisePlace { matrix_file, pyproject, options, cmake };

/// The change that fixes an unaccepted verdict. Kernels of a file with equal remedies share a fix.
/// Members that the fix does not mention stay unset.
struct Remedy {
  ComputeCapability device;
  Verdict verdict = Verdict::missing;
  std::optional<Version> unable;       ///< the toolkit, if it cannot compile for the number
  std::optional<Version> toolkit;      ///< builds the file
  bool recorded = false;               ///< the file records the toolkit, not only the request
  std::optional<PlannedArch> another;  ///< an arch of the toolkit that serves the device
  std::string compiled;   ///< the module's arch that the device loads even if another is added
  bool idle_ptx = false;  ///< of `empty`: the driver compiles PTX for an older arch than other code
  bool linked = false;    ///< by the device linker
  bool damaged = false;   ///< an image of the module could not be read
  std::string undefined;  ///< symbol that an image of the module uses without a definition
  Options options = Options::both;
  std::string target;             ///< of CMake, that compiles the file, if known
  std::optional<CellArch> asked;  ///< an arch of the cell that serves the device
  bool unasked = false;           ///< no arch of the file's cell serves the device
  PromisePlace place = PromisePlace::matrix_file;
  std::string audited;  ///< the target that archgrid_audit() names, for the place `cmake`
};

inline auto tied(const Remedy& remedy) {
  return std::tie(remedy.device, remedy.verdict, remedy.unable, remedy.toolkit, remedy.recorded,
                  remedy.another, remedy.compiled, remedy.idle_ptx, remedy.linked, remedy.damaged,
                  remedy.undefined, remedy.options, remedy.target, remedy.asked, remedy.unasked,
                  remedy.place, remedy.audited);
}

inline bool operator==(const Remedy& left, const Remedy& right) {
  return tied(left) == tied(right);
}

}  // namespace archgrid::coverage

#endif
