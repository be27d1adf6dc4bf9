// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Reads any bytes as one image; the first byte selects its kind.
#include <algorithm>
#include <array>
#include <cstdlib>
#include <set>
#include <string>
#include <vector>

#include "../unit/fatbin/made_fatbin.hpp"
#include "agree.hpp"
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

constexpr std::array<const char*, 10> kNames = {
    "cubin", "start of a cubin", "ptx",  "narrow code",  "wide code",
    "lz4",   "lz4 frame",        "zstd", "entry of lz4", "entry of zstd"};

/// Compares full detail with less, for which PTX is read in another way.
bool read_ptx(Bytes bytes) {
  const auto all = parse_ptx(bytes).kernels;
  if (archgrid::fuzz::hides_braces(bytes.text())) return !all.empty();
  archgrid::fuzz::expect_same(parse_ptx(bytes, Detail::bodies).kernels, all);
  return !all.empty();
}

bool read_cubin(Bytes bytes) {
  const auto all = parse_cubin(bytes).kernels;
  for (const auto stores : {StoresOf::small, StoresOf::all}) {
    archgrid::fuzz::expect_same(parse_cubin(bytes, Detail::bodies, stores).kernels, all);
  }
  return !all.empty();
}

using Code = std::multiset<std::pair<std::string, std::uint64_t>>;

Code code_of(const CubinStart& start) {
  Code code;
  for (const auto& kernel : start.kernels) code.emplace(kernel.name, kernel.code);
  return code;
}

/// Returns the kernels and their sizes, except for sizes that starts do not contain.
Code code_of(const std::vector<Kernel>& kernels, const Code& told) {
  Code code;
  for (const auto& kernel : kernels) {
    const bool no_size = told.count({kernel.name, 0}) != 0;
    code.emplace(kernel.name, no_size ? 0 : kernel.code_bytes.value_or(0));
  }
  return code;
}

/// Checks that the first bytes of a cubin yield the same as the whole, or nothing.
bool read_start(Bytes bytes) {
  const auto all = parse_cubin(bytes).kernels;
  const bool in_front = archgrid::fuzz::names_first_tables(bytes);
  bool found = false;
  for (std::uint64_t part = 1; part <= 8; ++part) {
    const auto first = bytes.text().substr(0, bytes.size() * part / 8);
    const auto start = read_cubin_start(first, bytes.size());
    const bool by_table = first.size() > bytes.at<std::uint64_t>(40, "section table offset");
    if (!start || !(in_front || by_table)) continue;
    const auto told = code_of(*start);
    if (told != code_of(all, told)) archgrid::fuzz::fail("start", "", "");
    found = !told.empty();
  }
  return found;
}

/// Reads the decompressed content of a fat binary's entry with full detail and with less.
bool read_entry(Compression compression, Bytes bytes) {
  using namespace archgrid::tests;
  const std::string content(bytes.text());
  const bool cubin = is_elf(content);
  const auto arch = cubin ? parse_cubin(bytes, Detail::names).arch : parse_ptx(bytes).arch;
  const auto file =
      fatbin_of({packed_entry(cubin ? Kind::sass : Kind::ptx, arch, compression, content)});
  ReadOptions whole;
  whole.wants_identities = [](const archgrid::fatbin::Image&) { return true; };
  const auto all = read_bytes(file, "fuzz", whole);
  archgrid::fuzz::expect_same(file, read_bytes(file, "fuzz", Detail::bodies), all);
  return !all.images.at(0).kernels.empty();
}

/// Classifies code, and compares its stores with those of the faster check.
bool read_code(Bytes bytes, int arch) {
  const auto facts = classify_sass(bytes, arch);
  if (store_facts(bytes, arch).stores != facts.stores) std::abort();
  return facts.body != Body::unknown;
}

/// Checks that partially decoded frames are the beginning of the whole.
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

/// Reports whether something was found: kernels in a cubin or PTX.
bool read(Choice choice, Bytes bytes) {
  switch (choice) {
    case Choice::cubin:
      return read_cubin(bytes);
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
    case Choice::entry_of_lz4:
      return read_entry(Compression::lz4, bytes);
    case Choice::entry_of_zstd:
      return read_entry(Compression::zstd, bytes);
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
