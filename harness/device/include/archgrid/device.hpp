// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
// The GPUs, driver and runtime of this machine, as data. Nothing here needs CUDA: survey(), in
// <archgrid/device/survey.hpp>, queries the CUDA runtime and is compiled against each toolkit's own
// headers.
#ifndef ARCHGRID_DEVICE_HPP
#define ARCHGRID_DEVICE_HPP

#include <filesystem>
#include <string>
#include <vector>

namespace archgrid::device {

/// A compute capability such as 9.0, by which promises name a device.
struct Capability {
  int major = 0;
  int minor = 0;
};

inline bool operator==(Capability left, Capability right) {
  return left.major == right.major && left.minor == right.minor;
}
inline bool operator!=(Capability left, Capability right) {
  return !(left == right);
}

/// Returns "9.0".
std::string text_of(Capability capability);

/// Returns "12.4" for 12040: `version` is in the encoding of the CUDA API, 1000 * major + 10 *
/// minor.
std::string text_of_version(int version);

struct Gpu {
  int ordinal = 0;
  std::string name;
  Capability capability;
};

/// The reason why no GPU is usable.
enum class Problem {
  none,
  no_driver,
  driver_too_old,  ///< too old for the runtime of this program
  no_device,       ///< there is a driver, but it shows no GPU
  other            ///< a GPU or a driver is there and does not work
};

struct Machine {
  Problem problem = Problem::none;
  std::string message;         ///< the problem and the fix, one sentence; may be empty
  std::vector<Gpu> gpus;       ///< empty unless problem is none
  int driver_version = 0;      ///< newest CUDA version that the driver supports; 0 without a driver
  int runtime_version = 0;     ///< version of the linked CUDA runtime; 0 if it does not report one
  std::string driver_release;  ///< of the kernel module, "580.65.06"; empty if unknown
};

/// The CUDA runtime's answer to a query for its devices.
struct Answer {
  int error = 0;  ///< a cudaError_t
  std::string error_name;
  std::string error_text;
  int driver_version = 0;
  int runtime_version = 0;
};

/// Returns the problem that `answer` indicates, with its message. Does not fill in the GPUs.
Machine diagnose(const Answer& answer);

/// Returns the release of the loaded NVIDIA driver, "580.65.06", from the file in which its kernel
/// module reports it. Empty if the file does not exist or contains no release.
std::string driver_release(const std::filesystem::path& file = "/proc/driver/nvidia/version");

}  // namespace archgrid::device

#endif
