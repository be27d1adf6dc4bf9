// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Finds the kernels of a file that run on a device, whatever they do there.
#ifndef ARCHGRID_COVERAGE_RUNNING_HPP
#define ARCHGRID_COVERAGE_RUNNING_HPP

#include <archgrid/coverage/audit.hpp>
#include <cstddef>
#include <string>
#include <vector>

namespace archgrid::coverage {

/// Service of one device by the kernels of one file.
struct OnDevice {
  ComputeCapability device;
  std::size_t kernels = 0;   ///< kernels with code for it
  std::size_t by_ptx = 0;    ///< kernels that only PTX serves, and that lack such code
  bool ships = false;        ///< more than half of them, and the driver supports the device
  bool works = false;        ///< some of them have a body that does not refuse the device
  bool has_failure = false;  ///< some launch fails there, even if others run
  bool runs_by_ptx = false;  ///< more than half of them run, some of these by PTX alone
};

/// Reports whether the launch of a kernel fails for certain: the driver loads an image that lacks
/// it.
bool is_failure(const ImageSelector& selector, const KernelRow& row,
                const LaunchPrediction& prediction, ComputeCapability device);

/// Reports whether a kernel has code for the device that counts as running, whatever the code does.
bool has_code(const ImageSelector& selector, const LaunchPrediction& prediction,
              ComputeCapability device, const Request& request);

/// Reports by module whether its kernels are from an NVIDIA library: most kernels with the module's
/// list of archs and toolkit have names of one.
std::vector<bool> modules_of_nvidia(const fatbin::File& file, const ImageSelector& selector);

/// Returns the kernels that decide whether a file ships a GPU: those that host code names, except
/// kernels of NVIDIA libraries, which select by GPU. Returns all kernels if none is left.
std::vector<const KernelRow*> launched_rows(const fatbin::File& file,
                                            const ImageSelector& selector);

/// Returns the service by the file's launched_rows() of each device of the request, and of each
/// device that the file can meet.
std::vector<OnDevice> serve_devices(const fatbin::File& file, const ImageSelector& selector,
                                    const std::vector<const KernelRow*>& kernels,
                                    const Request& request);

/// Returns the NVRTC function with which host code of the file compiles kernels; null for none.
const std::string* run_time_compiler(const fatbin::File& file);

}  // namespace archgrid::coverage

#endif
