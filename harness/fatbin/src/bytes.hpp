// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Bounds-checked access to untrusted bytes.
#ifndef ARCHGRID_FATBIN_BYTES_HPP
#define ARCHGRID_FATBIN_BYTES_HPP

#include <fmt/format.h>

#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>

namespace archgrid::fatbin {

/// Thrown if the bytes contradict the format; caught at the image, container or file.
struct Unreadable : std::runtime_error {
  Unreadable(std::uint64_t where, const std::string& what)
      : std::runtime_error(what), offset(where) {}
  std::uint64_t offset;
};

/// A window of a file (or of a decompressed image) and its offset there.
class Bytes {
 public:
  Bytes() = default;
  explicit Bytes(std::string_view data, std::uint64_t base = 0) : data_(data), base_(base) {}

  [[nodiscard]] std::uint64_t size() const { return data_.size(); }
  [[nodiscard]] std::uint64_t base() const { return base_; }
  [[nodiscard]] std::string_view text() const { return data_; }

  [[nodiscard]] bool contains(std::uint64_t offset, std::uint64_t size) const {
    return offset <= data_.size() && size <= data_.size() - offset;
  }

  /// Throws Unreadable, which names `what`, unless the range is within the bytes.
  void require(std::uint64_t offset, std::uint64_t size, std::string_view what) const {
    if (!contains(offset, size)) {
      throw Unreadable(base_ + offset,
                       fmt::format("{} ({} bytes) expected here, but the data ends at {:#x}", what,
                                   size, base_ + data_.size()));
    }
  }

  [[nodiscard]] Bytes slice(std::uint64_t offset, std::uint64_t size, std::string_view what) const {
    require(offset, size, what);
    return Bytes(data_.substr(offset, size), base_ + offset);
  }

  /// Reads a little-endian number. Throws Unreadable, which names `what`, if it is not there.
  template <typename Number>
  [[nodiscard]] Number at(std::uint64_t offset, std::string_view what) const {
    static_assert(std::is_integral_v<Number>);
    require(offset, sizeof(Number), what);
    Number number;
    std::memcpy(&number, data_.data() + offset, sizeof(Number));
    return number;
  }

  [[nodiscard]] std::string_view c_string(std::uint64_t offset, std::string_view what) const {
    require(offset, 1, what);
    const auto end = data_.find('\0', offset);
    if (end == std::string_view::npos) {
      throw Unreadable(base_ + offset, fmt::format("{} has no terminating zero", what));
    }
    return data_.substr(offset, end - offset);
  }

  [[noreturn]] void fail(std::uint64_t offset, const std::string& what) const {
    throw Unreadable(base_ + offset, what);
  }

 private:
  std::string_view data_;
  std::uint64_t base_ = 0;
};

}  // namespace archgrid::fatbin

#endif
