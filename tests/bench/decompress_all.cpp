// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// decompress_all FILE: decompresses every image that contains machine code or PTX, on every core,
// without reading the result. Any program that reads all kernels of a library takes at least this
// time.
#include <archgrid/fatbin.hpp>
#include <archgrid/fatbin/parallel.hpp>
#include <archgrid/system/mapped_file.hpp>
#include <atomic>
#include <cstdio>
#include <exception>
#include <memory>

#include "bytes.hpp"
#include "compression.hpp"

namespace {

using namespace archgrid;
using fatbin::Bytes;

bool is_packed(const fatbin::Image& image) {
  const bool readable = image.kind == fatbin::Kind::sass || image.kind == fatbin::Kind::ptx;
  return readable && image.compression != fatbin::Compression::none;
}

/// Returns the compressed bytes of the entry that the image begins with; the entry's header
/// locates them.
Bytes packed_bytes(Bytes file, const fatbin::Image& image) {
  const auto header = file.at<std::uint32_t>(image.offset + 4, "entry header size");
  const auto packed = file.at<std::uint32_t>(image.offset + 16, "entry compressed size");
  return file.slice(image.offset + header, packed != 0 ? packed : image.stored, "image");
}

int run(const char* path) {
  const system::MappedFile mapped{std::filesystem::path(path)};
  const auto file = fatbin::read(path, fatbin::Detail::archs);
  std::vector<std::unique_ptr<fatbin::Decompressor>> decompressors(
      std::max<std::size_t>(1, threads_for(file.images.size())));
  for (auto& decompressor : decompressors) decompressor = std::make_unique<fatbin::Decompressor>();
  std::atomic<std::uint64_t> bytes = 0;
  std::atomic<bool> failed = false;
  parallel_for(file.images.size(), [&](std::size_t index, std::size_t thread) {
    const auto& image = file.images[index];
    if (!is_packed(image)) return;
    try {
      bytes += decompressors[thread]
                   ->whole(image.compression, packed_bytes(Bytes(mapped.bytes()), image),
                           image.decompressed_bytes)
                   .size();
    } catch (const std::exception&) {
      failed = true;
    }
  });
  std::printf("%.1f MB\n", static_cast<double>(bytes) / 1e6);
  return failed ? 1 : 0;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: decompress_all FILE\n");
    return 2;
  }
  try {
    return run(argv[1]);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "decompress_all: %s: %s\n", argv[1], error.what());
    return 2;
  }
}
