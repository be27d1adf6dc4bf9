// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ARCHGRID_REPORT_MERGE_PARTS_HPP
#define ARCHGRID_REPORT_MERGE_PARTS_HPP

#include <archgrid/report/merge.hpp>
#include <cstddef>
#include <string>

namespace archgrid::report {

constexpr std::size_t kMergeMaxName = 200;
constexpr std::size_t kMergeMaxReason = 2000;
constexpr std::size_t kMergeMaxPlaces = 8;  ///< of one failure on the screen and in Markdown

/// Returns "passed", "failed", "not-run" or "lost".
const char* name_of(JobStatus status);

/// Returns the text on one line, with a blank for each run of blanks, at most `most` bytes long.
std::string flat(const std::string& text, std::size_t most);

/// Returns "FAILED", "LOST: it left no results: look at its log", or "" for a passed job.
std::string status_text(const MergedJob& job);

/// Returns "gemm: Shapes.Big".
std::string failure_title(const FoldedFailure& failure);

/// Returns "sm90 (cu130-fat), sm80 (cu130-fat) and 3 more".
std::string places_text(const FoldedFailure& failure, std::size_t most);

}  // namespace archgrid::report

#endif
