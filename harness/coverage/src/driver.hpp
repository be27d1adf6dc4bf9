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

/// Machine code in a file that a promised driver is too old for.
struct TooNew {
  const Toolkit* toolkit = nullptr;  ///< the newest that made some of it; null where there is none
  std::set<Device> devices;          ///< that take it
  bool registered = false;           ///< with the runtime, which then does not start either
};

/// Machine code that a promised driver cannot decompress.
struct Undecoded {
  std::set<Device> devices;  ///< that take it
  bool registered = false;   ///< some of it, with the runtime
};

/// Finds the machine code that the devices take and that is too new for the driver.
TooNew too_new_for(const Driver& driver, const std::set<Device>& devices, const fatbin::File& file);

/// The first driver branch that decompresses zstd.
int first_driver_for_zstd();

/// Finds the machine code in zstd that the devices take, for a driver that does not decompress
/// it. PTX in zstd has an ISA that such a driver does not read.
Undecoded undecoded_by(const Driver& driver, const std::set<Device>& devices,
                       const fatbin::File& file);

/// A driver that does not know a device, so that nothing runs there.
struct Misfit {
  DriverFit fit = DriverFit::fits;
  std::string driver;
  int branch = 0;  ///< the first that knows the device where the driver is too old, else the last
};

/// Nothing where the driver may know the device.
std::optional<Misfit> misfit_of(const Driver& driver, Device device);

}  // namespace archgrid::coverage

#endif
