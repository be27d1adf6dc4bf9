// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ARCHGRID_CLI_KEPT_HPP
#define ARCHGRID_CLI_KEPT_HPP

#include <deque>
#include <utility>

namespace archgrid::cli {

/// Returns a value that is never destroyed. A command ends with its process, which frees all memory
/// at once; freeing the texts of a large audit one by one takes a twentieth of its time.
template <typename Value, typename... Arguments>
Value& kept(Arguments&&... arguments) {
  static auto& values = *new std::deque<Value>;
  return values.emplace_back(std::forward<Arguments>(arguments)...);
}

}  // namespace archgrid::cli

#endif
