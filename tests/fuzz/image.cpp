// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Any bytes as one image: the first says as what.
#include <algorithm>
#include <array>
#include <cstdlib>
#include <set>
#include <string>
#include <vector>

#include "body.hpp"
#include "choice.hpp"
#include "compression.hpp"
#include "cubin.hpp"
#include "cubin_start.hpp"
#include "ptx.hpp"
#include "tally.hpp"

namespace {

using namespace archgrid::fatbin;
using archgrid::fuzz::Choice;
using archgrid::fuzz::kUnpackedSize;

constexpr std::array<const char*, 8> kNames = {
    "cubin", "start of a cubin", "ptx", "narrow code", "wide code", "lz4", "lz4 frame", "zstd"};

std::set<std::string> ptx_kernels(Bytes bytes, Detail detail) {
  std::set<std::string> names;
  for (auto& kernel : parse_ptx(bytes, detail).kernels) names.insert(std::move(kernel.name));
  return names;
}

/// With less detail PTX is read in another way, which must miss no kernel.
bool read_ptx(Bytes bytes) {
  const auto names = ptx_kernels(bytes, Detail::everything);
  const auto fewer_details = ptx_kernels(bytes, Detail::bodies);
  if (!std::includes(fewer_details.begin(), fewer_details.end(), names.begin(), names.end())) {
    std::abort();
  }
  return !names.empty();
}

/// As long as the cubin says.
constexpr std::uint64_t kAnyLength = std::uint64_t{1} << 40;

bool read_start(Bytes bytes) {
  const auto start = read_cubin_start(bytes.text(), kAnyLength);
  return start && !start->kernels.empty();
}

/// Stores are found in a shorter way, too.
bool read_code(Bytes bytes, int arch) {
  const auto facts = classify_sass(bytes, arch);
  if (store_facts(bytes, arch).stores != facts.stores) std::abort();
  return facts.body != Body::unknown;
}

/// What a frame decodes to in part must be the beginning of the whole.
bool read_zstd(Bytes bytes) {
  Decompressor decompressor;
  decompressor.begin(Compression::zstd, bytes, kUnpackedSize);
  std::vector<std::string> starts;
  for (const std::uint64_t wanted : {300, 1000, 3000}) {
    starts.emplace_back(decompressor.glimpse(wanted));
  }
  const auto whole = decompressor.first(kUnpackedSize);
  const bool all = std::all_of(starts.begin(), starts.end(), [&](const std::string& start) {
    return whole.substr(0, start.size()) == start;
  });
  if (!all) std::abort();
  return !starts.front().empty();
}

/// Whether something was found: kernels in a cubin or PTX.
bool read(Choice choice, Bytes bytes) {
  switch (choice) {
    case Choice::cubin:
      return !parse_cubin(bytes).kernels.empty();
    case Choice::cubin_start:
      return read_start(bytes);
    case Choice::ptx:
      return read_ptx(bytes);
    case Choice::narrow_code:
      return read_code(bytes, 60);
    case Choice::wide_code:
      return read_code(bytes, 90);
    case Choice::lz4:
      return !Decompressor().whole(Compression::lz4, bytes, kUnpackedSize).empty();
    case Choice::lz4_frame:
      return !Decompressor().whole(Compression::lz4_frame, bytes, kUnpackedSize).empty();
    case Choice::zstd:
      return read_zstd(bytes);
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
