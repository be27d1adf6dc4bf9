// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Kernels that lack a device, by rule, before they become findings.
#ifndef ARCHGRID_COVERAGE_DEFECTS_HPP
#define ARCHGRID_COVERAGE_DEFECTS_HPP

#include <archgrid/coverage/audit.hpp>
#include <bitset>
#include <cstddef>
#include <map>
#include <set>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

namespace archgrid::coverage {

constexpr std::size_t kMaxDevices = 64;
using DeviceMask = std::bitset<kMaxDevices>;  ///< by index in Audit::devices

/// One file of an audit. Devices are indices into Audit::devices, kernels into its rows.
struct FileContext {
  FileAudit& audit;  ///< a part of `result`, with its rows
  const ImageSelector& selector;
  const Request& request;
  Audit& result;
  const Driver* driver;  ///< of the request or its first promise with one; may be null
  Verdicts accept;       ///< verdicts that count as running
  DeviceMask asked;      ///< devices of the request, or all
};

/// Keeps references to all arguments.
FileContext context_of(FileAudit& audit, const ImageSelector& selector, const Request& request,
                       Audit& result);

inline const KernelRow& kernel_of(const FileContext& file, std::size_t row) {
  return file.audit.rows[row].kernel;
}

/// A kernel that does not run on a device.
struct Gap {
  std::size_t kernel = 0;  ///< index in the file's rows
  std::size_t device = 0;  ///< index in Audit::devices
  LaunchPrediction prediction;
};

Gap gap_of(const FileContext& file, std::size_t row, std::size_t at);

/// Returns the kernel and the device for questions to a baseline, without a code and a rule.
KernelTrouble trouble_of(const FileContext& file, std::size_t row, std::size_t at);

/// A kernel's defect on one device.
struct Defect {
  const char* code = "";
  Rule rule = Rule::unit;
  fatbin::Body body = fatbin::Body::unknown;
  fatbin::Arch idle_ptx = {};  ///< of Cause::idle_ptx; 0 for none

  friend bool operator<(const Defect& left, const Defect& right) {
    return left.key() < right.key();
  }

 private:
  [[nodiscard]] std::tuple<std::string_view, Rule, fatbin::Body, int, char> key() const {
    return {code, rule, body, idle_ptx.number, idle_ptx.suffix};
  }
};

using KernelDefects = std::vector<std::pair<Defect, DeviceMask>>;  ///< of one kernel
using DefectsByRow = std::vector<KernelDefects>;

struct FileDefects {
  DefectsByRow found;
  DefectsByRow known;                                                     ///< by the baseline
  std::map<const Ignore*, std::map<std::size_t, KernelDefects>> ignored;  ///< by row
};

/// Reports whether an ignore or the baseline covers a defect of a kernel on a device.
bool is_ignored(const FileContext& file, std::size_t row, std::size_t at, const Defect& defect);

/// Adds a defect of a kernel on a device, and sets the state of its field. Ignores and the baseline
/// may cover it.
void add_defect(const FileContext& file, std::size_t row, std::size_t at, const Defect& defect,
                FileDefects& defects);

/// Removes a defect that add_defect() found.
void remove_defect(std::size_t row, std::size_t at, const Defect& defect, FileDefects& defects);

}  // namespace archgrid::coverage

#endif
