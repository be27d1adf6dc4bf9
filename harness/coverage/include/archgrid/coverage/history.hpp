// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Finds which releases of a package run on a GPU, with few audits.
#ifndef ARCHGRID_COVERAGE_HISTORY_HPP
#define ARCHGRID_COVERAGE_HISTORY_HPP

#include <archgrid/coverage/audit.hpp>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace archgrid::coverage {

/// A release that was tried.
struct AuditedRelease {
  std::string version;
  std::map<ComputeCapability, Answer> answers;  ///< empty if it could not be audited
  std::set<ComputeCapability> with_errors;      ///< some kernels fail there, whatever the answer
  /// Paths of the files of which no kernel runs, where the release runs in part.
  std::map<ComputeCapability, std::set<std::string>> failing_files;
  std::string problem;   ///< why it could not
  bool has_code = true;  ///< false if it was read, and has no CUDA code
};

/// Returns a release from its audit. Releases that cannot be read, that have no CUDA code, or whose
/// answers are all unknown, have a problem and no answers.
AuditedRelease release_of(const std::string& version, const Audit& audit);

/// The releases that run on a GPU.
struct RunningReleases {
  std::optional<std::string> first;  ///< the oldest that was found
  std::optional<std::string> last;   ///< the newest
  std::optional<std::string> fails;  ///< before the first or behind the last: does not run there,
                                     ///< or in part
  std::optional<bool> newest_runs;   ///< the newest that has an answer; unset if none has
};

struct History {
  std::size_t versions = 0;             ///< releases of the package
  std::vector<AuditedRelease> audited;  ///< all that were tried, newest first
  std::map<ComputeCapability, RunningReleases> running;
};

/// Audits a release.
using AuditRelease = std::function<AuditedRelease(const std::string& version)>;

/// Finds for each GPU the first release that runs there if the newest does, and else the last, by
/// halving. This supposes that support changes once between two releases that were audited. If
/// the newest and the oldest release have the same answer, it looks at a few between. After five
/// releases in a row that cannot be audited, or three without CUDA code, it does not look for one
/// beside them.
History find_history(const std::vector<std::string>& newest_first,
                     const std::vector<ComputeCapability>& devices, const AuditRelease& audit);

/// Sorts versions of Python packages (PEP 440), the newest first, and drops duplicates. Local
/// versions, as 2.6.0+cu124, count as equal to those without, and follow each other by text.
std::vector<std::string> newest_first(std::vector<std::string> versions);

/// Drops pre-releases (PEP 440), which pip does not choose by itself, unless there is nothing else.
std::vector<std::string> without_prereleases(const std::vector<std::string>& versions);

}  // namespace archgrid::coverage

#endif
