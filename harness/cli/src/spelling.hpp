// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Archs and devices as people write them: CMake, nvcc, PyTorch and NVIDIA's pages each have a way.
#ifndef ARCHGRID_CLI_SPELLING_HPP
#define ARCHGRID_CLI_SPELLING_HPP

#include <archgrid/coverage.hpp>
#include <optional>
#include <string>

namespace archgrid::cli {

/// Which code for an arch is meant.
enum class Code { any, machine, ptx };

struct SpelledArch {
  fatbin::Arch arch;  ///< which the data table may lack
  Code code = Code::any;

  /// As CMake spells it: "90a", "90-real", "120-virtual".
  [[nodiscard]] std::string text() const;
};

/// "90a" and "9.0a", "sm_90a" and "90a-real" (machine code), "compute_90a" and "90a-virtual" (PTX).
/// Nothing where it is none of these.
std::optional<SpelledArch> read_arch(const std::string& text);

/// The same, and the data table has such an arch.
std::optional<SpelledArch> read_known_arch(const std::string& text);

/// "9.0", "90", "sm_90". Nothing unless the data table has such a device.
std::optional<coverage::Device> read_device(const std::string& text);

}  // namespace archgrid::cli

#endif
