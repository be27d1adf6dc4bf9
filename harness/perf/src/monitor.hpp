// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Queries NVML about a GPU while it works. The library comes with the driver and is loaded at run
// time; without it nothing is known.
#ifndef ARCHGRID_PERF_MONITOR_HPP
#define ARCHGRID_PERF_MONITOR_HPP

#include <archgrid/perf_records/record.hpp>
#include <string>
#include <vector>

namespace archgrid::perf {

class Monitor {
 public:
  /// `pci_bus_id` is in the format of cudaDeviceGetPCIBusId.
  explicit Monitor(const std::string& pci_bus_id);
  ~Monitor();
  Monitor(const Monitor&) = delete;
  Monitor& operator=(const Monitor&) = delete;

  /// Records the current state of the GPU.
  void look();

  /// Fills in clocks and temperature, averaged over all looks, and throttling seen in any look.
  void describe(Run& run) const;

  /// Returns the release of the driver, "580.65.06"; empty if unknown.
  [[nodiscard]] std::string driver() const;

 private:
  struct Library;
  struct Mean {
    double sum = 0;
    int count = 0;
    void add(unsigned value);
    [[nodiscard]] std::optional<double> get() const;
  };

  Library* library_ = nullptr;
  void* device_ = nullptr;
  Mean sm_clock_;
  Mean memory_clock_;
  Mean temperature_;
  unsigned long long reasons_ = 0;
  bool knows_reasons_ = false;
};

}  // namespace archgrid::perf

#endif
