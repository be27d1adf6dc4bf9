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
  PlannedArch code;  ///< of it, what a device takes
};

inline bool operator==(const CellArch& left, const CellArch& right) {
  return left.text == right.text && left.code == right.code;
}

/// The change that mends a verdict that is not accepted. Kernels of a file with equal remedies
/// share a fix. Members that the fix does not name stay unset.
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
  bool in_pyproject = false;      ///< the promise comes from [tool.archgrid]
};

inline auto tied(const Remedy& remedy) {
  return std::tie(remedy.device, remedy.verdict, remedy.unable, remedy.toolkit, remedy.recorded,
                  remedy.another, remedy.compiled, remedy.linked, remedy.damaged, remedy.undefined,
                  remedy.options, remedy.asked, remedy.unasked, remedy.in_pyproject);
}

inline bool operator==(const Remedy& left, const Remedy& right) {
  return tied(left) == tied(right);
}

}  // namespace archgrid::coverage

#endif
