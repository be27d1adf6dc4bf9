// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Reads archs and devices in the spellings of CMake, nvcc, PyTorch and NVIDIA's pages.
#ifndef ARCHGRID_PROMISES_SPELLING_HPP
#define ARCHGRID_PROMISES_SPELLING_HPP

#include <archgrid/coverage.hpp>
#include <optional>
#include <string>

namespace archgrid::promises {

/// The kinds of code that a spelling means.
enum class Code { any, machine, ptx };

struct SpelledArch {
  fatbin::Arch arch;  ///< may be missing in the data table
  Code code = Code::any;

  /// Returns CMake's spelling: "90a", "90-real", "120-virtual".
  [[nodiscard]] std::string text() const;
};

/// Reads "90a" and "9.0a", "sm_90a" and "90a-real" (machine code), "compute_90a" and "90a-virtual"
/// (PTX). Returns nothing for other texts.
std::optional<SpelledArch> read_arch(const std::string& text);

/// Reads an arch that the data table has; returns nothing for others.
std::optional<SpelledArch> read_known_arch(const std::string& text);

/// Reads "9.0", "90", "sm_90". Returns nothing if the data table has no such device.
std::optional<coverage::ComputeCapability> read_device(const std::string& text);

}  // namespace archgrid::promises

#endif
