// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ARCHGRID_FATBIN_REPORT_TEXT_HPP
#define ARCHGRID_FATBIN_REPORT_TEXT_HPP

#include <cstdint>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "bytes.hpp"
#include "elf.hpp"

namespace archgrid::fatbin {

/// The strings that kernels of a cubin print. Each relocation table is read once, at its first use.
/// Keeps references to the constructor's arguments.
class ReportTexts {
 public:
  ReportTexts(const Elf& cubin, const std::vector<Symbol>& symbols, int arch)
      : cubin_(cubin), symbols_(symbols), arch_(arch) {}

  /// Returns the format string of the first printf(), or the condition of the first assert(), of a
  /// kernel that does nothing else, on one line: "this is for sm90". Empty if no such string is
  /// found in the cubin.
  std::string text_of(const Symbol& kernel, Bytes code);

 private:
  /// The target of a relocation.
  struct Target {
    std::uint32_t symbol = 0;
    std::uint64_t addend = 0;
  };
  using Targets = std::vector<std::pair<std::uint64_t, Target>>;  ///< by offset in a section

  void read_sections();
  const Targets& targets_in(std::size_t section);
  Targets loaded_by(const Symbol& kernel, Bytes code);
  [[nodiscard]] std::string string_of(const Target& target) const;

  const Elf& cubin_;
  const std::vector<Symbol>& symbols_;
  int arch_;
  bool has_sections_ = false;
  std::size_t strings_ = 0;  ///< .nv.global.init; 0: none
  std::size_t bank_ = 0;     ///< .nv.constant4; 0: none
  std::unordered_map<std::size_t, std::vector<const Section*>> tables_;  ///< by section
  std::unordered_map<std::size_t, Targets> targets_;                     ///< by section
};

}  // namespace archgrid::fatbin

#endif
