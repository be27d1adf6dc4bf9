// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// The common view model of all writers of an audit, so that their reports agree.
#ifndef ARCHGRID_REPORT_AUDIT_VIEW_HPP
#define ARCHGRID_REPORT_AUDIT_VIEW_HPP

#include <archgrid/coverage.hpp>
#include <archgrid/words.hpp>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace archgrid::report {

/// The results of `archgrid audit` in one or several cells.
struct AuditReport {
  std::vector<coverage::Audit> audits;
  std::vector<coverage::Finding> findings;  ///< of no single audit: cells not built, unused ignores
  std::vector<std::string> errors;
  bool by_cell = false;     ///< one map per cell instead of per file
  std::string all_command;  ///< shows every kernel of all cells; for reports by cell
  bool without_promise = false;
  /// The place of ignores that concern no kernel: of the promise, or the command line without one.
  coverage::PromisePlace place = coverage::PromisePlace::options;
  std::string audited;  ///< the target that archgrid_audit() names, for the place `cmake`
  std::map<coverage::ComputeCapability, std::string>
      asked;         ///< names in the user's question: "MX450"
  std::string arch;  ///< the arch of the cell, if only one cell is audited
  /// Single cells beside fat ones: text shows the map of such a cell only if a promise is broken.
  std::set<std::string> beside_fat;
};

/// Ignores findings without a kernel that the baseline has, too; audit() ignores those of
/// kernels.
void ignore_known(const coverage::Baseline& baseline, coverage::Audit& audit);

/// One kernel on one device.
struct ViewField {
  coverage::Verdict verdict = coverage::Verdict::missing;
  coverage::State state = coverage::State::not_promised;
  std::uint32_t reason = 0;                                   ///< index into View::reasons
  coverage::State unignored = coverage::State::not_promised;  ///< as coverage::Field has it
  bool in_doubt = false;                                      ///< likewise
  bool hides_error = false;                                   ///< likewise

  /// Returns the state without a baseline.
  [[nodiscard]] coverage::State state_alone() const {
    return unignored == coverage::State::not_promised ? state : unignored;
  }
};

/// One kernel on all devices of its audit. Tens of thousands of kernels share few patterns.
using Pattern = std::vector<ViewField>;

struct ViewKernel {
  const coverage::KernelRow* row = nullptr;
  std::uint32_t pattern = 0;  ///< index into View::patterns
};

struct ViewFile {
  const coverage::FileAudit* audit = nullptr;
  std::string_view cell;
  const std::vector<coverage::ComputeCapability>* devices = nullptr;
  std::vector<ViewKernel> kernels;
};

/// One map, of a file or a cell. In a cell's map a kernel appears once, with its worst file.
struct ViewMap {
  std::string title;  ///< the cell, or the file's name, with folders if ambiguous
  const std::vector<coverage::ComputeCapability>* devices = nullptr;
  std::vector<ViewKernel> kernels;
  std::string_view path = {};  ///< of the file; empty for a cell
};

/// Kernels with equal fields, except for reasons.
struct KernelGroup {
  ViewKernel first;
  std::size_t kernels = 0;
  bool broken = false;  ///< by a finding that is not ignored
};

/// Findings with one fix: of one code, in one place, about the same kernels.
struct FindingGroup {
  /// The first finding on each device, or the only finding if it has no device. Never empty.
  std::vector<const coverage::Finding*> firsts;
  std::size_t findings = 0;
  std::size_t kernels = 0;
  std::uint64_t names = 0;  ///< a hash of the kernels

  [[nodiscard]] const coverage::Finding& first() const { return *firsts.front(); }
};

/// Groups of findings that differ only in the file; text shows one of them.
struct FindingFold {
  std::vector<std::size_t> groups;  ///< indices into View::findings; never empty
  std::size_t findings = 0;
};

/// A note and its message.
struct ViewNote {
  std::string code;
  std::string path;
  std::string message;
};

/// A note, and the files to which it applies.
struct NoteFold {
  const ViewNote* first = nullptr;
  std::vector<std::string_view> paths;  ///< empty if it is not about files
};

/// Findings that the matrix file ignores for the same reason.
struct IgnoredGroup {
  std::string_view reason;
  std::size_t findings = 0;
  std::set<std::string_view> codes;
  std::set<coverage::ComputeCapability> devices;
};

/// Returns "1 finding: not shipped (empty on 7.5 and 8.0)".
std::string ignored_text(const IgnoredGroup& group);

/// The outcome of a run. `open`: nothing is broken, but some inputs could not be judged.
enum class Outcome { holds, broken, open };

struct Totals {
  std::size_t kernels = 0;         ///< promised kernels, counted in each file that contains them
  std::size_t names = 0;           ///< promised kernels, each counted once
  std::size_t broken = 0;          ///< of `kernels`, those that are findings on some device
  std::size_t broken_names = 0;    ///< of `names`, those that are findings on some device
  std::size_t files_promised = 0;  ///< files with promised kernels
  std::size_t devices = 0;
  std::size_t cells = 0;  ///< judged for at least one device
  std::size_t files = 0;
  std::size_t findings = 0;
  std::size_t unused_ignores = 0;  ///< of `findings`, those that are no errors of the files
  std::size_t suspects = 0;
  std::size_t ignored = 0;
  std::size_t unreadable = 0;  ///< inputs, or parts of them
  /// GPUs without a yes and without an ignored or known error, if there is neither a finding nor
  /// such an input.
  std::size_t unanswered = 0;

  /// Returns 0 only if the exit code is 0.
  [[nodiscard]] std::size_t errors() const { return findings + unreadable + unanswered; }
};

/// Plain data from a report, which must outlive it.
struct View {
  explicit View(const AuditReport& audited);

  const AuditReport& report;
  std::vector<std::string> reasons;
  std::vector<Pattern> patterns;
  std::vector<ViewFile> files;
  std::vector<ViewMap> maps;  ///< one per cell judged for a device, or per file; with kernels
  /// Findings about whole files and cells first, then by number of kernels, descending.
  std::vector<FindingGroup> findings;
  std::vector<FindingFold> folded;                 ///< of `findings`, in the same order
  std::vector<const coverage::Finding*> suspects;  ///< most kernels first
  std::vector<IgnoredGroup> ignored;
  std::vector<ViewNote> notes;
  std::vector<NoteFold> folded_notes;  ///< of `notes`; those about newer GPUs come first
  std::vector<std::string_view> errors;
  Totals totals;
  Outcome outcome = Outcome::holds;
  /// "some.whl: runs on 8.0 (A100, A30)", if the question was about several packages.
  std::vector<std::string> package_answers;
  /// "promise holds: 24 kernels x 7 devices, 2 cells, all native or compatible"
  std::string verdict;

  [[nodiscard]] const Pattern& pattern_of(const ViewKernel& kernel) const {
    return patterns[kernel.pattern];
  }
};

/// Reports whether a kernel with this pattern is promised on any device.
bool is_promised(const Pattern& pattern);

/// Returns the worst field: by state, then by verdict.
ViewField worst_of(const Pattern& pattern);

bool is_broken(const Pattern& pattern);

/// Groups kernels, broken ones first, then by number of kernels, descending. Demangles nothing.
std::vector<KernelGroup> groups_of(const View& view, const std::vector<ViewKernel>& kernels);

/// Calls `visit` for every finding; those outside single audits come first.
template <typename Visit>
void for_each_finding(const AuditReport& report, Visit visit) {
  for (const auto& finding : report.findings) visit(finding);
  for (const auto& audit : report.audits) {
    for (const auto& finding : audit.findings) visit(finding);
  }
}

/// Returns the readable name of a kernel. Demangles it if the audit did not.
std::string demangled_of(const coverage::KernelRow& row);
std::string demangled_of(const coverage::Finding& finding);

/// Returns "8.6, 9.0 and 10.0"; empty for findings without a device.
std::string devices_of(const FindingGroup& group);

/// Returns "k(float*) and 4 more on 9.0", the name shortened to `longest`; empty for findings
/// without kernel and device.
std::string subject_of(const FindingGroup& group, std::size_t longest);

/// Returns "libx.so", "3 files, the first libx.so"; empty without files.
std::string files_of(const View& view, const FindingFold& fold);
std::string files_of(const NoteFold& fold);

/// Returns the fix, and says that it applies to all files if there are several.
std::string fix_of(const View& view, const FindingFold& fold);

/// Returns "none of its code runs on 9.0; promised is native", and says whether that applies to
/// others.
std::string message_of(const FindingGroup& group);

}  // namespace archgrid::report

#endif
