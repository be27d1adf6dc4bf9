// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Wheels and other archives that a build wrote: which of their members an audit of the cell reads.
#include <algorithm>
#include <archgrid/archive.hpp>
#include <archgrid/cell.hpp>
#include <cctype>
#include <regex>
#include <utility>

#include "words.hpp"

namespace archgrid::cell {
namespace {

namespace fs = std::filesystem;

bool has_images(const archive::Found& found) {
  const auto file = fatbin::read_bytes(found.contents.bytes(), found.path, fatbin::Detail::names);
  return !file.images.empty();
}

/// "Foo.Bar-2" as "foo_bar_2", the spelling of names of wheels.
std::string normalized(std::string name) {
  for (auto& letter : name) {
    const bool separates = letter == '-' || letter == '.';
    letter = separates ? '_' : static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
  }
  return name;
}

/// Tells by their names libraries of NVIDIA and packages of other projects.
class Others {
 public:
  explicit Others(const OtherNames& names)
      : library_(names.library),
        package_(names.package),
        has_library_(!names.library.empty()),
        has_package_(!names.package.empty()),
        project_(normalized(names.project)) {}

  /// Returns what of `path`, "a.tar!b.whl!c.so", is left out: the outermost package of another
  /// project, or the library itself.
  [[nodiscard]] std::optional<Unaudited> part_of(const std::string& path) const {
    for (std::size_t begin = 0; begin < path.size();) {
      const auto end = std::min(path.find('!', begin), path.size());
      const auto part = path.substr(begin, end - begin);
      const auto name = part.substr(part.rfind('/') + 1);
      if (is_other_package(name)) return Unaudited{path.substr(0, end), "foreign"};
      if (begin > 0 && has_library_ && std::regex_search(name, library_)) {
        return Unaudited{path.substr(0, end), "nvidia"};
      }
      begin = end + 1;
    }
    return std::nullopt;
  }

 private:
  [[nodiscard]] bool is_other_package(const std::string& name) const {
    if (!has_package_ || !ends_with(name, ".whl")) return false;
    const auto distribution = normalized(name.substr(0, name.find('-')));
    const bool is_own = !project_.empty() && distribution.find(project_) != std::string::npos;
    return !is_own && std::regex_match(distribution, package_);
  }

  std::regex library_;
  std::regex package_;
  bool has_library_ = false;
  bool has_package_ = false;
  std::string project_;
};

/// Says why a package that is no archive known here cannot be read; empty where it is empty, or a
/// script without an archive behind it.
std::string problem_of(const std::string& package, std::string_view bytes) {
  const bool is_binary = bytes.find('\0') != std::string_view::npos;
  if (ends_with(package, ".sh") && !is_binary) return {};
  if (bytes.find_first_not_of('\0') == std::string_view::npos) return {};  // tar of nothing
  return "it is no archive of a known format";
}

/// Of one package. Errors of further members are left to its audit.
constexpr std::size_t kMaxUnreadable = 64;

/// Bytes of a file: how many, and their hash.
using Bytes = std::pair<std::size_t, std::uint64_t>;

Bytes bytes_of(const archive::Found& found) {
  const auto bytes = found.contents.bytes();
  return {bytes.size(), hash_of(bytes)};
}

/// Sorts the members of packages.
class Survey {
 public:
  Survey(const fs::path& build, const OtherNames& names) : build_(build), others_(names) {}

  void add(const std::string& package) {
    const auto path = (build_ / package).string();
    const auto name = fatbin::printable(package);
    const auto root = fatbin::printable(path).size();
    const auto before = own_.size();
    std::size_t unreadable = 0;
    archive::walk(path, {}, [&](const archive::Found& found) {
      const auto member = name + found.path.substr(root);
      const auto other = others_.part_of(member);
      if (!found.error.empty()) {
        if (!other && ++unreadable <= kMaxUnreadable) {
          leave_out({member, "unreadable", found.error});
        }
      } else if (found.path.size() == root && !has_images(found)) {
        const auto problem = problem_of(package, found.contents.bytes());
        if (!problem.empty()) leave_out({member, "unreadable", problem});
      } else if (has_images(found)) {
        if (other) leave_out(*other);
        if (!other) own_.emplace_back(member, bytes_of(found));
      }
    });
    if (own_.size() > before) result_.audited.push_back(package);
  }

  /// Leaves out what `artifacts`, or packages before, hold in the same bytes.
  void leave_out_copies(const std::vector<std::string>& artifacts) {
    if (own_.empty()) return;
    std::set<Bytes> seen;
    for (const auto& artifact : artifacts) {
      archive::walk((build_ / artifact).string(), {}, [&](const archive::Found& found) {
        if (found.error.empty()) seen.insert(bytes_of(found));
      });
    }
    for (const auto& [member, bytes] : own_) {
      if (!seen.insert(bytes).second) leave_out({member, "copy"});
    }
  }

  Packages result() && { return std::move(result_); }

 private:
  void leave_out(const Unaudited& file) {
    const auto is_it = [&](const Unaudited& other) { return other.path == file.path; };
    auto& all = result_.unaudited;
    if (std::none_of(all.begin(), all.end(), is_it)) all.push_back(file);
  }

  const fs::path& build_;
  Others others_;
  std::vector<std::pair<std::string, Bytes>> own_;  ///< members of the project's own
  Packages result_;
};

}  // namespace

Packages survey_packages(const fs::path& build, const std::vector<std::string>& packages,
                         const std::vector<std::string>& artifacts, const OtherNames& names) {
  Survey survey(build, names);
  for (const auto& package : packages) survey.add(package);
  survey.leave_out_copies(artifacts);
  return std::move(survey).result();
}

}  // namespace archgrid::cell
