// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include "inputs.hpp"

#include <fmt/format.h>

#include <filesystem>

namespace archgrid::cli {
namespace {

namespace fs = std::filesystem;

std::string folder_problem(const std::string& path) {
  std::error_code error;
  if (fs::exists(fs::path(path) / "plan.json", error)) {
    return fmt::format("a matrix was built in this folder: archgrid audit --tree {}", path);
  }
  return "folders are not read yet: name the files in it";
}

fatbin::File read_input(const std::string& path) {
  std::error_code error;
  if (!fs::is_directory(path, error)) return fatbin::read(path);
  fatbin::File file;
  file.path = path;
  file.errors.push_back({0, folder_problem(path)});
  return file;
}

}  // namespace

std::vector<fatbin::File> read_inputs(const std::vector<std::string>& paths) {
  std::vector<fatbin::File> files;
  for (const auto& path : paths) files.push_back(read_input(path));
  return files;
}

}  // namespace archgrid::cli
