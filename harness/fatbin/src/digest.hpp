// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ARCHGRID_FATBIN_DIGEST_HPP
#define ARCHGRID_FATBIN_DIGEST_HPP

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace archgrid::fatbin {

/// A 128-bit hash of a sequence of fields (XXH3), equal on every system. Not cryptographic.
class Digest {
 public:
  Digest();
  Digest(const Digest&) = delete;
  Digest& operator=(const Digest&) = delete;
  ~Digest();

  /// Adds a field. Fields are not concatenated: "ab", "c" differs from "a", "bc".
  void add(std::string_view field);
  void add(std::uint64_t number);

  /// Returns 32 hexadecimal digits.
  [[nodiscard]] std::string text() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace archgrid::fatbin

#endif
