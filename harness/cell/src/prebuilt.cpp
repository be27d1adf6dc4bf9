// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include "prebuilt.hpp"

#include <archgrid/system/mapped_file.hpp>
#include <initializer_list>

#include "words.hpp"

namespace archgrid::cell {
namespace {

namespace fs = std::filesystem;

bool is_any(std::string_view name, std::initializer_list<std::string_view> names) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

enum class Does {
  copy,
  nothing,  ///< makes no file of code
  compile,  ///< makes an object, a program or a library from its own inputs
  unknown   ///< a script or a nested build
};

Does does_cmake(const std::vector<std::string>& words) {
  if (words.size() < 3 || words[1] != "-E") return Does::unknown;
  const std::string_view tool = words[2];
  if (starts_with(tool, "copy") || starts_with(tool, "create_") || tool == "rename") {
    return Does::copy;
  }
  const bool idle = starts_with(tool, "touch") || starts_with(tool, "remove") ||
                    starts_with(tool, "echo") ||
                    is_any(tool, {"rm", "make_directory", "cmake_transform_depfile", "true"});
  return idle ? Does::nothing : Does::unknown;
}

/// Returns "g++" for "/usr/bin/x86_64-linux-gnu-g++-12".
std::string_view tool_name(std::string_view program) {
  const auto version = program.find_last_not_of("0123456789.");
  if (version != std::string_view::npos && program[version] == '-') {
    program = program.substr(0, version);
  }
  return program.substr(program.find_last_of("/-") + 1);
}

Does does(const Command& command) {
  const std::string_view program = command.words[0];
  const auto name = program.substr(program.rfind('/') + 1);
  if (name == "cmake") return does_cmake(command.words);
  if (is_any(name, {"cp", "ln", "mv", "install"})) return Does::copy;
  if (is_any(name, {":", "true", "echo", "mkdir", "touch", "rm", "chmod"})) return Does::nothing;
  const bool compiler =
      is_any(tool_name(program), {"c++", "g++", "cc", "gcc", "clang", "clang++", "nvcc", "ld",
                                  "lld", "ar", "ranlib", "ccache", "sccache", "strip", "objcopy"});
  return compiler ? Does::compile : Does::unknown;
}

bool has_same_bytes(const fs::path& left, const fs::path& right) {
  std::error_code error;
  if (!fs::is_regular_file(left, error) || !fs::is_regular_file(right, error)) return false;
  if (fs::file_size(left, error) != fs::file_size(right, error)) return false;
  return system::MappedFile(left).bytes() == system::MappedFile(right).bytes();
}

/// Reports whether `file` exists and is not newer than `mark`.
bool is_as_old_as(const fs::path& file, const fs::path& mark) {
  std::error_code error;
  const auto limit = fs::last_write_time(mark, error);
  if (error) return false;
  const auto time = fs::last_write_time(file, error);
  return !error && time <= limit;
}

/// Reports whether `folder` contains a file `<...>-download` that is not older than `file`.
bool has_later_download(const fs::path& folder, const fs::path& file) {
  std::error_code error;
  for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
    if (ends_with(at->path().filename().string(), "-download") && is_as_old_as(file, at->path())) {
      return true;
    }
  }
  return false;
}

}  // namespace

bool merely_copy(const std::vector<Command>& commands) {
  bool copies = false;
  for (const auto& command : commands) {
    const auto what = does(command);
    if (what != Does::copy && what != Does::nothing) return false;
    copies |= what == Does::copy;
  }
  return copies;
}

Prebuilt::Prebuilt(const fs::path& build, const std::vector<Command>& commands,
                   std::set<std::string> outputs)
    : build_(fs::weakly_canonical(build)), outputs_(std::move(outputs)) {
  std::set<std::size_t> making;  // edges that may have made the files that they copy
  for (const auto& command : commands) {
    if (does(command) == Does::unknown) making.insert(command.line);
  }
  std::set<fs::path> sources;
  for (const auto& command : commands) {
    if (making.count(command.line) != 0 || does(command) != Does::copy) continue;
    for (std::size_t index = 1; index < command.words.size(); ++index) {
      const auto& word = command.words[index];
      if (word.empty() || word[0] == '-') continue;
      auto path = build_ / command.folder / word;
      if (word.find('*') != std::string::npos) path = path.parent_path();
      sources.insert(path);
    }
  }
  sources_.assign(sources.begin(), sources.end());
}

bool Prebuilt::contains(const fs::path& file) const {
  if (is_older_than_build(file)) return true;
  return std::any_of(sources_.begin(), sources_.end(),
                     [&](const fs::path& source) { return is_copy_of(source, file); });
}

bool Prebuilt::is_older_than_build(const fs::path& file) const {
  // The build step writes the signature when it has configured the cell.
  if (is_as_old_as(file, build_ / "archgrid.signature")) return true;
  return is_downloaded(file);
}

// Checks the same places as _archgrid_is_fetched() of detail/foreign_files.cmake.
bool Prebuilt::is_downloaded(const fs::path& file) const {
  for (auto folder = file.parent_path(); is_below(folder, build_) && folder != build_;
       folder = folder.parent_path()) {
    const auto name = folder.filename().string();
    const auto above = folder.parent_path();
    // ExternalProject by default, and with EP_BASE.
    if (is_as_old_as(file, above / (name + "-stamp") / (name + "-download")) ||
        is_as_old_as(file, above.parent_path() / "Stamp" / name / (name + "-download"))) {
      return true;
    }
    if (!ends_with(name, "-src")) continue;
    // FetchContent up to CMake 3.30, and after it.
    const auto content = name.substr(0, name.size() - 4);
    if (has_later_download(above / (content + "-subbuild") / (content + "-populate-prefix") /
                               "src" / (content + "-populate-stamp"),
                           file) ||
        has_later_download(build_ / "CMakeFiles/fc-stamp" / content, file)) {
      return true;
    }
  }
  return false;
}

bool Prebuilt::is_copy_of(const fs::path& source, const fs::path& file) const {
  const auto is_origin = [&](const fs::path& path) {
    std::error_code error;
    if (!has_same_bytes(path, file)) return false;
    if (is_older_than_build(path)) return true;
    return !is_below(fs::canonical(path, error), build_) &&
           outputs_.count(path.lexically_normal().string()) == 0;
  };
  std::error_code error;
  if (!fs::is_directory(source, error)) return is_origin(source);
  // `file` has the same path below the copy as its origin has below the source folder.
  fs::path below;
  for (auto part = file; part.has_relative_path() && part != build_; part = part.parent_path()) {
    below = below.empty() ? part.filename() : part.filename() / below;
    if (is_origin(source / below)) return true;
  }
  return false;
}

}  // namespace archgrid::cell
