// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include "container.hpp"

#include <algorithm>

#include "compression.hpp"

namespace archgrid::fatbin {
namespace {

constexpr std::uint64_t kContainerHeader = 16;
constexpr std::uint64_t kEntryHeader = 64;
constexpr std::uint64_t kUsualEntryHeader = 256;  // including its options
constexpr std::string_view kEntryVersion = "\x01\x01";
constexpr std::size_t kMaxErrors = 64;
// Every module and image stores the name of its section; longer names are cut.
constexpr std::size_t kLongestSection = 256;

namespace flag {
constexpr std::uint64_t kDebug = 0x2;
constexpr std::uint64_t kLz4 = 0x2000;
constexpr std::uint64_t kLz4Frame = 0x4000;
constexpr std::uint64_t kZstd = 0x8000;
constexpr std::uint64_t kObfuscated = 0x10000;
constexpr std::uint64_t kSuffixA = 0x100000;
constexpr std::uint64_t kSuffixF = 0x200000;
}  // namespace flag

Kind kind_of(std::uint16_t code) {
  switch (code) {
    case 0x01:
      return Kind::ptx;
    case 0x02:
      return Kind::sass;
    case 0x08:
      return Kind::lto;
    case 0x80:
      return Kind::tile;
    default:
      return Kind::other;
  }
}

Compression compression_of(std::uint64_t flags) {
  if ((flags & flag::kLz4) != 0) return Compression::lz4;
  if ((flags & flag::kLz4Frame) != 0) return Compression::lz4_frame;
  if ((flags & flag::kZstd) != 0) return Compression::zstd;
  return Compression::none;
}

char suffix_of(std::uint64_t flags) {
  if ((flags & flag::kSuffixA) != 0) return 'a';
  return (flags & flag::kSuffixF) != 0 ? 'f' : '\0';
}

/// The fields of an entry's header that are used.
struct Entry {
  std::uint16_t kind = 0;
  std::uint32_t header_size = 0;
  std::uint64_t payload_size = 0;
  std::uint32_t packed_size = 0;
  std::uint32_t options_at = 0;
  std::uint16_t version_minor = 0;
  std::uint16_t version_major = 0;
  std::uint32_t arch = 0;
  std::uint32_t source_at = 0;
  std::uint32_t source_size = 0;
  std::uint64_t flags = 0;
  std::uint64_t unpacked_size = 0;
};

/// Reads an entry's header from `bytes`, which may be longer. `rest`: all remaining bytes.
Entry read_entry(Bytes bytes, Bytes rest) {
  Entry entry;
  entry.kind = bytes.at<std::uint16_t>(0x00, "entry kind");
  entry.header_size = bytes.at<std::uint32_t>(0x04, "entry header size");
  entry.payload_size = bytes.at<std::uint64_t>(0x08, "entry payload size");
  entry.packed_size = bytes.at<std::uint32_t>(0x10, "entry compressed size");
  entry.options_at = bytes.at<std::uint32_t>(0x14, "entry options offset");
  entry.version_minor = bytes.at<std::uint16_t>(0x18, "entry minor version");
  entry.version_major = bytes.at<std::uint16_t>(0x1a, "entry major version");
  entry.arch = bytes.at<std::uint32_t>(0x1c, "entry architecture");
  entry.source_at = bytes.at<std::uint32_t>(0x20, "entry identifier offset");
  entry.source_size = bytes.at<std::uint32_t>(0x24, "entry identifier size");
  entry.flags = bytes.at<std::uint64_t>(0x28, "entry flags");
  entry.unpacked_size = bytes.at<std::uint64_t>(0x38, "entry decompressed size");
  if (entry.header_size < kEntryHeader) {
    bytes.fail(4, fmt::format("entry header size is {}, expected 64 or more", entry.header_size));
  }
  rest.require(0, entry.header_size, "entry header");
  rest.require(entry.header_size, entry.payload_size, "image");
  return entry;
}

/// Returns the text up to its first zero.
std::string recorded_text(std::string_view text) {
  return printable(std::string(text.substr(0, text.find('\0'))));
}

// Reads the options, which a pair {offset, size} in the header's tail may locate. The name and the
// options decide nothing, so a pair that points outside is not an error.
std::string options_of(Bytes header, const Entry& entry) {
  if (entry.options_at < kEntryHeader || !header.contains(entry.options_at, 8)) return {};
  const auto offset = header.at<std::uint32_t>(entry.options_at, "options offset");
  const auto size = header.at<std::uint32_t>(entry.options_at + 4, "options size");
  if (!header.contains(offset, size)) return {};
  return recorded_text(header.text().substr(offset, size));
}

std::string source_of(Bytes header, const Entry& entry) {
  if (entry.source_at == 0 || !header.contains(entry.source_at, entry.source_size)) return {};
  return recorded_text(header.text().substr(entry.source_at, entry.source_size));
}

Image make_image(Bytes header, const Entry& entry, const Module& module) {
  Image image;
  image.module = module.index;
  image.section = module.section;
  image.offset = header.base();
  image.kind = kind_of(entry.kind);
  image.kind_code = entry.kind;
  image.arch = {static_cast<int>(entry.arch & 0xffff), suffix_of(entry.flags)};
  image.compression = compression_of(entry.flags);
  image.stored = entry.payload_size;
  image.decompressed_bytes = entry.unpacked_size != 0 ? entry.unpacked_size : entry.payload_size;
  if (image.kind == Kind::ptx) {
    image.ptx_isa = fmt::format("{}.{}", entry.version_major, entry.version_minor);
  }
  image.options = options_of(header, entry);
  image.source = source_of(header, entry);
  image.debug = (entry.flags & flag::kDebug) != 0;
  image.obfuscated = (entry.flags & flag::kObfuscated) != 0;
  return image;
}

/// Returns the bytes of an image. If they exceed the entry, returns none and sets the image's
/// error.
Payload payload_of(Bytes bytes, const Entry& entry, Image& image) {
  const auto payload = bytes.slice(entry.header_size, entry.payload_size, "image");
  if (image.compression == Compression::none) return {payload};
  try {
    const std::uint64_t size = entry.packed_size != 0 ? entry.packed_size : entry.payload_size;
    return {payload.slice(0, size, "compressed image"), entry.unpacked_size};
  } catch (const Unreadable& error) {
    image.error = fmt::format("at offset {:#x}: {}", error.offset, error.what());
    return {};
  }
}

}  // namespace

std::string content_of(std::string_view bytes, const Image& image) {
  try {
    const auto rest = Bytes(bytes).slice(image.offset, bytes.size() - image.offset, "image");
    const bool bare = rest.at<std::uint16_t>(0, "entry kind") != image.kind_code;
    if (bare) return std::string(rest.slice(0, image.stored, "image").text());
    const auto entry = read_entry(rest, rest);
    Image read = image;
    const auto payload = payload_of(rest, entry, read);
    if (image.compression == Compression::none) return std::string(payload.bytes.text());
    Decompressor decompressor;
    return std::string(decompressor.whole(image.compression, payload.bytes, payload.unpacked_size));
  } catch (const Unreadable&) {
    return {};
  }
}

bool is_container(std::string_view bytes) {
  return bytes.substr(0, 4) == kContainerMagic &&
         bytes.substr(4, 4) == std::string_view("\x01\x00\x10\x00", 4);
}

bool is_container_of_entries(std::string_view bytes) {
  constexpr std::string_view kNoEntries("\0\0\0\0\0\0\0\0", 8);
  constexpr std::size_t kVersionAt = kContainerHeader + 2;
  if (!is_container(bytes) || bytes.size() < kContainerHeader) return false;
  if (bytes.substr(8, 8) == kNoEntries) return true;
  // Kinds are powers of two that fit into one byte.
  return bytes.size() > kVersionAt && bytes[kContainerHeader + 1] == '\0' &&
         bytes.substr(kVersionAt, kEntryVersion.size()) == kEntryVersion;
}

std::uint64_t ContainerReader::read(Bytes bytes, std::string_view section) {
  if (file_.modules.size() >= kMaxImages) {
    note(bytes.base(), fmt::format("the file holds more than {} fat binaries: this one and those "
                                   "behind it are not read",
                                   kMaxImages));
    return bytes.size();
  }
  Module module;
  module.index = file_.modules.size();
  module.section = std::string(section.substr(0, kLongestSection));
  module.offset = bytes.base();
  file_.modules.push_back(module);
  const auto images = file_.images.size();
  const auto left_out = left_out_;
  const auto taken = read_container(bytes, module);
  const bool counted_only = left_out_ != left_out && file_.images.size() == images;
  if (counted_only) file_.modules.pop_back();
  return taken;
}

std::uint64_t ContainerReader::read_container(Bytes bytes, const Module& module) {
  try {
    const auto header = first_of(bytes, kContainerHeader);
    const auto size = header.at<std::uint64_t>(8, "fat binary size");
    const Bytes entries = bytes.slice(kContainerHeader, size, "fat binary");
    try {
      read_entries(entries, module);
    } catch (const Unreadable& error) {
      note(error.offset, error.what());
    }
    return kContainerHeader + size;
  } catch (const Unreadable& error) {
    note(error.offset, error.what());
    return std::min<std::uint64_t>(kContainerHeader, bytes.size());
  }
}

/// Returns at most `most` bytes: only headers of a mapped file are read, not the pages around them.
Bytes ContainerReader::first_of(Bytes bytes, std::uint64_t most) {
  return Bytes(headers_.read(bytes.text().substr(0, most)), bytes.base());
}

void ContainerReader::read_entries(Bytes entries, const Module& module) {
  std::uint64_t at = 0;
  while (at < entries.size()) {
    const Bytes rest = entries.slice(at, entries.size() - at, "entry");
    auto header = first_of(rest, kUsualEntryHeader);
    const Entry entry = read_entry(header, rest);
    if (file_.images.size() >= kMaxImages) {
      rest.fail(0, fmt::format("the file holds more than {} images: this one and those behind it "
                               "are not read",
                               kMaxImages));
    }
    if (entry.header_size > header.size()) header = first_of(rest, entry.header_size);
    header = header.slice(0, entry.header_size, "entry header");
    file_.images.push_back(make_image(header, entry, module));
    payloads_.push_back(payload_of(rest, entry, file_.images.back()));
    at += entry.header_size + entry.payload_size;
  }
}

void ContainerReader::note(std::uint64_t offset, std::string message) {
  if (file_.errors.size() < kMaxErrors) {
    file_.errors.push_back({offset, std::move(message)});
    return;
  }
  if (left_out_ == 0) first_left_out_ = offset;
  ++left_out_;
}

void ContainerReader::read_machine_code(const std::function<void()>& beside) {
  contents_.read_machine_code(beside);
}

void ContainerReader::append(ContainerReader& other) {
  const auto modules = file_.modules.size();
  for (auto& module : other.file_.modules) {
    module.index += modules;
    file_.modules.push_back(std::move(module));
  }
  for (auto& image : other.file_.images) {
    image.module += modules;
    file_.images.push_back(std::move(image));
  }
  payloads_.insert(payloads_.end(), other.payloads_.begin(), other.payloads_.end());
  for (auto& error : other.file_.errors) note(error.offset, std::move(error.message));
  if (left_out_ == 0) first_left_out_ = other.first_left_out_;
  left_out_ += other.left_out_;
}

void ContainerReader::close() {
  contents_.read_rest();
  if (left_out_ == 0) return;
  file_.errors.push_back({first_left_out_, fmt::format("here and later {} more places could not be "
                                                       "read",
                                                       left_out_)});
}

}  // namespace archgrid::fatbin
