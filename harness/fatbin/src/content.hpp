// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// What the images of fat binaries hold: the kernels.
#ifndef ARCHGRID_FATBIN_CONTENT_HPP
#define ARCHGRID_FATBIN_CONTENT_HPP

#include <archgrid/fatbin.hpp>
#include <functional>
#include <memory>

#include "bytes.hpp"

namespace archgrid::fatbin {

/// The bytes of an image, as they lie in the file.
struct Payload {
  Bytes bytes;
  std::uint64_t unpacked_size = 0;  ///< claimed; 0 where they are not compressed
};

/// Reads the kernels of a file's images, all of which have a payload, and whatever else is asked
/// for, on several threads. An image whose kernels cannot be read has an error instead, as have
/// those whose kernels would take more than `most_kernel_bytes` in all.
class ContentsReader {
 public:
  /// Keeps references to all three.
  ContentsReader(File& file, const std::vector<Payload>& payloads, const ReadOptions& options,
                 std::uint64_t most_kernel_bytes);
  ~ContentsReader();
  ContentsReader(const ContentsReader&) = delete;
  ContentsReader& operator=(const ContentsReader&) = delete;

  /// Reads the machine code that is there so far, which is wanted whatever else is found. `beside`
  /// runs meanwhile, as the work of one thread, and must leave the file alone.
  void read_machine_code(const std::function<void()>& beside);

  /// Reads what is left, when all images are there. To be called once.
  void read_rest();

 private:
  class Work;
  std::unique_ptr<Work> work_;
};

}  // namespace archgrid::fatbin

#endif
