// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ARCHGRID_PERF_RECORDS_STATISTICS_HPP
#define ARCHGRID_PERF_RECORDS_STATISTICS_HPP

#include <string>
#include <vector>

namespace archgrid::perf {

/// Times of one launch in seconds.
struct Timing {
  int samples = 0;
  double minimum = 0;
  double median = 0;
  double maximum = 0;
};

/// The minimum work of one launch: bytes to read and write, and operations.
struct Work {
  double bytes = 0;
  double flops = 0;
};

/// Summarises samples. Throws std::invalid_argument unless there is a sample and each is finite and
/// positive: a clock that stands still has measured nothing.
Timing summarise(std::vector<double> seconds);

/// Returns "1.50 us" or "12.3 ms": three digits and a suitable unit.
std::string text_of_seconds(double seconds);

/// Returns "12.3 TFLOP/s" for a unit of "FLOP/s", scaled in the same way.
std::string text_of_rate(double per_second, const std::string& unit);

/// Returns "41.2 us, median of 21 (40.9 us to 44.0 us), 12.3 TFLOP/s, 820 GB/s"; omits rates of 0.
std::string text_of(const Timing& timing, const Work& work);

struct Property {
  std::string name;
  double value = 0;
};

/// Returns machine-readable properties: "median_us", "minimum_us", "gflops" and "gbytes_per_s";
/// omits rates of 0.
std::vector<Property> properties_of(const Timing& timing, const Work& work);

}  // namespace archgrid::perf

#endif
