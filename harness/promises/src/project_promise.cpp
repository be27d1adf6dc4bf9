// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <archgrid/coverage/json_text.hpp>
#include <archgrid/promises/error.hpp>
#include <archgrid/promises/gpus.hpp>
#include <archgrid/promises/project_promise.hpp>
#include <archgrid/promises/pyproject.hpp>
#include <archgrid/system/files.hpp>
#include <array>
#include <filesystem>
#include <map>
#include <string>
#include <system_error>
#include <utility>

namespace archgrid::promises {
namespace {

namespace fs = std::filesystem;

coverage::ComputeCapability read_gpu(const std::string& text) {
  if (text.find_first_not_of(" \t,;") == std::string::npos) {
    throw PromiseError(fmt::format("\"{}\" names no GPU: write one, \"H100\"", text));
  }
  const auto devices = read_gpus({text});
  if (devices.size() == 1) return devices.front();
  throw PromiseError(
      fmt::format("\"{}\" names several GPUs: write each in quotes of its own", text));
}

coverage::Note not_used(coverage::Facts facts) {
  return {.code = "project-not-used", .facts = std::move(facts)};
}

ProjectPromise take_promise(const Pyproject& project) {
  ProjectPromise result;
  result.matrix = project.promise(read_gpu);
  const auto& path = project.path().string();
  const auto& source = result.matrix->path;
  result.is_table = source == path;
  coverage::Facts facts = {{"project", path}};
  if (!result.is_table) facts["matrix"] = source;
  result.notes.push_back({.code = "promised-by-project", .facts = std::move(facts)});
  result.inputs.push_back(path);
  if (!result.is_table) result.inputs.push_back(source);
  return result;
}

/// Returns "some_name" for "dist/some_name-1.0-cp311-cp311-linux_x86_64.whl" and for the source
/// distribution "dist/some_name-1.0.tar.gz", and an empty string for other files.
std::string distribution_of(const fs::path& file) {
  std::error_code error;
  const auto name = file.filename().string();
  if (fs::is_directory(file, error)) return {};
  if (file.extension() == ".whl") return name.substr(0, std::min(name.find('-'), name.size()));
  const auto dash = name.rfind('-');
  const bool is_source = name.ends_with(".tar.gz") && dash != std::string::npos;
  return is_source ? name.substr(0, dash) : std::string();
}

/// Returns the possible places of a wheel's pyproject.toml, the nearest first. `python -m build`
/// puts wheels into the project's folder dist/.
std::array<fs::path, 2> candidates_for(const fs::path& wheel) {
  std::error_code error;
  const auto folder = wheel.parent_path();
  const auto above = folder / ".." / "pyproject.toml";
  const auto shorter = above.lexically_normal();  // a different file if the folder is a link
  return {folder / "pyproject.toml", fs::equivalent(above, shorter, error) ? shorter : above};
}

/// Returns why the file may not be the user's own, so that it must be named, like a shared toolkit.
/// Returns an empty string for other files.
std::string distrust_of(const fs::path& path) {
  if (system::is_owned_by_others(path)) return "another user owns it";
  return system::is_writable_by_all(path) ? "everybody can write it" : "";
}

/// The projects of wheels. Each pyproject.toml is read once.
class Projects {
 public:
  /// If the command line makes the promise, files are never an error.
  explicit Projects(bool is_promised) : is_promised_(is_promised) {}

  /// Returns the project with a promise for the wheel. Adds notes about files that may be its
  /// project but cannot be used. Throws PromiseError for a promise that cannot be attributed to a
  /// project.
  std::optional<Pyproject> project_of(const fs::path& wheel);

  [[nodiscard]] const std::vector<coverage::Note>& notes() const { return notes_; }
  [[nodiscard]] const std::vector<std::string>& inputs() const { return inputs_; }

 private:
  /// Returns nothing for a file that cannot be used.
  const std::optional<Pyproject>& read(const fs::path& path);
  std::optional<Pyproject> read_new(const fs::path& path);
  /// Throws PromiseError unless the command line makes the promise.
  void refuse_distrusted(const fs::path& file, const fs::path& project,
                         const std::string& distrust) const;
  void note(coverage::Facts facts);

  bool is_promised_;
  std::map<fs::path, std::optional<Pyproject>> read_;
  std::vector<coverage::Note> notes_;
  std::vector<std::string> inputs_;
};

void Projects::note(coverage::Facts facts) {
  if (is_promised_) return;
  const auto is_same = [&](const auto& note) { return note.facts == facts; };
  if (std::any_of(notes_.begin(), notes_.end(), is_same)) return;
  notes_.push_back(not_used(std::move(facts)));
}

constexpr const char* kOtherWays =
    "name a promise with --matrix FILE, or ask without one with --gpu";

void Projects::refuse_distrusted(const fs::path& file, const fs::path& project,
                                 const std::string& distrust) const {
  if (is_promised_) return;
  throw PromiseError(
      fmt::format("{}: {}, so its promise is applied only where it is named: write --matrix {}, or "
                  "ask without a promise with --gpu",
                  file.string(), distrust, project.string()));
}

std::optional<Pyproject> Projects::read_new(const fs::path& path) {
  inputs_.push_back(path.string());
  if (const auto distrust = distrust_of(path); !distrust.empty()) {
    if (mentions_archgrid(path)) refuse_distrusted(path, path, distrust);
    return std::nullopt;
  }
  try {
    Pyproject project(path);
    const auto matrix = project.matrix_file();
    const auto distrust = matrix.empty() ? std::string() : distrust_of(matrix);
    if (!distrust.empty()) refuse_distrusted(matrix, path, distrust);
    if (!project.has_promise() || !project.name().empty()) return project;
    if (is_promised_) return std::nullopt;
    throw PromiseError(
        fmt::format("{}: [tool.archgrid] applies to the wheels of a project, and [project] has "
                    "no \"name\": add it, {}",
                    path.string(), kOtherWays));
  } catch (const TomlError& problem) {
    if (problem.may_promise && !is_promised_) {
      throw PromiseError(fmt::format("{}\n  fix: correct it, as it may promise GPUs; or {}",
                                     problem.what(), kOtherWays));
    }
    note({{"why", "not-read"}, {"problem", problem.what()}});
  }
  return std::nullopt;
}

const std::optional<Pyproject>& Projects::read(const fs::path& path) {
  std::error_code error;
  const auto canonical = fs::canonical(path, error);
  const auto& key = error ? path : canonical;
  const auto found = read_.find(key);
  return found != read_.end() ? found->second : read_.emplace(key, read_new(path)).first->second;
}

std::optional<Pyproject> Projects::project_of(const fs::path& wheel) {
  const auto distribution = normalised_distribution(distribution_of(wheel));
  if (distribution.empty()) return std::nullopt;
  for (const auto& path : candidates_for(wheel)) {
    std::error_code error;
    if (!fs::exists(path, error)) continue;
    const auto& project = read(path);
    if (!project || !project->has_promise()) continue;
    if (project->name() == distribution) return project;
    note({{"why", "other-project"},
          {"project", path.string()},
          {"name", coverage::quotable(project->name())},
          {"distribution", coverage::quotable(distribution)}});
  }
  return std::nullopt;
}

/// Notes a pyproject.toml beside a file, or above its folder, with a promise that is only for
/// wheels.
void note_wheels_only(const fs::path& file, std::vector<coverage::Note>& notes) {
  for (const auto& path : candidates_for(file)) {
    if (!distrust_of(path).empty() || !mentions_archgrid(path)) continue;
    try {
      if (!Pyproject(path).has_promise()) continue;
    } catch (const TomlError&) {
      continue;  // no wheel needs it
    }
    notes.push_back(not_used({{"why", "wheels-only"}, {"project", path.string()}}));
    return;
  }
}

/// Returns the FILEs of the command line, with each folder replaced by the wheels in it.
std::vector<std::string> wheels_of(const std::vector<std::string>& files) {
  std::vector<std::string> wheels;
  for (const auto& file : files) {
    std::error_code error;
    std::vector<std::string> inside;
    for (fs::directory_iterator entry(file, error), end; !error && entry != end;
         entry.increment(error)) {
      const auto& path = entry->path();
      std::error_code ignored;
      const bool is_file = fs::is_regular_file(path, ignored);
      if (is_file && path.extension() == ".whl") inside.push_back(path.string());
    }
    if (inside.empty()) inside.push_back(file);
    std::sort(inside.begin(), inside.end());
    wheels.insert(wheels.end(), inside.begin(), inside.end());
  }
  return wheels;
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
  Projects projects(false);
  const auto wheels = wheels_of(files);
  const auto first = projects.project_of(wheels.front());
  for (std::size_t index = 1; index < wheels.size(); ++index) {
    const auto project = projects.project_of(wheels[index]);
    if (is_same(first, project)) continue;
    throw PromiseError(
        fmt::format("{}, and {}: audit them apart, or name one promise with --matrix",
                    text_of(wheels.front(), first), text_of(wheels[index], project)));
  }
  if (first) {
    result = take_promise(*first);
    result.wheels = wheels;
  }
  const auto is_wheel = [](const auto& file) { return !distribution_of(file).empty(); };
  std::error_code error;
  if (!first && std::none_of(wheels.begin(), wheels.end(), is_wheel) &&
      fs::is_regular_file(files.front(), error)) {
    note_wheels_only(files.front(), result.notes);
  }
  result.notes.insert(result.notes.end(), projects.notes().begin(), projects.notes().end());
  result.inputs.insert(result.inputs.end(), projects.inputs().begin(), projects.inputs().end());
  return result;
}

/// Adds notes on projects whose promises the command line overrides.
void note_overruled(const PromiseQuery& query, ProjectPromise& promise) {
  Projects projects(true);
  std::vector<fs::path> noted;
  for (const auto& wheel : wheels_of(query.files)) {
    const auto project = projects.project_of(wheel);
    if (!project) continue;
    std::error_code error;
    const auto is_applied = [&](const fs::path& path) {
      return !path.empty() && fs::equivalent(path, query.matrix, error);
    };
    if (is_applied(project->path()) || is_applied(project->matrix_file())) continue;
    const auto& path = project->path();
    if (std::find(noted.begin(), noted.end(), path) != noted.end()) continue;
    noted.push_back(path);
    promise.notes.push_back(not_used({{"why", "overruled"}, {"project", path.string()}}));
  }
  promise.inputs.insert(promise.inputs.end(), projects.inputs().begin(), projects.inputs().end());
}

}  // namespace

ProjectPromise find_project_promise(const PromiseQuery& query) {
  const bool is_promised = !query.matrix.empty() || query.names_devices;
  if (!is_promised) return discover(query.files);
  ProjectPromise promise;
  if (fs::path(query.matrix).extension() == ".toml") {
    promise = take_promise(Pyproject(query.matrix));
  }
  note_overruled(query, promise);
  return promise;
}

void expect_in_wheels(const ProjectPromise& promise, const std::vector<fatbin::File>& files) {
  if (promise.wheels.empty()) return;
  for (const auto& file : files) {
    const auto is_in = [&](const std::string& wheel) {
      return file.path == wheel || file.path.starts_with(wheel + '!');
    };
    if (std::any_of(promise.wheels.begin(), promise.wheels.end(), is_in)) continue;
    throw PromiseError(
        fmt::format("{} is in none of the wheels that [tool.archgrid] is for: audit it apart, or "
                    "name one promise with --matrix",
                    fatbin::printable(file.path)));
  }
}

}  // namespace archgrid::promises
