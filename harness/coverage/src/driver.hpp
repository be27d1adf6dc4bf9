// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ARCHGRID_COVERAGE_DRIVER_HPP
#define ARCHGRID_COVERAGE_DRIVER_HPP

#include <archgrid/coverage/table.hpp>
#include <archgrid/fatbin.hpp>
#include <optional>
#include <set>
#include <string>

namespace archgrid::coverage {

/// Machine code in a file that is too new for a promised driver.
struct TooNew {
  const Toolkit* toolkit = nullptr;     ///< the newest that made some of it; null for none
  std::set<ComputeCapability> devices;  ///< that load it
  bool registered = false;              ///< with the runtime, which then fails to start, too
};

/// Machine code that a promised driver cannot decompress.
struct Undecoded {
  std::set<ComputeCapability> devices;  ///< that load it
  bool registered = false;              ///< some of it is registered with the runtime
};

/// Finds the machine code that the devices load and that is too new for the driver.
TooNew too_new_for(const Driver& driver, const std::set<ComputeCapability>& devices,
                   const fatbin::File& file);

/// Returns the first driver branch that decompresses zstd.
int first_driver_for_zstd();

/// Finds zstd-compressed machine code that the devices load, for a driver that cannot decompress
/// zstd. PTX needs no check: compressed with zstd, its ISA is too new for such a driver anyway.
Undecoded undecoded_by(const Driver& driver, const std::set<ComputeCapability>& devices,
                       const fatbin::File& file);

/// A driver that does not support a device, so that nothing runs there.
struct Misfit {
  DriverFit fit = DriverFit::fits;
  std::string driver;
  int branch = 0;  ///< the first that supports the device if the driver is too old, else the last
};

/// Returns nothing if the driver may support the device.
std::optional<Misfit> misfit_of(const Driver& driver, ComputeCapability device);

}  // namespace archgrid::coverage

#endif
