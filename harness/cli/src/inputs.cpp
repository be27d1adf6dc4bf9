// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include "inputs.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <archgrid/archive.hpp>
#include <archgrid/coverage.hpp>
#include <archgrid/promises/error.hpp>
#include <archgrid/promises/gpus.hpp>
#include <archgrid/promises/lists.hpp>
#include <archgrid/system/files.hpp>
#include <archgrid/system/terminal.hpp>
#include <filesystem>
#include <fstream>

#include "command.hpp"
#include "progress.hpp"
#include "pypi.hpp"

namespace archgrid::cli {
namespace {

namespace fs = std::filesystem;

/// Reports whether --gpu reads the word: "9.0", "sm_90", "H100".
bool is_gpu(const std::string& word) {
  try {
    return !promises::read_gpus({word}).empty();
  } catch (const promises::PromiseError&) {
    return false;
  }
}

bool is_verdict(const std::string& word) {
  return coverage::parse_verdict(promises::lower_case(word)).has_value();
}

/// Returns the FILEs that are not files but values of an option.
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
  const auto list = fmt::format("{}", fmt::join(given, ","));
  const char* quote = list.find(' ') == std::string::npos ? "" : "\"";
  throw UsageError(
      fmt::format("{0}: no such file: several {1} are written with commas: {2} {3}{4}{3}, or each "
                  "after a {2} of its own",
                  strays.front(), what, option, quote, list));
}

/// Returns the paths with downloaded wheels instead of packages of PyPI.
std::vector<std::string> downloaded(std::vector<std::string> paths) {
  for (auto& path : paths) {
    path = system::with_slashes(path);
    if (!is_package_name(path)) continue;
    ProgressLine line(system::kStandardError);
    line.show(fmt::format("downloading {}", path));
    path = download_wheel(path).string();
  }
  return paths;
}

/// Adds what to write to the error of a missing file that is named as a package or a URL.
void suggest_packages(std::vector<fatbin::File>& files) {
  std::error_code error;
  for (auto& file : files) {
    if (file.errors.empty() || fs::exists(file.path, error)) continue;
    auto& message = file.errors.front().message;
    const auto advice = advice_on_url(file.path);
    if (!advice.empty()) {
      message = "a URL, not a file: " + advice;
    } else if (may_be_package(file.path)) {
      message += fmt::format("; for the package on PyPI, write pypi:{}", file.path);
    }
  }
}

bool is_tree(const std::string& path) {
  std::error_code error;
  return fs::exists(fs::path(path) / "plan.json", error) &&
         fs::is_directory(fs::path(path) / "cells", error);
}

}  // namespace

std::vector<fatbin::File> read_inputs(const std::vector<std::string>& paths,
                                      const fatbin::ReadOptions& reading, coverage::Claims* claims,
                                      HostFiles* host_files) {
  const auto tree = std::find_if(paths.begin(), paths.end(), is_tree);
  if (tree != paths.end()) {
    throw UsageError(fmt::format("{}: a matrix was built in this folder: archgrid audit --tree {}",
                                 *tree, *tree));
  }
  ProgressLine line(system::kStandardError);
  archive::Options options;
  options.reading = reading;
  options.watch = [&line](const archive::Progress& progress) { line.show(progress); };
  if (claims != nullptr) {
    options.wants = coverage::may_claim;
    options.take = [claims](std::string_view path, std::string_view text) {
      coverage::add_claim(shown_path(std::string(path)), text, *claims);
    };
  }
  if (host_files != nullptr) {
    options.keep = [host_files](const fatbin::File& file, const archive::Contents& contents) {
      host_files->keep(shown_path(file.path), contents);
    };
  }
  auto files = archive::read(downloaded(system::expand_arguments(paths)), options);
  suggest_packages(files);
  for (auto& file : files) file.path = shown_path(file.path);
  if (claims != nullptr) coverage::settle_folders(*claims);
  return files;
}

fatbin::ReadOptions reading_with_identities() {
  fatbin::ReadOptions reading = fatbin::Detail::bodies;
  reading.wants_identities = [](const fatbin::Image&) { return true; };
  return reading;
}

std::vector<std::string> match_paths(const std::string& pattern) {
  std::error_code error;
  if (fs::exists(pattern, error)) return {pattern};
  auto matches = system::glob(pattern);
  if (matches.status == system::Matches::Status::none) {
    throw UsageError(fmt::format("{}: no file matches", pattern));
  }
  if (matches.status == system::Matches::Status::unreadable) {
    throw UsageError(fmt::format("{}: a folder of the pattern cannot be read", pattern));
  }
  return std::move(matches.paths);
}

std::vector<std::string> read_lines(const fs::path& path) {
  std::vector<std::string> lines;
  std::ifstream stream(path);
  if (!stream) throw UsageError(fmt::format("{}: cannot open", path.string()));
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

void expect_no_values(const std::vector<std::string>& files, const std::vector<std::string>& gpus,
                      const std::vector<std::string>& verdicts) {
  const auto strays = values_among(files, is_gpu);
  if (!strays.empty()) promises::read_gpus(gpus);  // explains a name that the shell has split
  if (!strays.empty() && gpus.empty()) {
    const auto list = fmt::format("{}", fmt::join(strays, ","));
    const char* quote = list.find(' ') == std::string::npos ? "" : "\"";
    throw UsageError(fmt::format("{}: no such file: to ask about {}, write --gpu {}{}{}",
                                 strays.front(), strays.size() == 1 ? "this GPU" : "GPUs", quote,
                                 list, quote));
  }
  expect_none(strays, gpus, "--gpu", "GPUs");
  expect_none(values_among(files, is_verdict), verdicts, "--accept", "verdicts");
}

}  // namespace archgrid::cli
