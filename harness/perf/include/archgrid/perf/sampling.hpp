// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// When enough was measured, by the samples alone.
#ifndef ARCHGRID_PERF_SAMPLING_HPP
#define ARCHGRID_PERF_SAMPLING_HPP

#include <optional>
#include <vector>

namespace archgrid::perf {

/// Whether it gets no faster any more, and no slower: the medians of the last five samples and of
/// the five before them differ by at most `tolerance`, a fraction.
bool is_steady(const std::vector<double>& seconds, double tolerance);

/// How far the median of what is sampled may lie from the samples' median, as a fraction of that,
/// with 95 % confidence. Two of the samples, counted in from both ends, enclose it: that holds for
/// whatever distribution, by the binomial one. Nothing for fewer than six samples, and where the
/// median is not above 0.
std::optional<double> uncertainty_of_median(std::vector<double> seconds);

}  // namespace archgrid::perf

#endif
