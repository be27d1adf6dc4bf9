// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ARCHGRID_SYSTEM_PROBLEM_HPP
#define ARCHGRID_SYSTEM_PROBLEM_HPP

#include <windows.h>

#include <string>
#include <system_error>

namespace archgrid::system {

/// Returns the words for an error of Windows, which are those of other systems.
inline std::string problem_text(DWORD error) {
  if (error == ERROR_SHARING_VIOLATION || error == ERROR_LOCK_VIOLATION) {
    return "another program has locked it: close it there";
  }
  if (error == ERROR_BAD_NETPATH || error == ERROR_BAD_NET_NAME) {
    return "the server or its share cannot be reached: is its name right?";
  }
  const std::error_code code(static_cast<int>(error), std::system_category());
  const auto condition = code.default_error_condition();
  return condition.category() == std::generic_category() ? condition.message() : code.message();
}

}  // namespace archgrid::system

#endif
