// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// What every writer of an audit shows: made once, so that they cannot differ.
#ifndef ARCHGRID_AUDIT_VIEW_HPP
#define ARCHGRID_AUDIT_VIEW_HPP

#include <archgrid/coverage.hpp>
#include <archgrid/words.hpp>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace archgrid::report {

/// What `archgrid audit` found, in one or several cells.
struct AuditReport {
  std::vector<coverage::Audit> audits;
  std::vector<coverage::Finding> findings;  ///< of no single audit: cells not built, unused ignores
  std::vector<std::string> errors;
  bool by_cell = false;                           ///< one map a cell instead of one a file
  bool like_other_kernels = false;                ///< instead of a promise
  std::map<coverage::Device, std::string> asked;  ///< names by which somebody asked: "MX450"
  std::string arch;  ///< the arch of the one cell that is audited, if only it is
  /// Single cells beside fat ones: text shows the map of one only where a promise is broken.
  std::set<std::string> beside_fat;
};

/// Forgives findings of the audit about no kernel that the baseline has in the same words; audits
/// forgive those of kernels.
void forgive_known(const coverage::Baseline& baseline, coverage::Audit& audit);

/// One kernel on one device.
struct ViewField {
  coverage::Verdict verdict = coverage::Verdict::missing;
  coverage::State state = coverage::State::not_promised;
  std::uint32_t reason = 0;  ///< index into View::reasons
};

/// One kernel on all devices of its audit. Kernels by the ten thousand share few of these.
using Pattern = std::vector<ViewField>;

struct ViewKernel {
  const coverage::KernelRow* row = nullptr;
  std::uint32_t pattern = 0;  ///< index into View::patterns
};

struct ViewFile {
  const coverage::FileAudit* audit = nullptr;
  std::string_view cell;
  const std::vector<coverage::Device>* devices = nullptr;
  std::vector<ViewKernel> kernels;
};

/// One map: of a file, or of a cell, in which a kernel appears once and the worst of its files
/// counts.
struct ViewMap {
  std::string title;  ///< the cell, or the file's name, with folders where files have one name
  const std::vector<coverage::Device>* devices = nullptr;
  std::vector<ViewKernel> kernels;
  std::string_view path = {};  ///< of the file; empty for a cell
};

/// Kernels that fare alike, whatever the reasons.
struct KernelGroup {
  ViewKernel first;
  std::size_t kernels = 0;
  bool broken = false;  ///< by a finding, not one forgiven
};

/// Findings that one fix mends: of one code, in one place, about the same kernels.
struct FindingGroup {
  /// The first finding on each device, or the one that is about no device. Never empty.
  std::vector<const coverage::Finding*> firsts;
  std::size_t findings = 0;
  std::size_t kernels = 0;
  std::uint64_t names = 0;  ///< a hash of the kernels

  [[nodiscard]] const coverage::Finding& first() const { return *firsts.front(); }
};

/// Groups of findings that are alike but for the file: in text one stands for all.
struct FindingFold {
  std::vector<std::size_t> groups;  ///< by index in View::findings; never empty
  std::size_t findings = 0;
};

/// A remark in words.
struct ViewRemark {
  std::string code;
  std::string path;
  std::string message;
};

/// A remark, and the files that it is made of.
struct RemarkFold {
  const ViewRemark* first = nullptr;
  std::vector<std::string_view> paths;  ///< empty where it is about no file
};

/// Findings that the matrix file forgives for one reason.
struct ForgivenGroup {
  std::string_view reason;
  std::size_t findings = 0;
};

/// How a run ended. `open`: nothing is broken, and not everything could be looked at.
enum class Outcome { holds, broken, open };

struct Totals {
  std::size_t kernels = 0;         ///< promised ones, in each file that holds them
  std::size_t names = 0;           ///< the same, each once however many files hold it
  std::size_t broken = 0;          ///< of the same, those that are findings on some device
  std::size_t broken_names = 0;    ///< different names of these
  std::size_t files_promised = 0;  ///< that hold them
  std::size_t devices = 0;
  std::size_t cells = 0;  ///< that were judged for a device
  std::size_t files = 0;
  std::size_t findings = 0;
  std::size_t suspects = 0;
  std::size_t forgiven = 0;
  std::size_t errors = 0;
};

/// Plain data over a report, which must outlive it.
struct View {
  explicit View(const AuditReport& audited);

  const AuditReport& report;
  std::vector<std::string> reasons;
  std::vector<Pattern> patterns;
  std::vector<ViewFile> files;
  std::vector<ViewMap> maps;  ///< one a cell that was judged for a device, or a file with kernels
  /// Those of whole files and cells first, then by kernels, most first.
  std::vector<FindingGroup> findings;
  std::vector<FindingFold> folded;                 ///< the same, in the same order
  std::vector<const coverage::Finding*> suspects;  ///< most kernels first
  std::vector<ForgivenGroup> forgiven;
  std::vector<ViewRemark> remarks;
  std::vector<RemarkFold> folded_remarks;  ///< the same; what newer GPUs get comes first
  std::vector<std::string_view> errors;
  Totals totals;
  Outcome outcome = Outcome::holds;
  /// "some.whl: runs on 8.0 (A100, A30)": of several packages that somebody asked about.
  std::vector<std::string> package_answers;
  /// "promise holds: 24 kernels x 7 devices, 2 cells, all native or compatible"
  std::string verdict;

  [[nodiscard]] const Pattern& pattern_of(const ViewKernel& kernel) const {
    return patterns[kernel.pattern];
  }
};

/// Whether anything is promised of a kernel that fares so.
bool is_promised(const Pattern& pattern);

/// The worst there is: by state, then by verdict.
ViewField worst_of(const Pattern& pattern);

bool is_broken(const Pattern& pattern);

/// The broken ones first, and most kernels first. Demangles nothing.
std::vector<KernelGroup> groups_of(const View& view, const std::vector<ViewKernel>& kernels);

/// Calls `visit` for every finding, those of no single audit first.
template <typename Visit>
void for_each_finding(const AuditReport& report, Visit visit) {
  for (const auto& finding : report.findings) visit(finding);
  for (const auto& audit : report.audits) {
    for (const auto& finding : audit.findings) visit(finding);
  }
}

/// The name of a kernel for people. Costs a demangling where the audit left that out.
std::string demangled_of(const coverage::KernelRow& row);
std::string demangled_of(const coverage::Finding& finding);

/// "8.6, 9.0 and 10.0"; empty for findings about no device.
std::string devices_of(const FindingGroup& group);

/// "k(float*) and 4 more on 9.0", the name shortened to `longest`; empty for findings about no
/// kernel and no device.
std::string subject_of(const FindingGroup& group, std::size_t longest);

/// "libx.so", "3 files, the first libx.so"; empty for what is about no file.
std::string files_of(const View& view, const FindingFold& fold);
std::string files_of(const RemarkFold& fold);

/// What to do, and that it goes for all files where there are several.
std::string fix_of(const View& view, const FindingFold& fold);

/// "none of its code runs on 9.0; promised is native", and whether that goes for others.
std::string message_of(const FindingGroup& group);

}  // namespace archgrid::report

#endif
