// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "binary.hpp"

namespace archgrid::launches {
namespace {

// DWARF's encodings of .eh_frame_hdr, as all linkers write them.
constexpr std::string_view kHeader("\x01\x1b\x03\x3b", 4);
constexpr std::uint64_t kTable = 12;

/// Returns the function of an entry of .eh_frame at `place`, which has to begin at `begin`. Entries
/// with another encoding than PC-relative 32 bits do not.
Function read_entry(const Binary& binary, std::uint64_t place, std::uint64_t begin) {
  const auto entry = binary.at(place);
  const auto relative = value_at<std::int32_t>(entry, 8);
  const auto size = value_at<std::uint32_t>(entry, 12);
  if (!relative || !size) return {};
  if (place + 8 + static_cast<std::uint64_t>(std::int64_t{*relative}) != begin) return {};
  return {begin, begin + *size};
}

/// Cuts functions at the end of .text and where the next one begins.
void separate(Binary& binary) {
  auto& functions = binary.functions;
  std::stable_sort(
      functions.begin(), functions.end(),
      [](const Function& left, const Function& right) { return left.begin < right.begin; });
  auto limit = binary.text->address + binary.text->bytes.size();
  for (auto function = functions.rbegin(); function != functions.rend(); ++function) {
    function->end = std::min(function->end, limit);
    limit = function->begin;
  }
  std::erase_if(functions, [](const Function& function) { return function.begin >= function.end; });
}

}  // namespace

bool read_functions(Binary& binary) {
  const auto* header = binary.find(".eh_frame_hdr");
  if (header == nullptr || !header->bytes.starts_with(kHeader)) return false;
  const auto count = value_at<std::uint32_t>(header->bytes, 8).value_or(0);
  for (std::uint64_t index = 0; index < count; ++index) {
    const auto code = value_at<std::int32_t>(header->bytes, kTable + 8 * index);
    const auto entry = value_at<std::int32_t>(header->bytes, kTable + 8 * index + 4);
    if (!code || !entry) break;
    const auto begin = header->address + static_cast<std::uint64_t>(std::int64_t{*code});
    const auto place = header->address + static_cast<std::uint64_t>(std::int64_t{*entry});
    if (binary.is_code(begin)) binary.functions.push_back(read_entry(binary, place, begin));
  }
  separate(binary);
  return !binary.functions.empty();
}

}  // namespace archgrid::launches
