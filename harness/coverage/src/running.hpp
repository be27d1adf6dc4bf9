// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Which kernels of a file run on a device, whatever they do there.
#ifndef ARCHGRID_COVERAGE_RUNNING_HPP
#define ARCHGRID_COVERAGE_RUNNING_HPP

#include <archgrid/coverage/audit.hpp>
#include <cstddef>
#include <string>
#include <vector>

namespace archgrid::coverage {

/// How the kernels of one file fare on one device.
struct OnDevice {
  Device device;
  std::size_t kernels = 0;   ///< that have code for it
  bool ships = false;        ///< more than half of them, and the driver knows the device
  bool has_failure = false;  ///< a launch fails there, whatever the others do
};

/// Reports whether the launch of a kernel fails for certain: the driver takes an image that lacks
/// it.
bool is_failure(const Coverage& coverage, const KernelRow& row, const Decision& decision,
                Device device);

/// Reports whether a kernel has code for the device that counts as running, whatever that does.
bool has_code(const Coverage& coverage, const Decision& decision, Device device,
              const Request& request);

/// The kernels of a file that host code can launch; all of them where it names none.
/// Returns by module whether its kernels are of a library of NVIDIA: most of those with its list of
/// archs and its toolkit are named so.
std::vector<bool> modules_of_nvidia(const fatbin::File& file, const Coverage& coverage);

/// Returns the kernels by which a file ships a GPU: those that host code names, without those of
/// NVIDIA's libraries in it, which pick by GPU. All of them where none is left.
std::vector<const KernelRow*> launched_rows(const fatbin::File& file, const Coverage& coverage);

/// Returns how each kernel of a file fares on the devices of the request and on all that the file
/// can meet.
std::vector<OnDevice> serve_devices(const fatbin::File& file, const Coverage& coverage,
                                    const Request& request);

/// Returns the function of NVRTC by which host code of the file compiles kernels; null for none.
const std::string* run_time_compiler(const fatbin::File& file);

}  // namespace archgrid::coverage

#endif
