// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

#include <archgrid/cuda/device_buffer.hpp>
#include <archgrid/cuda/launches.hpp>
#include <archgrid/perf.hpp>
#include <map>
#include <tuple>

#include "gpu.hpp"

namespace archgrid::perf {
namespace {

/// Returns the rate of the fastest of some launches; `work.per_second` is the amount of work of one
/// launch. The rate is 0 if the GPU was throttled or its clock stood still. Throws CudaError.
Ceiling fastest(Ceiling work, const Launch& launch) {
  const OwnLaunches own;
  Options options;
  options.max_seconds = 0.2;
  options.max_warm_up_seconds = 0.1;
  options.min_samples = 5;
  const auto measured = time(launch, options);
  const bool is_known = measured.samples > 0 && !measured.run.throttled.value_or(false);
  work.per_second = is_known ? work.per_second / measured.minimum : 0;
  return work;
}

/// Returns the stored ceiling of the current device, or measures it. Stores only a positive result.
template <class Measure>
Ceiling known_or_measured(const std::string& name, const std::string& unit,
                          const Measure& measure) {
  static std::map<std::tuple<int, std::string, std::string>, Ceiling> known;
  const std::tuple<int, std::string, std::string> key(current_device(), name, unit);
  const auto found = known.find(key);
  if (found != known.end()) return found->second;
  const Ceiling ceiling = measure();
  if (ceiling.per_second > 0) known.emplace(key, ceiling);
  return ceiling;
}

}  // namespace

std::size_t bytes_beyond_cache() {
  constexpr std::size_t kTimesTheCache = 4;
  return kTimesTheCache * bytes_of_l2();
}

Ceiling memory_ceiling() {
  return known_or_measured("device memory", "B/s", [] {
    const DeviceBuffer<char> from(bytes_beyond_cache());
    const DeviceBuffer<char> to(from.size());
    const auto copy = [&](cudaStream_t stream) {
      return cudaMemcpyAsync(to.data(), from.data(), from.bytes(), cudaMemcpyDeviceToDevice,
                             stream);
    };
    return fastest({"device memory", "B/s", 2.0 * static_cast<double>(from.bytes())}, copy);
  });
}

Ceiling flops_ceiling(const std::string& name, double flops, const Launch& launch) {
  return known_or_measured(name, "FLOP/s", [&] {
    return fastest({name, "FLOP/s", flops}, launch);
  });
}

}  // namespace archgrid::perf
