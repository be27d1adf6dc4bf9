// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ARCHGRID_COVERAGE_ARCH_PATH_HPP
#define ARCHGRID_COVERAGE_ARCH_PATH_HPP

#include <archgrid/coverage/verdict.hpp>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace archgrid::coverage {

/// The path of a file that host code loads, with its words for archs: `sm_80`, `90a`, `8.0`,
/// `hopper`, `h100`. A number counts as an arch if a GPU of the table has it.
class ArchPath {
 public:
  explicit ArchPath(const fatbin::File& file);

  /// Reports whether the paths are equal except for endings and words that each file serves.
  [[nodiscard]] bool differs_by_arch_alone(const ArchPath& other) const;

  /// Reports whether the files are in one folder and one name starts with the other, both without
  /// served words. At least one name must have such a word.
  [[nodiscard]] bool is_beside(const ArchPath& other) const;

  /// Reports whether contradicted_beside() may return a GPU.
  [[nodiscard]] bool may_be_contradicted() const;

  /// Returns the GPU that a marked number in this path names and the file does not serve, if
  /// `other` has the same path except for a served word in that place.
  [[nodiscard]] std::optional<ComputeCapability> contradicted_beside(const ArchPath& other) const;

 private:
  struct Word {
    std::size_t size = 0;
    ComputeCapability device;  ///< the first GPU that it names
    bool served = false;
    bool marked = false;  ///< a number after "sm" or the like, which surely names an arch
  };

  void find_words(const fatbin::File& file);
  [[nodiscard]] const Word* word_at(std::size_t at) const;
  /// Returns the name without served words and separators.
  [[nodiscard]] std::string rest_of_name() const;

  std::string text_;         ///< in lower case, without the ending
  std::size_t name_ = 0;     ///< start of the name
  std::vector<Word> words_;  ///< by position; size 0 if none starts there
  std::string rest_;         ///< rest_of_name()
  bool named_ = false;       ///< the name has a served word
};

}  // namespace archgrid::coverage

#endif
