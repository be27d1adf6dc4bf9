// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include "project_promise.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <string>
#include <system_error>
#include <utility>

#include "promised.hpp"

namespace archgrid::cli {
namespace {

namespace fs = std::filesystem;
using coverage::Pyproject;

coverage::Device read_gpu(const std::string& text) {
  const auto devices = parse_devices({text});
  if (devices.size() == 1) return devices.front();
  throw UsageError(fmt::format("\"{}\" names several GPUs: write each in quotes of its own", text));
}

coverage::Remark remark_of(const char* code, std::string message) {
  coverage::Remark remark;
  remark.code = code;
  remark.message = std::move(message);
  return remark;
}

ProjectPromise take_promise(const Pyproject& project) {
  ProjectPromise result;
  result.matrix = project.promise(read_gpu);
  const auto& path = project.path().string();
  const auto& source = result.matrix->path;
  result.is_table = source == path;
  const auto message =
      result.is_table
          ? fmt::format("promised by [tool.archgrid] of {}", path)
          : fmt::format("promised by {}, which [tool.archgrid] of {} names", source, path);
  result.remarks.push_back(remark_of("promised-by-project", message));
  return result;
}

/// Returns "some_name" of "dist/some_name-1.0-cp311-cp311-linux_x86_64.whl" and of the source
/// distribution "dist/some_name-1.0.tar.gz", and an empty text for other files.
std::string distribution_of(const fs::path& file) {
  std::error_code error;
  const auto name = file.filename().string();
  if (fs::is_directory(file, error)) return {};
  if (file.extension() == ".whl") return name.substr(0, std::min(name.find('-'), name.size()));
  const auto dash = name.rfind('-');
  const bool is_source = name.ends_with(".tar.gz") && dash != std::string::npos;
  return is_source ? name.substr(0, dash) : std::string();
}

/// Returns the places for the pyproject.toml of a wheel, the nearest first. `python -m build` puts
/// wheels into the folder dist/ of the project.
std::array<fs::path, 2> candidates_for(const fs::path& wheel) {
  std::error_code error;
  const auto folder = wheel.parent_path();
  const auto above = folder / ".." / "pyproject.toml";
  const auto shorter = above.lexically_normal();  // another file where the folder is a link
  return {folder / "pyproject.toml", fs::equivalent(above, shorter, error) ? shorter : above};
}

/// Returns the project that promises something about the wheel. Adds remarks on files that may be
/// its project and cannot be used.
std::optional<Pyproject> project_of(const fs::path& wheel, std::vector<coverage::Remark>& remarks) {
  const auto distribution = coverage::normalized_distribution(distribution_of(wheel));
  if (distribution.empty()) return std::nullopt;
  for (const auto& path : candidates_for(wheel)) {
    std::error_code error;
    if (!fs::exists(path, error)) continue;
    try {
      Pyproject project(path);
      if (!project.has_promise()) continue;
      if (project.name() == distribution) return project;
      if (!project.name().empty()) continue;
      remarks.push_back(remark_of(
          "project-not-used",
          fmt::format("[tool.archgrid] of {0} promises nothing here, as [project] has no \"name\" "
                      "to compare with the wheel's: add it, or write --matrix {0}",
                      path.string())));
    } catch (const coverage::TomlError& problem) {
      remarks.push_back(remark_of("project-not-used", fmt::format("not read: {}", problem.what())));
    }
  }
  return std::nullopt;
}

bool is_same(const std::optional<Pyproject>& left, const std::optional<Pyproject>& right) {
  std::error_code error;
  if (!left || !right) return !left && !right;
  return fs::equivalent(left->path(), right->path(), error);
}

/// Returns "a.whl is promised by [tool.archgrid] of ../pyproject.toml".
std::string text_of(const std::string& file, const std::optional<Pyproject>& project) {
  if (!project) return fmt::format("{} has no pyproject.toml with a promise for it", file);
  return fmt::format("{} is promised by [tool.archgrid] of {}", file, project->path().string());
}

ProjectPromise discover(const std::vector<std::string>& files) {
  ProjectPromise result;
  if (files.empty()) return result;
  const auto first = project_of(files.front(), result.remarks);
  for (const auto& file : files) {
    const auto project = project_of(file, result.remarks);
    if (is_same(first, project)) continue;
    throw UsageError(fmt::format("{}, and {}: audit them apart, or name one promise with --matrix",
                                 text_of(files.front(), first), text_of(file, project)));
  }
  if (!first) return result;
  auto promise = take_promise(*first);
  promise.remarks.insert(promise.remarks.end(), result.remarks.begin(), result.remarks.end());
  return promise;
}

}  // namespace

ProjectPromise find_project_promise(const AuditOptions& options) {
  if (fs::path(options.matrix).extension() == ".toml") {
    return take_promise(Pyproject(options.matrix));
  }
  const bool is_promised =
      !options.matrix.empty() || !options.devices.empty() || !options.accept.empty();
  return is_promised ? ProjectPromise() : discover(options.files);
}

}  // namespace archgrid::cli
