// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include <archgrid/coverage/image_selector.hpp>

namespace archgrid::coverage {

Working working_in(const fatbin::File& file) {
  Working working;
  const auto superseded = fatbin::superseded_ptx(file.images);
  for (std::size_t index = 0; index < file.images.size(); ++index) {
    if (superseded[index]) continue;
    for (const auto& kernel : file.images[index].kernels) {
      if (!kernel.stores || fatbin::is_idle(kernel.body)) continue;
      (kernel.may_store ? working.maybe : working.surely).insert(kernel.name);
    }
  }
  return working;
}

}  // namespace archgrid::coverage
