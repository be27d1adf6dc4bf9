// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// An earlier audit, to report only what is new.
#ifndef ARCHGRID_COVERAGE_BASELINE_HPP
#define ARCHGRID_COVERAGE_BASELINE_HPP

#include <archgrid/coverage/facts.hpp>
#include <archgrid/coverage/table.hpp>
#include <archgrid/coverage/verdict.hpp>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace archgrid::coverage {

/// The message names the file and the fix.
struct BaselineError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// The revision of the reading of bodies (is_idle), which audits record: a body that works by a
/// lower one may be idle by this. Raise it with each change that finds more idle bodies.
constexpr int kBodyRules = 1;

/// The known findings and verdicts of an archgrid.audit/1 document.
struct Baseline {
  using Kernels = std::unordered_map<std::string, std::map<ComputeCapability, Verdict>>;
  std::string path;
  std::optional<Driver> driver;                    ///< for which the earlier audit judged PTX
  std::optional<bool> has_promise;                 ///< the earlier audit was of one, if known
  std::string version = {};                        ///< of the archgrid that wrote it, if known
  int body_rules = kBodyRules;                     ///< as of kBodyRules; 0 if not recorded
  std::unordered_map<std::string, Kernels> files;  ///< by cell and path
  /// GPUs beyond the verdicts that PTX served, by cell and path.
  std::unordered_map<std::string, std::vector<ComputeCapability>> by_ptx;
  /// The cell and archive of each file, by cell and path. Files in no archive are not listed.
  std::unordered_map<std::string, std::string> packages;
  /// The only file of a cell with the name; empty if several have it.
  std::unordered_map<std::string, std::string> files_by_name;
  std::unordered_set<std::string> findings;  ///< findings and suspects, one per GPU
  std::unordered_set<std::string> troubled;  ///< their files, GPUs and classes of codes
  /// Facts of findings without a verdict, by file, code, GPU and kernel.
  std::unordered_map<std::string, std::vector<Facts>> facts;
};

/// Reads the output of `archgrid audit --json=FILE`. Throws BaselineError.
Baseline read_baseline(const std::filesystem::path& path);

/// A kernel's failure on one GPU.
struct KernelTrouble {
  std::string code;
  std::string rule;
  std::string cell;
  std::string path;
  std::string kernel;  ///< mangled; for a module without names, its display text
  ComputeCapability device;
  Verdict verdict = Verdict::missing;
};

/// Reports whether the baseline has a finding or suspect of this code and rule, or of one that
/// counts as the same, about the GPU in the same file, with the same verdict of the kernel there.
/// If only one of the audits is of a promise, the rules differ, and each code and rule counts.
/// Files match by their path in the package, or by name, ignoring versions in either.
bool is_known(const Baseline& baseline, const KernelTrouble& trouble);

/// Reports whether the earlier audit judged some kernel on the GPU.
bool judged(const Baseline& baseline, ComputeCapability device);

/// Reports whether the kernel ran in the earlier audit on the GPU, in the same file. Its body may
/// have been idle nevertheless if `has_old_bodies()`.
bool ran(const Baseline& baseline, const KernelTrouble& trouble);

/// Reports whether the earlier audit took idle bodies for working ones by an older kBodyRules.
bool has_old_bodies(const Baseline& baseline);

/// Reports whether the kernel ran, and its body worked.
bool worked(const Baseline& baseline, const KernelTrouble& trouble);

/// Reports whether the earlier audit included the file, ignoring versions in its name.
bool has_file(const Baseline& baseline, const std::string& cell, const std::string& path);

/// Reports whether the earlier audit judged PTX for this driver, or both audits for none.
bool has_driver(const Baseline& baseline, const std::optional<Driver>& driver);

/// Kernels that ran on each GPU. Each name counts once.
struct RanOn {
  std::map<ComputeCapability, std::size_t> kernels;
  std::set<ComputeCapability> served;  ///< where most kernels of some file ran
};

/// Kernels that ran in the earlier audit.
struct Ran {
  std::size_t kernels = 0;  ///< total
  RanOn machine_code;       ///< without compiling PTX
  RanOn any_code;           ///< also by PTX
};

/// Counts the kernels that ran in the earlier audit: those of the files and, for files in an
/// archive, of all other files that this archive had. Returns none if the audit was of other files.
Ran ran_by(const Baseline& baseline, const std::string& cell,
           const std::vector<std::string>& paths);

/// Returns "known from old.json", the reason for ignoring a finding of the baseline.
std::string reason_of(const Baseline& baseline);

/// A finding without a verdict: about a file, a GPU, or a kernel's resources.
struct FileTrouble {
  std::string code;
  std::string cell;
  std::string path;
  std::string kernel;   ///< mangled; may be empty
  std::string device;   ///< "9.0"; may be empty
  Facts facts;          ///< may be empty
  std::string message;  ///< its sentence
};

/// Reports whether the baseline has the finding with equal facts. Findings without facts, or of a
/// release that did not write facts, are compared by message.
bool is_known(const Baseline& baseline, const FileTrouble& trouble);

}  // namespace archgrid::coverage

#endif
