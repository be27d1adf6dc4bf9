// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Sizes and options that keep benchmarks of memory from measuring the L2 cache.
#ifndef ARCHGRID_TESTS_GPU_CACHE_PERF_HPP
#define ARCHGRID_TESTS_GPU_CACHE_PERF_HPP

#include <algorithm>
#include <archgrid/perf.hpp>
#include <cstdint>

namespace archgrid::sparse {

/// Returns the minimum bytes that a case timed hot must move: more than the cache holds, and so
/// many that a kernel runs longer than its launch takes. The host generates the maximum in seconds.
inline std::int64_t bytes_of_case() {
  constexpr std::int64_t min = 64ll << 20;
  constexpr std::int64_t max = 1ll << 30;
  return std::clamp(static_cast<std::int64_t>(perf::bytes_beyond_cache()), min, max);
}

/// Returns the options for a case that is smaller than bytes_of_case().
inline perf::Options cold() {
  perf::Options options;
  options.cache = perf::Cache::cold;
  return options;
}

}  // namespace archgrid::sparse

#endif
