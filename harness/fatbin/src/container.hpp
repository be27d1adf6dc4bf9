// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Reads fat binary containers: a header, then entries, one image each.
#ifndef ARCHGRID_FATBIN_CONTAINER_HPP
#define ARCHGRID_FATBIN_CONTAINER_HPP

#include <archgrid/fatbin.hpp>

#include "bytes.hpp"
#include "content.hpp"
#include "file_reader.hpp"

namespace archgrid::fatbin {

constexpr std::string_view kContainerMagic = "\x50\xed\x55\xba";

/// Reports whether a container header starts here: the magic alone also occurs in code.
bool is_container(std::string_view bytes);

/// Reports whether a container starts here that is empty, or whose first entry's header follows.
/// For data of any kind: programs that read fat binaries contain a container's first bytes as a
/// constant.
bool is_container_of_entries(std::string_view bytes);

// Largest size of a file's kernels in memory. No real program has more; the largest seen have a
// quarter.
constexpr std::uint64_t kMaxKernelBytes = std::uint64_t{1} << 30;

// Each image takes memory, however small it is in the file. cuFFT 12 contains 18,236 images.
constexpr std::size_t kMaxImages = std::size_t{1} << 17;

/// A reader of the containers of a file. Whatever cannot be read is recorded in the file, never
/// skipped silently. A damaged or crafted file may contain a bad container every 16 bytes, so only
/// the first errors are stored, and the others counted.
class ContainerReader {
 public:
  explicit ContainerReader(File& file, ReadOptions options = {},
                           std::uint64_t max_kernel_bytes = kMaxKernelBytes)
      : file_(file),
        options_(std::move(options)),
        contents_(file_, payloads_, options_, max_kernel_bytes) {}

  /// Appends the container at the start of `bytes` to the file, with its images but not yet their
  /// kernels. Returns the size of the container. `bytes` must stay valid until close().
  std::uint64_t read(Bytes bytes, std::string_view section);

  void note(std::uint64_t offset, std::string message);

  /// Reads the kernels of the machine code found so far. `beside` runs meanwhile, and must not
  /// touch this reader or its file.
  void read_machine_code(const std::function<void()>& beside);

  /// Moves here what another reader has found in another file; `other` must not be used any more.
  void append(ContainerReader& other);

  /// Reads the kernels of all other images, and reports how many errors were not stored. Must be
  /// called once, after everything else.
  void close();

 private:
  std::uint64_t read_container(Bytes bytes, const Module& module);
  void read_entries(Bytes entries, const Module& module);
  [[nodiscard]] Bytes first_of(Bytes bytes, std::uint64_t most);

  File& file_;
  FileReader headers_;
  ReadOptions options_;
  std::vector<Payload> payloads_;  ///< by image
  ContentsReader contents_;
  std::size_t left_out_ = 0;
  std::uint64_t first_left_out_ = 0;
};

}  // namespace archgrid::fatbin

#endif
