// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ARCHGRID_FATBIN_KERNELS_HPP
#define ARCHGRID_FATBIN_KERNELS_HPP

#include <archgrid/fatbin.hpp>

#include "bytes.hpp"

namespace archgrid::fatbin {

// No image seen in the wild comes near either.
constexpr std::uint64_t kLongestName = std::uint64_t{1} << 16;
constexpr std::uint64_t kMostKernels = std::uint64_t{1} << 20;

/// Collects the kernels of one image, and refuses more than its bytes can honestly name.
class KernelList {
 public:
  explicit KernelList(Bytes image) : image_(image) {}

  /// A new kernel, valid until the next one. Throws Unreadable.
  Kernel& add(std::string_view name);

  std::vector<Kernel> take() { return std::move(kernels_); }

 private:
  Bytes image_;
  std::uint64_t names_ = 0;
  std::vector<Kernel> kernels_;
};

}  // namespace archgrid::fatbin

#endif
