// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Reads the promises of Python projects from their pyproject.toml.
#ifndef ARCHGRID_PROMISES_PYPROJECT_HPP
#define ARCHGRID_PROMISES_PYPROJECT_HPP

#include <archgrid/coverage.hpp>
#include <filesystem>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>

namespace archgrid::promises {

/// A file that cannot be read or is invalid TOML. The message names the file and the place in it.
struct TomlError : std::runtime_error {
  TomlError(const std::string& message, bool archgrid)
      : std::runtime_error(message), may_promise(archgrid) {}

  bool may_promise;  ///< the text contains "archgrid", or could not be read
};

/// A function that returns the GPU that a text names. For any other text it throws
/// std::runtime_error with the problem and the fix.
using GpuReader = std::function<coverage::ComputeCapability(const std::string& text)>;

/// Returns a name in lower case, with one - for each run of -, _ and . (PEP 503), so that all names
/// of one distribution are equal.
std::string normalised_distribution(std::string_view name);

/// Reports whether a readable file contains "archgrid". Parses nothing.
bool mentions_archgrid(const std::filesystem::path& path);

/// The parts of a pyproject.toml that audits use.
class Pyproject {
 public:
  /// Throws TomlError.
  explicit Pyproject(const std::filesystem::path& path);

  [[nodiscard]] const std::filesystem::path& path() const;
  /// Returns the normalised "name" of [project]; an empty string if there is none.
  [[nodiscard]] const std::string& name() const;
  /// Reports whether the file has [tool.archgrid], valid or not.
  [[nodiscard]] bool has_promise() const;
  /// Returns the path of the matrix file that [tool.archgrid] names, which need not exist; an empty
  /// path if it names none.
  [[nodiscard]] std::filesystem::path matrix_file() const;

  /// Returns the promise and the ignores of [tool.archgrid], or the content of its matrix file.
  /// Throws coverage::MatrixError.
  [[nodiscard]] coverage::Matrix promise(const GpuReader& read_gpu) const;

 private:
  struct Content;
  std::shared_ptr<const Content> content_;
};

}  // namespace archgrid::promises

#endif
