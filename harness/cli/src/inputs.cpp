// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include "inputs.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <archgrid/coverage.hpp>
#include <filesystem>

namespace archgrid::cli {
namespace {

namespace fs = std::filesystem;

bool is_device(const std::string& word) {
  return coverage::parse_device(word).has_value();
}

bool is_verdict(const std::string& word) {
  return coverage::parse_verdict(word).has_value();
}

/// The FILEs that are no files, but values of an option.
std::vector<std::string> values_among(const std::vector<std::string>& files,
                                      bool (*is_value)(const std::string&)) {
  std::vector<std::string> values;
  std::error_code error;
  std::copy_if(files.begin(), files.end(), std::back_inserter(values),
               [&](const auto& word) { return is_value(word) && !fs::exists(word, error); });
  return values;
}

void expect_none(const std::vector<std::string>& strays, std::vector<std::string> given,
                 const char* option, const char* what) {
  if (strays.empty()) return;
  given.insert(given.end(), strays.begin(), strays.end());
  throw UsageError(fmt::format("{}: no such file: several {} are written with commas: {} {}",
                               strays.front(), what, option, fmt::join(given, ",")));
}

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

void expect_no_values(const AuditOptions& options) {
  expect_none(values_among(options.files, is_device), options.devices, "--device", "devices");
  expect_none(values_among(options.files, is_verdict), options.accept, "--accept", "verdicts");
}

}  // namespace archgrid::cli
