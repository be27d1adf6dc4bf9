// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Fat binary containers: a header, then entries, one image each.
#ifndef ARCHGRID_FATBIN_CONTAINER_HPP
#define ARCHGRID_FATBIN_CONTAINER_HPP

#include <archgrid/fatbin.hpp>

#include "bytes.hpp"
#include "content.hpp"
#include "file_reader.hpp"

namespace archgrid::fatbin {

constexpr std::string_view kContainerMagic = "\x50\xed\x55\xba";

/// Whether a container header starts here: the magic alone also occurs in code.
bool is_container(std::string_view bytes);

/// Whether an entry's header follows, too, on that of a container that has any. To be asked of data
/// that may be anything: programs that read fat binaries hold a container's first bytes as a
/// constant.
bool is_container_of_entries(std::string_view bytes);

// A file with more holds no program; the largest seen have a quarter of it.
constexpr std::uint64_t kMostKernelBytes = std::uint64_t{1} << 30;

// Each takes memory, however small it is in the file. cuFFT 12 holds 18,236 images.
constexpr std::size_t kMostImages = std::size_t{1} << 17;

/// Reads the containers of a file. What cannot be read is noted in the file, never skipped in
/// silence; but a damaged or made-up file may hold a bad container every 16 bytes, so only the
/// first errors are kept, and the others counted.
class ContainerReader {
 public:
  explicit ContainerReader(File& file, ReadOptions options = {},
                           std::uint64_t most_kernel_bytes = kMostKernelBytes)
      : file_(file),
        options_(std::move(options)),
        contents_(file_, payloads_, options_, most_kernel_bytes) {}

  /// Appends the container at the start of `bytes` to the file: its images, not yet their kernels.
  /// Returns the bytes it takes. `bytes` must stay valid until close().
  std::uint64_t read(Bytes bytes, std::string_view section);

  void note(std::uint64_t offset, std::string message);

  /// Reads the kernels of the machine code met so far. `beside` runs meanwhile, and must leave this
  /// reader and its file alone.
  void read_machine_code(const std::function<void()>& beside);

  /// Takes over what another reader has met in another file, which is to be used no more.
  void append(ContainerReader& other);

  /// Reads the kernels of all other images, and says how many errors were not kept. To be called
  /// once, after everything else.
  void close();

 private:
  std::uint64_t read_container(Bytes bytes, const Module& module);
  void read_entries(Bytes entries, const Module& module);
  [[nodiscard]] Bytes first_of(Bytes bytes, std::uint64_t most);

  File& file_;
  FileReader headers_;
  ReadOptions options_;
  std::vector<Payload> payloads_;  ///< by image of the file
  ContentsReader contents_;
  std::size_t left_out_ = 0;
  std::uint64_t first_left_out_ = 0;
};

}  // namespace archgrid::fatbin

#endif
