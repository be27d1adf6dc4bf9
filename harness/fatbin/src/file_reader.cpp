// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include "file_reader.hpp"

#include <algorithm>
#include <archgrid/system/mapped_file.hpp>
#include <cstddef>
#include <utility>

namespace archgrid::fatbin {

FileReader::~FileReader() {
  system::release(mapped_);
}

std::string_view FileReader::read(std::string_view bytes) {
  constexpr std::size_t kMax = std::size_t{4} << 20;
  system::release(std::exchange(mapped_, {}));
  if (bytes.size() > kMax) return mapped_ = bytes;
  if (!system::may_copy_from_file(bytes)) return bytes;
  if (buffer_.size() < bytes.size()) buffer_.resize(std::min(2 * bytes.size(), kMax));
  system::copy_from_file(bytes, buffer_.data());
  return {buffer_.data(), bytes.size()};
}

}  // namespace archgrid::fatbin
