// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Finds functions and libraries that load device code at run time, which is invisible in the file.
#ifndef ARCHGRID_FATBIN_LOADERS_HPP
#define ARCHGRID_FATBIN_LOADERS_HPP

#include <cstddef>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "host_image.hpp"

namespace archgrid::fatbin {

/// Returns the imported functions that load device code, and the libraries that compile or link it.
std::vector<std::string> imported_loaders(const HostImage& image);

/// Loaders that occur as strings of a program, which may look them up when it runs.
class NamedLoaders {
 public:
  static constexpr std::size_t kAround = 128;  ///< bytes before and behind that add() examines

  /// Examines the string of `text` around `at`.
  void add(std::string_view text, std::size_t at);

  /// Returns all except those that are imported, and those that the CUDA runtime itself contains.
  [[nodiscard]] std::vector<std::string> take(const std::vector<std::string>& imported);

  /// Reports whether some string contained "nvrtc".
  [[nodiscard]] bool mentions_nvrtc() const { return mentions_nvrtc_; }

 private:
  std::set<std::string> names_;
  bool mentions_nvrtc_ = false;
};

}  // namespace archgrid::fatbin

#endif
