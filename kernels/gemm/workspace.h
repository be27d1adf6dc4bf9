// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

// The precondition that all workspaces share.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace archgrid::gemm {

// Returns why `given` bytes of device memory at `workspace` do not provide the `needed` bytes at a
// multiple of 8, or an empty string. Any workspace is valid if none is needed.
inline std::string validate_workspace(const void* workspace, std::size_t given,
                                      std::size_t needed) {
  if (needed == 0) return "";
  if (workspace == nullptr)
    return "the workspace is a null pointer, and " + std::to_string(needed) + " bytes are needed";
  if (reinterpret_cast<std::uintptr_t>(workspace) % 8 != 0)
    return "the workspace does not begin at a multiple of 8 bytes";
  if (given >= needed) return "";
  return "the workspace is too small: " + std::to_string(needed) + " bytes are needed, and " +
         std::to_string(given) + " are given";
}

}  // namespace archgrid::gemm
