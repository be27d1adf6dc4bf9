// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
// The GPUs, driver and runtime of this machine, as data. Nothing here needs CUDA: what asks the
// CUDA runtime is survey(), in <archgrid/survey.hpp>, compiled against each toolkit's own headers.
#ifndef ARCHGRID_DEVICE_HPP
#define ARCHGRID_DEVICE_HPP

#include <filesystem>
#include <string>
#include <vector>

namespace archgrid::device {

/// A compute capability, which is what promises call a device: 9.0.
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

/// "9.0"
std::string text_of(Capability capability);

/// A CUDA version as the CUDA API counts, 1000 * major + 10 * minor: 12040 is "12.4".
std::string text_of_version(int version);

struct Gpu {
  int ordinal = 0;
  std::string name;
  Capability capability;
};

/// Why there is no GPU to use.
enum class Problem {
  none,
  no_driver,
  driver_too_old,  ///< for the runtime of this program
  no_device,       ///< a driver, but no GPU that it shows
  other            ///< a GPU or a driver that is there and does not work
};

struct Machine {
  Problem problem = Problem::none;
  std::string message;         ///< what is wrong, in a sentence, with the fix; empty if nothing is
  std::vector<Gpu> gpus;       ///< empty unless problem is none
  int driver_version = 0;      ///< the newest CUDA version the driver knows; 0 without a driver
  int runtime_version = 0;     ///< of the CUDA runtime that is linked; 0 if it would not say
  std::string driver_release;  ///< of the kernel's module, "580.65.06"; empty if unknown
};

/// What the CUDA runtime answered when it was asked for its devices.
struct Answer {
  int error = 0;  ///< a cudaError_t
  std::string error_name;
  std::string error_text;
  int driver_version = 0;
  int runtime_version = 0;
};

/// The problem that an answer means, with its message; no GPUs in it yet.
Machine diagnose(const Answer& answer);

/// The release of the loaded NVIDIA driver, "580.65.06", from the file in which its kernel module
/// tells it. Empty if there is no such file, or none of its words is a release.
std::string driver_release(const std::filesystem::path& file = "/proc/driver/nvidia/version");

}  // namespace archgrid::device

#endif
