// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Reads the kernels in the images of fat binaries.
#ifndef ARCHGRID_FATBIN_CONTENT_HPP
#define ARCHGRID_FATBIN_CONTENT_HPP

#include <archgrid/fatbin.hpp>
#include <functional>
#include <memory>

#include "bytes.hpp"

namespace archgrid::fatbin {

/// The bytes of an image as stored in the file.
struct Payload {
  Bytes bytes;
  std::uint64_t unpacked_size = 0;  ///< claimed; 0 if not compressed
};

/// A reader, on several threads, of the kernels of a file's images and whatever else is requested.
/// Every image must have a payload. An image has an error instead if its kernels cannot be read, or
/// if all kernels together would take more than `max_kernel_bytes`.
class ContentsReader {
 public:
  /// Keeps references to the first three arguments.
  ContentsReader(File& file, const std::vector<Payload>& payloads, const ReadOptions& options,
                 std::uint64_t max_kernel_bytes);
  ~ContentsReader();
  ContentsReader(const ContentsReader&) = delete;
  ContentsReader& operator=(const ContentsReader&) = delete;

  /// Reads the machine code found so far, which is needed whatever else is found. `beside` runs
  /// meanwhile, on one thread, and must not touch the file.
  void read_machine_code(const std::function<void()>& beside);

  /// Reads the remaining images, once all are known. Must be called once.
  void read_rest();

 private:
  class Work;
  std::unique_ptr<Work> work_;
};

}  // namespace archgrid::fatbin

#endif
