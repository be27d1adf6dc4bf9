// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Any bytes as one image: the first says as what.
#include <array>

#include "body.hpp"
#include "choice.hpp"
#include "compression.hpp"
#include "cubin.hpp"
#include "ptx.hpp"
#include "tally.hpp"

namespace {

using namespace archgrid::fatbin;
using archgrid::fuzz::Choice;
using archgrid::fuzz::kUnpackedSize;

constexpr std::array<const char*, 7> kNames = {"cubin", "ptx",       "narrow code", "wide code",
                                               "lz4",   "lz4 frame", "zstd"};

/// Whether something was found: kernels in a cubin or PTX.
bool read(Choice choice, Bytes bytes) {
  switch (choice) {
    case Choice::cubin:
      return !parse_cubin(bytes).kernels.empty();
    case Choice::ptx:
      return !parse_ptx(bytes).kernels.empty();
    case Choice::narrow_code:
      return classify_sass(bytes, 60).body != Body::unknown;
    case Choice::wide_code:
      return classify_sass(bytes, 90).body != Body::unknown;
    case Choice::lz4:
      return !Decompressor().whole(Compression::lz4, bytes, kUnpackedSize).empty();
    case Choice::lz4_frame:
      return !Decompressor().whole(Compression::lz4_frame, bytes, kUnpackedSize).empty();
    case Choice::zstd:
      return !Decompressor().whole(Compression::zstd, bytes, kUnpackedSize).empty();
  }
  return false;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static archgrid::fuzz::Tally tally(kNames);
  if (size == 0) return 0;
  const auto choice = static_cast<std::uint8_t>(data[0] % kNames.size());
  try {
    if (read(static_cast<Choice>(choice),
             Bytes({reinterpret_cast<const char*>(data) + 1, size - 1}))) {
      tally.add(choice);
    }
  } catch (const Unreadable&) {
    return 0;
  }
  return 0;
}
