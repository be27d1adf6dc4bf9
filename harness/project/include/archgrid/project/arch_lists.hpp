// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Finds the lists of architectures in the build files of a project.
#ifndef ARCHGRID_PROJECT_ARCH_LISTS_HPP
#define ARCHGRID_PROJECT_ARCH_LISTS_HPP

#include <archgrid/promises/spelling.hpp>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace archgrid::project {

/// All archs that a file gives a variable or an option, also in several branches.
struct ArchList {
  std::string path;  ///< relative to the project
  std::size_t line = 0;
  std::string name;  ///< "CMAKE_CUDA_ARCHITECTURES", "TORCH_CUDA_ARCH_LIST", "-gencode"
  std::vector<promises::SpelledArch> archs;  ///< ascending, without duplicates
  /// Further lines that give the variable archs: branches, or values that replace each other.
  std::vector<std::size_t> more_lines;
  /// The toolkit that a Dockerfile or a workflow names, if it names one alone:
  /// "nvidia/cuda:12.4.1".
  std::optional<coverage::Version> toolkit;
};

/// Returns the lists in a text. Each name has one. A line that contains `archgrid: ignore`, or that
/// follows one which contains only that comment, is not read; neither are comments.
std::vector<ArchList> arch_lists_in(std::string_view path, std::string_view text);

/// A line of a Makefile that computes the archs of nvcc's options from values that are not read.
struct UnreadArchs {
  std::string path;  ///< relative to the project
  std::size_t line = 0;
};

/// A set(CMAKE_CUDA_ARCHITECTURES) that never runs: it requires that the variable is not set, but
/// CMake has set it where CUDA was enabled.
struct LateArchs {
  std::string path;  ///< relative to the project
  std::size_t line = 0;
  std::size_t since = 0;  ///< the line that enables CUDA
};

/// Reports whether make reads the file.
bool is_makefile(const std::filesystem::path& path);

/// Returns the first such line of a Makefile.
std::optional<UnreadArchs> unread_archs_in(std::string_view path, std::string_view text);

struct BuildFile {
  std::string path;  ///< relative to the project
  std::string text;
};

/// Reads the build files of a folder, by path: CMake files and presets, Makefiles, Dockerfiles,
/// workflows, Python's setup files, and shell scripts. Leaves out folders that are hidden (but
/// `.github` and `.gitlab`), build trees, other repositories, vendored projects (`third_party`,
/// `external`, `submodules`), and `tests`, `examples`, `samples` and `benchmarks`, which are rarely
/// built for all GPUs. Throws std::runtime_error if a file cannot be read.
std::vector<BuildFile> read_build_files(const std::filesystem::path& folder);

/// The lists in the build files of a project, and the lines that are none.
struct ProjectArchs {
  std::vector<ArchList> lists;
  std::vector<UnreadArchs> unread;
  std::vector<LateArchs> late;
};

/// Returns the late lists in the CMake files among `files`.
std::vector<LateArchs> find_late_archs(const std::vector<BuildFile>& files);

/// Returns what the build files say about archs.
ProjectArchs project_archs_in(const std::vector<BuildFile>& files);

/// Reads the build files of a folder. Throws std::runtime_error if a file cannot be read.
ProjectArchs find_project_archs(const std::filesystem::path& folder);

}  // namespace archgrid::project

#endif
