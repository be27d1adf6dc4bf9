// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Findings of an earlier audit, to report only new ones.
#ifndef ARCHGRID_COVERAGE_BASELINE_HPP
#define ARCHGRID_COVERAGE_BASELINE_HPP

#include <archgrid/coverage/table.hpp>
#include <cstddef>
#include <filesystem>
#include <set>
#include <stdexcept>
#include <string>
#include <unordered_map>

namespace archgrid::coverage {

struct Finding;

/// Names the file and the fix.
struct BaselineError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Findings and suspects of an archgrid.audit/1 document.
struct Baseline {
  struct Entry {
    std::set<Device> devices;
    std::size_t kernels = 1;
  };
  std::string path;
  std::unordered_multimap<std::string, Entry> entries;  ///< by what equal findings share
};

/// Reads what `archgrid audit --json=FILE` wrote. Throws BaselineError.
Baseline read_baseline(const std::filesystem::path& path);

/// Reports whether the baseline has a finding of the same code in the same file (by its name
/// without versions, in the same place of its package) and cell, on these GPUs at least, and either
/// about the same kernel or, where a finding is a cause, about as many kernels or more.
bool is_known(const Baseline& baseline, const Finding& finding);

}  // namespace archgrid::coverage

#endif
