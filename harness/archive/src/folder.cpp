// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <archgrid/archive.hpp>
#include <archgrid/system/files.hpp>
#include <filesystem>
#include <set>
#include <system_error>
#include <utility>

namespace archgrid::archive {
namespace {

namespace fs = std::filesystem;

class Folder {
 public:
  explicit Folder(const Visitor& visit) : visit_(visit) {}

  void add(const fs::path& folder) {
    for (const auto& path : entries_of(folder)) {
      std::error_code error;
      const auto status = fs::symlink_status(path, error);
      if (error) {
        report(path, "cannot inspect", error);
      } else if (fs::is_directory(status)) {
        add(path);
      } else if (fs::is_symlink(status)) {
        links_.push_back(path);
      } else {
        add_file(path, status);
      }
    }
  }

  /// Returns all files. Call it after the last folder.
  std::vector<std::string> take() {
    for (const auto& link : links_) {
      std::error_code error;
      const auto status = fs::status(link, error);
      const bool dangles = error == std::errc::no_such_file_or_directory ||
                           error == std::errc::too_many_symbolic_link_levels;
      if (!error) {
        add_file(link, status);
      } else if (!dangles) {  // a dangling link hides no file
        report(link, "cannot follow the link", error);
      }
    }
    return std::move(files_);
  }

 private:
  std::vector<fs::path> entries_of(const fs::path& folder) {
    std::vector<fs::path> paths;
    std::error_code error;
    for (fs::directory_iterator entry(folder, error), end; !error && entry != end;
         entry.increment(error)) {
      paths.push_back(entry->path());
    }
    if (error) report(folder, "cannot read the folder", error);
    std::sort(paths.begin(), paths.end());
    return paths;
  }

  void add_file(const fs::path& path, const fs::file_status& status) {
    if (!fs::is_regular_file(status)) return;
    const auto id = system::file_id(path);
    if (!id || seen_.insert(*id).second) files_.push_back(system::with_slashes(path.string()));
  }

  void report(const fs::path& path, const char* what, const std::error_code& error) {
    visit_({fatbin::printable(path.string()), {}, std::string(what) + ": " + error.message()});
  }

  const Visitor& visit_;
  std::set<system::FileId> seen_;
  std::vector<std::string> files_;
  std::vector<fs::path> links_;
};

}  // namespace

std::vector<std::string> files_in(const std::string& folder, const Visitor& visit) {
  Folder files(visit);
  files.add(folder);
  return files.take();
}

}  // namespace archgrid::archive
