// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels.hpp"

namespace archgrid::fatbin {

Kernel& KernelList::add(std::string_view name) {
  if (name.size() > kLongestName) {
    image_.fail(0, fmt::format("a kernel's name has {} bytes, {} at most are read", name.size(),
                               kLongestName));
  }
  names_ += name.size();
  if (names_ > image_.size()) {
    image_.fail(0, fmt::format("the kernels' names overlap: together they are longer than the "
                               "image's {} bytes",
                               image_.size()));
  }
  if (kernels_.size() == kMaxKernels) {
    image_.fail(0, fmt::format("the image holds more than {} kernels: refused", kMaxKernels));
  }
  kernels_.emplace_back();
  kernels_.back().name = std::string(name);
  return kernels_.back();
}

}  // namespace archgrid::fatbin
