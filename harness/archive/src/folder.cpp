// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include <sys/stat.h>

#include <algorithm>
#include <archgrid/archive.hpp>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <set>
#include <utility>

namespace archgrid::archive {
namespace {

namespace fs = std::filesystem;

class Folder {
 public:
  explicit Folder(const Visitor& visit) : visit_(visit) {}

  void add(const fs::path& folder) {
    for (const auto& path : entries_of(folder)) {
      struct stat status = {};
      if (::lstat(path.c_str(), &status) != 0) {
        report(path, "cannot inspect", errno);
      } else if (S_ISDIR(status.st_mode)) {
        add(path);
      } else if (S_ISLNK(status.st_mode)) {
        links_.push_back(path);
      } else {
        add_file(path, status);
      }
    }
  }

  /// Returns all files. Call it after the last folder.
  std::vector<std::string> take() {
    for (const auto& link : links_) {
      struct stat status = {};
      const int error = ::stat(link.c_str(), &status) == 0 ? 0 : errno;
      if (error == 0) {
        add_file(link, status);
      } else if (error != ENOENT && error != ELOOP) {  // a dangling link hides no file
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
    if (error) report(folder, "cannot read the folder", error.value());
    std::sort(paths.begin(), paths.end());
    return paths;
  }

  void add_file(const fs::path& path, const struct stat& status) {
    if (!S_ISREG(status.st_mode)) return;
    if (seen_.emplace(status.st_dev, status.st_ino).second) files_.push_back(path.string());
  }

  void report(const fs::path& path, const char* what, int error) {
    visit_({fatbin::printable(path.string()), {}, std::string(what) + ": " + std::strerror(error)});
  }

  const Visitor& visit_;
  std::set<std::pair<dev_t, ino_t>> seen_;
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
