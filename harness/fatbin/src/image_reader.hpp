// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Reads the contents of one image.
#ifndef ARCHGRID_FATBIN_IMAGE_READER_HPP
#define ARCHGRID_FATBIN_IMAGE_READER_HPP

#include <archgrid/fatbin.hpp>
#include <memory>

#include "compression.hpp"
#include "content.hpp"
#include "cubin.hpp"
#include "file_reader.hpp"
#include "ptx.hpp"

namespace archgrid::fatbin {

/// The depth to which an image is read.
struct Wanted {
  Detail detail;
  StoresOf stores;
  Externals externals;
};

/// A reader of one image after the other, for one thread.
class ImageReader {
 public:
  /// Checks an image that is not read, without decompressing it if its frame is sufficient.
  void check(const Payload& payload, Image& image);

  /// Reads an image; reports whether Kernel::stores is final for all of its kernels.
  bool read(const Payload& payload, const Wanted& wanted, Image& image);

 private:
  Bytes read(Bytes bytes);
  bool read_content(const Payload& payload, Wanted wanted, Image& image);
  /// Reads the start of a compressed cubin; reports whether it contains all that was requested.
  bool read_start(const Payload& payload, Detail detail, Image& image);
  Decompressor& decompressor();

  FileReader file_;
  std::unique_ptr<Decompressor> decompressor_;
};

}  // namespace archgrid::fatbin

#endif
