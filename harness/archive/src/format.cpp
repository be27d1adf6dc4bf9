// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include "format.hpp"

#include <algorithm>
#include <archgrid/archive.hpp>
#include <charconv>
#include <cstdint>
#include <optional>

namespace archgrid::archive {
namespace {

using namespace std::string_view_literals;

constexpr std::size_t kTarHeader = 512;
constexpr std::size_t kTarChecksum = 148;
constexpr std::size_t kTarChecksumSize = 8;
constexpr std::size_t kArMagic = 8;

bool is_zip(std::string_view bytes) {
  return bytes.starts_with("PK\3\4"sv) || bytes.starts_with("PK\5\6"sv) ||
         bytes.starts_with("PK\7\10PK"sv);
}

bool is_bzip2(std::string_view bytes) {
  if (!bytes.starts_with("BZh") || bytes.size() < 10 || bytes[3] < '1' || bytes[3] > '9') {
    return false;
  }
  const auto block = bytes.substr(4, 6);
  return block == "\x31\x41\x59\x26\x53\x59"sv || block == "\x17\x72\x45\x38\x50\x90"sv;
}

/// Matches a frame, or a skippable frame, which may come first.
bool is_zstd(std::string_view bytes) {
  const bool skipped = bytes.size() >= 4 && (bytes[0] & '\xf0') == '\x50';
  return bytes.starts_with("\x28\xb5\x2f\xfd"sv) ||
         (skipped && bytes.substr(1, 3) == "\x2a\x4d\x18"sv);
}

std::optional<std::uint32_t> octal(std::string_view field) {
  field.remove_prefix(std::min(field.find_first_not_of(' '), field.size()));
  std::uint32_t number = 0;
  const auto [end, error] = std::from_chars(field.data(), field.data() + field.size(), number, 8);
  if (error != std::errc()) return std::nullopt;
  return number;
}

/// Verifies the checksum, as old tar files have no magic.
bool is_tar(std::string_view bytes) {
  if (bytes.size() < kTarHeader || bytes[0] == '\0') return false;
  const auto header = bytes.substr(0, kTarHeader);
  const auto expected = octal(header.substr(kTarChecksum, kTarChecksumSize));
  std::uint32_t sum = 0;
  for (std::size_t at = 0; at < kTarHeader; ++at) {
    const bool blank = at >= kTarChecksum && at < kTarChecksum + kTarChecksumSize;
    sum += blank ? std::uint32_t{' '} : static_cast<unsigned char>(header[at]);
  }
  return expected == sum;
}

}  // namespace

Format format_of(std::string_view bytes) {
  if (bytes.starts_with("!<arch>\n")) return Format::ar;
  if (bytes.starts_with("!<thin>\n")) return Format::thin_ar;
  if (is_zip(bytes)) return Format::zip;
  if (bytes.starts_with("\x1f\x8b\x08"sv)) return Format::gzip;
  if (is_bzip2(bytes)) return Format::bzip2;
  if (bytes.starts_with("\xfd"
                        "7zXZ\0"sv)) {
    return Format::xz;
  }
  if (is_zstd(bytes)) return Format::zstd;
  if (bytes.starts_with("\x04\x22\x4d\x18"sv)) return Format::lz4;
  if (is_tar(bytes)) return Format::tar;
  return Format::none;
}

bool is_script_with_zip(std::string_view bytes) {
  constexpr std::size_t kEnd = 22;  // the end record; its last two bytes are the comment's size
  constexpr std::size_t kLongestComment = 0xffff;
  if (!bytes.starts_with("#!")) return false;
  const auto tail = bytes.substr(bytes.size() - std::min(bytes.size(), kEnd + kLongestComment));
  for (auto at = tail.rfind("PK\5\6"sv); at != std::string_view::npos;
       at = at == 0 ? std::string_view::npos : tail.rfind("PK\5\6"sv, at - 1)) {
    if (tail.size() - at < kEnd) continue;
    const auto comment = static_cast<unsigned char>(tail[at + kEnd - 2]) +
                         256U * static_cast<unsigned char>(tail[at + kEnd - 1]);
    if (at + kEnd + comment == tail.size()) return true;
  }
  return false;
}

bool is_compressed(Format format) {
  return format == Format::gzip || format == Format::bzip2 || format == Format::xz ||
         format == Format::zstd || format == Format::lz4;
}

bool is_package(std::string_view bytes) {
  switch (format_of(bytes)) {
    case Format::none:
      return is_script_with_zip(bytes);
    case Format::ar:
      return bytes.substr(kArMagic).starts_with("debian-binary");
    case Format::thin_ar:
      return false;
    default:
      return true;
  }
}

const char* name_of(Format format) {
  switch (format) {
    case Format::ar:
    case Format::thin_ar:
      return "ar";
    case Format::tar:
      return "tar";
    case Format::zip:
      return "zip";
    case Format::gzip:
      return "gzip";
    case Format::bzip2:
      return "bzip2";
    case Format::xz:
      return "xz";
    case Format::zstd:
      return "zstd";
    case Format::lz4:
      return "lz4";
    case Format::none:
      break;
  }
  return "none";
}

}  // namespace archgrid::archive
