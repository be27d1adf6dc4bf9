// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Any bytes as a whole file.
#include <archgrid/fatbin.hpp>
#include <cstdint>
#include <cstdlib>
#include <string_view>

using namespace archgrid;

namespace {

void check(const fatbin::File& file) {
  for (const auto& image : file.images) {
    if (image.module >= file.modules.size()) std::abort();
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  check(fatbin::read_bytes(bytes, "fuzz"));
  // As an audit does that promises no GPU which would take PTX.
  fatbin::ReadOptions audit = fatbin::Detail::bodies;
  audit.takes_ptx = [](const auto&) { return false; };
  check(fatbin::read_bytes(bytes, "fuzz", audit));
  return 0;
}
