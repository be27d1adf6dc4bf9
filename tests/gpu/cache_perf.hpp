// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// How benchmarks are kept from measuring the L2 cache where memory is meant.
#ifndef ARCHGRID_TESTS_GPU_CACHE_PERF_HPP
#define ARCHGRID_TESTS_GPU_CACHE_PERF_HPP

#include <algorithm>
#include <archgrid/perf.hpp>
#include <cstdint>

namespace archgrid::sparse {

/// What a case that is timed hot moves at least: more than the cache holds, and so much that a
/// launch takes longer than to begin it. The host makes the most of it in seconds.
inline std::int64_t bytes_of_case() {
  constexpr std::int64_t fewest = 64ll << 20;
  constexpr std::int64_t most = 1ll << 30;
  return std::clamp(static_cast<std::int64_t>(perf::bytes_beyond_cache()), fewest, most);
}

/// For a case that is too small for that.
inline perf::Options cold() {
  perf::Options options;
  options.cache = perf::Cache::cold;
  return options;
}

}  // namespace archgrid::sparse

#endif
