// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Writes which code of a project's kernels ran on which GPU.
#ifndef ARCHGRID_REPORT_EVIDENCE_HPP
#define ARCHGRID_REPORT_EVIDENCE_HPP

#include <archgrid/evidence/evidence_table.hpp>
#include <archgrid/report.hpp>
#include <cstddef>
#include <string>
#include <vector>

namespace archgrid::report {

struct EvidenceReport {
  std::string file;  ///< the evidence file, as specified
  std::vector<coverage::ComputeCapability> devices;
  std::vector<evidence::KernelEvidence> kernels;
  bool all = false;  ///< a row for each kernel
};

/// The states of all kernels on all GPUs.
struct EvidenceCounts {
  std::size_t executed = 0;
  std::size_t changed = 0;
  std::size_t unknown = 0;
  std::size_t never = 0;
  std::size_t no_code = 0;

  /// Returns the number of kernels with code, each once per GPU.
  [[nodiscard]] std::size_t with_code() const { return executed + changed + unknown + never; }
};

EvidenceCounts counts_of(const EvidenceReport& report);

/// Reports whether each kernel has code on each GPU that is promised for it, and all of this code
/// was executed there.
bool is_whole(const EvidenceReport& report);

/// Returns text for terminals: kernels with equal states share a row.
std::string evidence_text(const EvidenceReport& report, Style style, std::size_t columns = 80);

/// Returns archgrid.evidence-table/1.
std::string evidence_json(const EvidenceReport& report);

}  // namespace archgrid::report

#endif
