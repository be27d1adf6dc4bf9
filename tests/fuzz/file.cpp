// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Reads any bytes as a whole file, with full detail and as audits do, and compares the results.
#include <archgrid/fatbin.hpp>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "agree.hpp"

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
  fatbin::ReadOptions whole;
  whole.wants_identities = [](const archgrid::fatbin::Image&) { return true; };
  const auto all = fatbin::read_bytes(bytes, "fuzz", whole);
  check(all);
  fatbin::ReadOptions audit = fatbin::Detail::bodies;
  for (const bool takes : {true, false}) {
    audit.needs_ptx = [takes](const auto&) { return takes; };
    const auto less = fatbin::read_bytes(bytes, "fuzz", audit);
    check(less);
    fuzz::expect_same(bytes, less, all);
  }
  return 0;
}
