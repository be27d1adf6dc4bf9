// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

#include <archgrid/device_buffer.hpp>
#include <archgrid/perf.hpp>

#include "perf/src/ceiling.hpp"
#include "perf/src/gpu.hpp"

namespace archgrid::perf {

Ceiling memory_ceiling() {
  static std::map<int, Ceiling> known;
  return known_or_measured(known, [] {
    constexpr std::size_t kTimesTheCache = 4;
    const DeviceBuffer<char> from(kTimesTheCache * bytes_of_l2());
    const DeviceBuffer<char> to(from.size());
    const auto copy = [&](cudaStream_t stream) {
      return cudaMemcpyAsync(to.data(), from.data(), from.bytes(), cudaMemcpyDeviceToDevice,
                             stream);
    };
    return ceiling_of({"device memory", "B/s", 2.0 * static_cast<double>(from.bytes())}, copy);
  });
}

}  // namespace archgrid::perf
