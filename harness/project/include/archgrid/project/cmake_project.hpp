// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Reads the CMake files of a project, without running them, for its targets that compile CUDA.
#ifndef ARCHGRID_PROJECT_CMAKE_PROJECT_HPP
#define ARCHGRID_PROJECT_CMAKE_PROJECT_HPP

#include <archgrid/project/arch_lists.hpp>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace archgrid::project {

struct CudaTarget {
  enum class Kind { library, object_library, program };
  std::string name;  ///< may contain ${...} that only CMake can expand
  Kind kind = Kind::library;
  std::string path;
  std::size_t line = 0;

  /// Reports whether the name has no ${...} and no generator expression.
  [[nodiscard]] bool is_named() const;
};

/// A variable of the project's own that decides the archs.
struct ArchVariable {
  std::string name;
  std::string value;  ///< for the "definitions" of a matrix file: "@ARCHS@"
  std::string path;
  std::size_t line = 0;
};

/// A line that decides the archs and cannot be overridden from the command line.
struct FixedArchs {
  std::string what;  ///< "set(CMAKE_CUDA_ARCHITECTURES)", "-gencode"
  std::string path;
  std::size_t line = 0;
};

struct CMakeProject {
  std::string name;                      ///< of project() in the top CMakeLists.txt
  bool enables_cuda = false;             ///< anywhere
  bool enables_cuda_at_top = false;      ///< as a language, in the top CMakeLists.txt
  bool uses_findcuda = false;            ///< cuda_add_library(): there is no language CUDA
  std::vector<CudaTarget> targets;       ///< by path and line
  std::optional<ArchVariable> variable;  ///< the first
  std::optional<FixedArchs> fixed;       ///< the first; unset beside `variable`
  std::set<std::string> libraries;       ///< for a matrix file's "libraries": CUDA::cublas
  /// Cache variables that enable CUDA where their default does not: {"X_CUDA", "ON"}.
  std::map<std::string, std::string> switches;
  bool writes_to_sources = false;  ///< has an output directory in the source tree
};

/// Reads the CMakeLists.txt and .cmake files among `files`. A variable has the values of all
/// branches; one that a CMakeLists.txt lacks is looked up in those of the folders above. Targets of
/// folders where nothing enables CUDA, as those for HIP, are left out.
CMakeProject read_cmake_project(const std::vector<BuildFile>& files);

}  // namespace archgrid::project

#endif
