// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include "result_files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <system_error>

namespace archgrid::cli {
namespace {

namespace fs = std::filesystem;

constexpr const char* kTestingFolder = "Testing";  // of ctest, in a build tree

bool may_have_results(const fs::path& path) {
  const auto extension = path.extension();
  return extension == ".json" || extension == ".xml";
}

/// Returns the folder without "Testing" at its end.
fs::path tree_of(const fs::path& folder) {
  return folder.filename() == kTestingFolder ? folder.parent_path() : folder;
}

/// Returns the name of a folder, even of "." or "a/..".
std::string folder_name(const fs::path& folder) {
  std::error_code error;
  auto path = fs::weakly_canonical(fs::absolute(folder, error), error);
  if (path.filename().empty()) path = path.parent_path();
  return path.filename().string();
}

/// Returns the files below a folder, sorted. Throws fs::filesystem_error.
std::vector<fs::path> files_below(const fs::path& folder) {
  std::vector<fs::path> files;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    const bool is_file = fs::is_regular_file(entry.symlink_status());
    if (is_file && may_have_results(entry.path())) files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

/// Reports whether the folder is that of one job.
bool is_one_job(const fs::path& folder, const std::vector<fs::path>& files) {
  return std::any_of(files.begin(), files.end(), [&](const fs::path& file) {
    const auto parent = file.parent_path();
    return parent == folder || parent == folder / kTestingFolder;
  });
}

void add_folder(const std::string& input, ResultFiles& found) {
  // "junit/" has an empty last part, which paths below do not have.
  const auto given = fs::path(input);
  const auto folder = given.has_filename() ? given : given.parent_path();
  const auto files = files_below(folder);
  if (files.empty()) {
    found.errors.push_back(fmt::format("{}: no .json or .xml file is in this folder", input));
    return;
  }
  const bool is_job = is_one_job(folder, files);
  for (const auto& file : files) {
    const auto relative = file.lexically_relative(folder);
    const auto job = is_job ? folder_name(folder) : relative.begin()->string();
    auto inside = tree_of(relative.parent_path());
    if (!is_job) inside = inside.lexically_relative(job);
    found.files.push_back({job, file.string(),
                           inside == "." ? std::string() : inside.generic_string(), input, false});
  }
}

void add_input(const std::string& input, ResultFiles& found) {
  std::error_code error;
  const auto status = fs::status(input, error);
  if (!fs::exists(status)) {
    found.errors.push_back(fmt::format("{}: no such file or folder", input));
  } else if (fs::is_directory(status)) {
    add_folder(input, found);
  } else {
    const auto folder = tree_of(fs::absolute(input, error).lexically_normal().parent_path());
    found.files.push_back({folder_name(folder), input, "", input, true});
  }
}

}  // namespace

ResultFiles find_result_files(const std::vector<std::string>& inputs) {
  ResultFiles found;
  for (const auto& input : inputs) {
    try {
      add_input(input, found);
    } catch (const fs::filesystem_error& error) {
      found.errors.push_back(fmt::format("{}: {}", input, error.code().message()));
    }
  }
  std::set<std::string> paths;
  std::erase_if(found.files, [&](const auto& file) {
    std::error_code error;
    return !paths.insert(fs::weakly_canonical(file.path, error).string()).second;
  });
  return found;
}

}  // namespace archgrid::cli
