// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ARCHGRID_FATBIN_KERNELS_HPP
#define ARCHGRID_FATBIN_KERNELS_HPP

#include <archgrid/fatbin.hpp>

#include "bytes.hpp"

namespace archgrid::fatbin {

// Limits that no image seen in the wild comes near.
constexpr std::uint64_t kLongestName = std::uint64_t{1} << 16;
constexpr std::uint64_t kMaxKernels = std::uint64_t{1} << 20;

/// The kernels of one image. Refuses more than its bytes can validly name.
class KernelList {
 public:
  explicit KernelList(Bytes image) : image_(image) {}

  /// Adds a kernel, which is valid until the next one. Throws Unreadable.
  Kernel& add(std::string_view name);

  std::vector<Kernel> take() { return std::move(kernels_); }

 private:
  Bytes image_;
  std::uint64_t names_ = 0;
  std::vector<Kernel> kernels_;
};

}  // namespace archgrid::fatbin

#endif
