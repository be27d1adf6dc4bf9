// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Finds files that a build writes outside of its tree, where no audit reads them and every cell
// overwrites them.
#include <archgrid/archive.hpp>
#include <archgrid/cell.hpp>
#include <map>

#include "words.hpp"

namespace archgrid::cell {
namespace {

namespace fs = std::filesystem;

/// Reports whether the file at `path`, or a file in the archive there, has device code. Returns
/// false for a file that cannot be read now because another command is writing it.
bool has_device_code(const fs::path& path) {
  bool found = false;
  archive::walk(path.string(), {}, [&](const archive::Found& file) {
    if (found || !file.error.empty()) return;
    const auto read = fatbin::read_bytes(file.contents.bytes(), file.path, fatbin::Detail::names);
    found = !read.images.empty();
  });
  return found;
}

/// Returns `path` with links resolved; unresolved if a folder cannot be entered or links form a
/// cycle.
fs::path without_links(const fs::path& path) {
  std::error_code error;
  auto real = fs::weakly_canonical(path, error);
  return error ? path.lexically_normal() : real;
}

/// Resolves links in many paths, each folder once.
class LinkResolver {
 public:
  fs::path resolve(const fs::path& path) {
    const auto [folder, is_new] = folders_.try_emplace(path.parent_path());
    if (is_new) folder->second = without_links(folder->first);
    const auto real = folder->second / path.filename();
    std::error_code error;
    return fs::is_symlink(real, error) ? without_links(real) : real;
  }

 private:
  std::map<fs::path, fs::path> folders_;  ///< real folders by the named ones
};

/// Collects the files that a build wrote.
class Search {
 public:
  Search(const fs::path& tree, fs::file_time_type begin) : tree_(tree), begin_(begin) {}

  void add_file(const fs::path& path) {
    std::error_code error;
    if (!fs::is_regular_file(path, error) || fs::last_write_time(path, error) <= begin_) return;
    const auto real = fs::canonical(path, error);
    if (error || is_below(real, tree_) || !seen_.insert(real.string()).second) return;
    if (has_device_code(real)) found_.push_back(real.string());
  }

  void add_children(const fs::path& folder) {
    std::error_code error;
    for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
      add_file(at->path());
    }
  }

  void add_all_below(const fs::path& folder) {
    std::error_code error;
    constexpr auto kOptions = fs::directory_options::skip_permission_denied;
    for (fs::recursive_directory_iterator at(folder, kOptions, error), end; !error && at != end;
         at.increment(error)) {
      if (at->is_directory(error)) {
        if (at->is_symlink(error) || is_skipped(at->path())) at.disable_recursion_pending();
      } else {
        add_file(at->path());
      }
    }
  }

  /// Adds the targets of links below `folder`: files, and the files in a folder.
  void add_links_below(const fs::path& folder) {
    std::error_code error;
    constexpr auto kOptions = fs::directory_options::skip_permission_denied;
    for (fs::recursive_directory_iterator at(folder, kOptions, error), end; !error && at != end;
         at.increment(error)) {
      std::error_code broken;
      if (!at->is_symlink(broken)) continue;
      const auto real = fs::canonical(at->path(), broken);
      if (broken || is_below(real, tree_)) continue;
      if (fs::is_directory(real, broken)) {
        add_children(real);
      } else {
        add_file(real);
      }
    }
  }

  std::vector<std::string> found() && { return std::move(found_); }

 private:
  bool is_skipped(const fs::path& folder) const {
    std::error_code error;
    return folder == tree_ || folder.filename() == ".git" ||
           fs::exists(folder / "CMakeCache.txt", error);
  }

  fs::path tree_;
  fs::file_time_type begin_;
  std::set<std::string> seen_;
  std::vector<std::string> found_;
};

}  // namespace

std::vector<std::string> outputs_outside(const std::vector<Unit>& units, const fs::path& build) {
  const auto tree = fs::weakly_canonical(build);
  std::set<std::string> outside;
  for (const auto& unit : units) {
    if (unit.output.empty() || starts_with(unit.output, "/dev/")) continue;
    const auto named = (tree / unit.output).lexically_normal();
    const auto real = without_links(tree / unit.output);
    if (is_below(real, tree)) continue;
    outside.insert(is_below(named, tree) ? real.string() : named.string());
  }
  return {outside.begin(), outside.end()};
}

std::vector<std::string> written_outside(const std::vector<Command>& commands,
                                         const fs::path& build, const fs::path& source) {
  const auto cell = fs::weakly_canonical(build);
  std::error_code error;
  const auto begin = fs::last_write_time(cell / "archgrid.signature", error);
  if (error) return {};
  const auto tree = cell.parent_path().parent_path();  // from <tree>/cells/<id>
  Search search(tree, begin);
  if (!source.empty()) search.add_all_below(fs::weakly_canonical(source));
  std::set<fs::path> named;
  for (const auto& command : commands) {
    for (const auto& word : command.words) {
      if (word.empty() || word[0] == '-' || word.find('/') == std::string::npos) continue;
      named.insert((cell / command.folder / word).lexically_normal());
    }
  }
  search.add_links_below(cell);
  LinkResolver links;
  for (const auto& path : named) {
    if (is_below(links.resolve(path), tree)) continue;
    if (fs::is_directory(path, error)) {
      search.add_children(path);
    } else {
      search.add_file(path);
    }
  }
  return std::move(search).found();
}

}  // namespace archgrid::cell
