// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ARCHGRID_FATBIN_INFO_RECORDS_HPP
#define ARCHGRID_FATBIN_INFO_RECORDS_HPP

#include <cstdint>
#include <optional>

#include "elf.hpp"

namespace archgrid::fatbin {

/// A record of .nv.info or .nv.compat: `value` itself, or the length of the payload at `payload`.
struct Record {
  std::uint8_t attribute = 0;
  std::uint16_t value = 0;
  std::optional<std::uint64_t> payload;
};

/// Calls `visit` with each record of a section, which may be null.
template <typename Visit>
void visit_records(const Section* section, const Visit& visit) {
  if (section == nullptr) return;
  constexpr std::uint8_t kPayloadFormat = 4;
  const Bytes data = section->data;
  std::uint64_t at = 0;
  while (data.contains(at, 4)) {
    Record record;
    const bool has_payload = data.at<std::uint8_t>(at, "record format") == kPayloadFormat;
    record.attribute = data.at<std::uint8_t>(at + 1, "record attribute");
    record.value = data.at<std::uint16_t>(at + 2, "record value");
    at += 4;
    if (has_payload) record.payload = at;
    visit(data, record);
    if (has_payload) at += (record.value + 3U) & ~3U;
  }
}

}  // namespace archgrid::fatbin

#endif
