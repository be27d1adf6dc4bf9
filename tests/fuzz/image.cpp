// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Any bytes as one image: the first says as what.
#include <cstdint>
#include <cstdlib>

#include "body.hpp"
#include "compression.hpp"
#include "cubin.hpp"
#include "ptx.hpp"

namespace {

using namespace archgrid::fatbin;

void read(std::uint8_t choice, Bytes bytes) {
  constexpr std::uint64_t kSize = 4096;
  switch (choice % 7) {
    case 0:
      parse_cubin(bytes);
      break;
    case 1:
      parse_ptx(bytes);
      break;
    case 2:
      classify_sass(bytes, 60);
      break;
    case 3:
      classify_sass(bytes, 90);
      break;
    case 4:
      decompress(Compression::lz4, bytes, kSize);
      break;
    case 5:
      decompress(Compression::lz4_frame, bytes, kSize);
      break;
    default:
      decompress(Compression::zstd, bytes, kSize);
      break;
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  try {
    read(data[0], Bytes({reinterpret_cast<const char*>(data) + 1, size - 1}));
  } catch (const Unreadable&) {
    return 0;
  }
  return 0;
}
