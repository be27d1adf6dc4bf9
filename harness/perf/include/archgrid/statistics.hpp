// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ARCHGRID_STATISTICS_HPP
#define ARCHGRID_STATISTICS_HPP

#include <string>
#include <vector>

namespace archgrid::perf {

/// Seconds that one launch takes.
struct Timing {
  int samples = 0;
  double minimum = 0;
  double median = 0;
  double maximum = 0;
};

/// What one launch must do at least: bytes that it must read and write, and operations.
struct Work {
  double bytes = 0;
  double flops = 0;
};

/// Throws std::invalid_argument unless there is a sample and each is finite and above 0: a clock
/// that stands still has measured nothing.
Timing summarise(std::vector<double> seconds);

/// "1.50 us", "12.3 ms": three digits and the unit that suits.
std::string text_of_seconds(double seconds);

/// "12.3 TFLOP/s" for a unit of "FLOP/s", likewise.
std::string text_of_rate(double per_second, const std::string& unit);

/// "41.2 us, median of 21 (40.9 us to 44.0 us), 12.3 TFLOP/s, 820 GB/s"; rates of nothing are left
/// out.
std::string text_of(const Timing& timing, const Work& work);

struct Property {
  std::string name;
  double value = 0;
};

/// For programs: "median_us", "minimum_us", "gflops" and "gbytes_per_s"; rates of nothing are left
/// out here too.
std::vector<Property> properties_of(const Timing& timing, const Work& work);

}  // namespace archgrid::perf

#endif
