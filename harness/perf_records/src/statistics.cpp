// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

#include <algorithm>
#include <archgrid/perf_records/statistics.hpp>
#include <cmath>
#include <cstdio>
#include <iterator>
#include <stdexcept>

namespace archgrid::perf {
namespace {

struct Unit {
  double size;
  const char* name;
};

std::string three_digits(double value) {
  char text[32];
  const int decimals = value < 10 ? 2 : value < 100 ? 1 : 0;
  std::snprintf(text, sizeof text, "%.*f", decimals, value);
  return text;
}

/// Formats a value in the largest unit that leaves a number of at least 1. The units are in
/// descending order.
template <std::size_t Count>
std::string scaled(double value, const Unit (&units)[Count]) {
  const auto fits = [&](const Unit& unit) { return value >= unit.size; };
  const Unit* unit = std::find_if(std::begin(units), std::end(units) - 1, fits);
  return three_digits(value / unit->size) + " " + unit->name;
}

}  // namespace

Timing summarise(std::vector<double> seconds) {
  if (seconds.empty()) throw std::invalid_argument("no samples");
  for (double sample : seconds) {
    if (std::isfinite(sample) && sample > 0) continue;
    throw std::invalid_argument("a sample of " + std::to_string(sample) + " s measured nothing");
  }
  std::sort(seconds.begin(), seconds.end());
  const std::size_t middle = seconds.size() / 2;
  const bool is_odd = seconds.size() % 2 == 1;
  Timing timing;
  timing.samples = static_cast<int>(seconds.size());
  timing.minimum = seconds.front();
  timing.median = is_odd ? seconds[middle] : (seconds[middle - 1] + seconds[middle]) / 2;
  timing.maximum = seconds.back();
  return timing;
}

std::string text_of_seconds(double seconds) {
  return scaled(seconds, {{1.0, "s"}, {1e-3, "ms"}, {1e-6, "us"}, {1e-9, "ns"}});
}

std::string text_of_rate(double per_second, const std::string& unit) {
  return scaled(per_second, {{1e12, "T"}, {1e9, "G"}, {1e6, "M"}, {1e3, "k"}}) + unit;
}

std::string text_of(const Timing& timing, const Work& work) {
  std::string text = text_of_seconds(timing.median) + ", median of " +
                     std::to_string(timing.samples) + " (" + text_of_seconds(timing.minimum) +
                     " to " + text_of_seconds(timing.maximum) + ")";
  if (work.flops > 0) text += ", " + text_of_rate(work.flops / timing.median, "FLOP/s");
  if (work.bytes > 0) text += ", " + text_of_rate(work.bytes / timing.median, "B/s");
  return text;
}

std::vector<Property> properties_of(const Timing& timing, const Work& work) {
  std::vector<Property> properties = {{"median_us", timing.median * 1e6},
                                      {"minimum_us", timing.minimum * 1e6}};
  if (work.flops > 0) properties.push_back({"gflops", work.flops / timing.median / 1e9});
  if (work.bytes > 0) properties.push_back({"gbytes_per_s", work.bytes / timing.median / 1e9});
  return properties;
}

}  // namespace archgrid::perf
