// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Reads any bytes as a file that may be an archive. Reports at the end in which formats something
// was found, so that seeds that reach no parser do not pass for a test.
#include <archgrid/archive.hpp>
#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include "format.hpp"

namespace {

using archgrid::archive::Format;

constexpr std::array<Format, 8> kFormats = {Format::ar,    Format::tar, Format::zip,  Format::gzip,
                                            Format::bzip2, Format::xz,  Format::zstd, Format::lz4};

/// Counts the inputs in which something was found.
class Tally {
 public:
  ~Tally() {
    for (std::size_t index = 0; index < kFormats.size(); ++index) {
      std::fprintf(stderr, "read as %s: %zu\n", name_of(kFormats[index]), found_[index]);
    }
  }
  void add(Format format) {
    for (std::size_t index = 0; index < kFormats.size(); ++index) {
      if (kFormats[index] == format) ++found_[index];
    }
  }

 private:
  std::array<std::size_t, kFormats.size()> found_ = {};
};

archgrid::archive::Limits small_limits() {
  archgrid::archive::Limits limits;
  limits.depth = 4;
  limits.members = 1000;
  limits.unpacked = 16 << 20;
  limits.unpacked_times = 4;
  limits.in_memory = 64 << 10;
  return limits;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static Tally tally;
  static const auto limits = small_limits();
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  std::size_t members = 0;
  archgrid::archive::walk_bytes(bytes, "fuzz", limits, [&](const archgrid::archive::Found& found) {
    if (found.path.rfind("fuzz", 0) != 0) std::abort();
    const auto kept = found.contents.bytes();
    if (!found.error.empty() && !kept.empty()) std::abort();
    // Reads every byte.
    if (kept != std::string(kept)) std::abort();
    if (found.error.empty() && found.path != "fuzz") ++members;
  });
  const auto format = archgrid::archive::format_of(bytes);
  if (members > 0) tally.add(format);
  return 0;
}
