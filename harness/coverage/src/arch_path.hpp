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
/// `hopper`, `h100`. A number counts as one where a GPU of the table has it.
class ArchPath {
 public:
  explicit ArchPath(const fatbin::File& file);

  /// Reports whether the paths are alike but for endings and words that each file serves.
  [[nodiscard]] bool differs_by_arch_alone(const ArchPath& other) const;

  /// Reports whether the files lie in one folder, and one is named after the other or after
  /// nothing but an arch; one of them at least has a word that it serves.
  [[nodiscard]] bool is_beside(const ArchPath& other) const;

  /// Reports whether contradicted_beside() may return a GPU.
  [[nodiscard]] bool may_be_contradicted() const;

  /// Returns the GPU that a marked number in this path names and the file does not serve, where
  /// `other` is alike but for a word in its place that serves.
  [[nodiscard]] std::optional<Device> contradicted_beside(const ArchPath& other) const;

 private:
  struct Word {
    std::size_t size = 0;
    Device device;  ///< the first that it names
    bool served = false;
    bool marked = false;  ///< a number behind "sm" or the like, so that it is sure to name an arch
  };

  void find_words(const fatbin::File& file);
  [[nodiscard]] const Word* word_at(std::size_t at) const;
  /// The name without served words, and without what separates words.
  [[nodiscard]] std::string rest_of_name() const;

  std::string text_;         ///< in small letters, without the ending
  std::size_t name_ = 0;     ///< where the name begins
  std::vector<Word> words_;  ///< by place; of no size where none begins
  std::string rest_;         ///< rest_of_name()
  bool named_ = false;       ///< the name has a served word
};

}  // namespace archgrid::coverage

#endif
