// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ARCHGRID_CUDA_ON_DEVICE_HPP
#define ARCHGRID_CUDA_ON_DEVICE_HPP

#include <cuda_runtime_api.h>

namespace archgrid {

/// Returns the current device of this thread, or 0 if the runtime does not answer.
inline int current_or_first_device() {
  int device = 0;
  return cudaGetDevice(&device) == cudaSuccess ? device : 0;
}

/// Makes another device the current one during its lifetime.
class OnDevice {
 public:
  explicit OnDevice(int device)
      : before_(current_or_first_device()), device_(device), is_current_(set(device)) {}
  ~OnDevice() { set(before_); }
  /// Returns false if the device is unavailable, for example because of another process.
  [[nodiscard]] bool is_current() const { return is_current_; }
  OnDevice(const OnDevice&) = delete;
  OnDevice& operator=(const OnDevice&) = delete;

 private:
  // Since CUDA 12 cudaSetDevice() creates a context, which a single device does without.
  bool set(int device) const {
    if (before_ == device_ || cudaSetDevice(device) == cudaSuccess) return true;
    static_cast<void>(cudaGetLastError());  // clears the error of this call, which is not a test's
    return false;
  }

  int before_;
  int device_;
  bool is_current_;
};

}  // namespace archgrid

#endif
