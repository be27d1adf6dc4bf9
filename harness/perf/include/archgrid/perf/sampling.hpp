// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Decides from the samples alone when enough was measured.
#ifndef ARCHGRID_PERF_SAMPLING_HPP
#define ARCHGRID_PERF_SAMPLING_HPP

#include <optional>
#include <vector>

namespace archgrid::perf {

/// Reports whether samples get neither faster nor slower: the medians of the last five samples and
/// of the five before them differ by at most `tolerance`, a fraction.
bool is_steady(const std::vector<double>& seconds, double tolerance);

/// Returns the 95 % uncertainty of the samples' median, as a fraction of it. Two of the samples, at
/// equal distances from both ends, enclose the true median; by the binomial distribution that is
/// valid for any distribution of samples. Returns nothing for fewer than six samples, and if the
/// median is not positive.
std::optional<double> uncertainty_of_median(std::vector<double> seconds);

}  // namespace archgrid::perf

#endif
