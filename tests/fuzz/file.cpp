// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Any bytes as a whole file.
#include <archgrid/fatbin.hpp>
#include <cstdint>
#include <cstdlib>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto file =
      archgrid::fatbin::read_bytes({reinterpret_cast<const char*>(data), size}, "fuzz");
  for (const auto& image : file.images) {
    if (image.module >= file.modules.size()) std::abort();
  }
  return 0;
}
