// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Finds the wheels and other archives that a build wrote, and the members that an audit of the cell
// reads.
#include <algorithm>
#include <archgrid/archive.hpp>
#include <archgrid/cell.hpp>
#include <archgrid/system/mapped_file.hpp>
#include <array>
#include <cctype>
#include <map>
#include <optional>
#include <regex>
#include <stdexcept>
#include <utility>

#include "build_tree.hpp"
#include "prebuilt.hpp"
#include "words.hpp"

namespace archgrid::cell {
namespace {

namespace fs = std::filesystem;

using namespace std::string_view_literals;

/// Device code in a file.
enum class Holds {
  nothing,
  code,    ///< in a program, a library or an object
  loaded,  ///< the file itself is device code that programs load
};

Holds code_in(const archive::Found& found) {
  const auto file = fatbin::read_bytes(found.contents.bytes(), found.path, fatbin::Detail::names);
  if (file.images.empty()) return Holds::nothing;
  const bool loaded = file.format == "cubin" || file.format == "ptx" || file.format == "fatbin";
  return loaded ? Holds::loaded : Holds::code;
}

/// The kind of a package by its first bytes.
enum class Packing {
  none,
  readable,
  sealed  ///< archgrid cannot read it
};

/// First bytes of packages that archgrid cannot read: 7z, RPM, RAR, cabinet, SquashFS, lzip,
/// compress and xar.
constexpr std::array kSealed = {"7z\xbc\xaf\x27\x1c"sv,
                                "\xed\xab\xee\xdb"sv,
                                "Rar!\x1a\x07"sv,
                                "MSCF\0\0\0\0"sv,
                                "hsqs"sv,
                                "LZIP\1"sv,
                                "\x1f\x9d\x90"sv,
                                "xar!"sv};

Packing packing_of(std::string_view bytes) {
  if (archive::is_package(bytes)) return Packing::readable;
  for (const auto& first : kSealed) {
    if (starts_with(bytes, first)) return Packing::sealed;
  }
  // A self-extracting script: text followed by an archive.
  const bool is_sealed = starts_with(bytes, "#!") && bytes.find('\0') != std::string_view::npos;
  return is_sealed ? Packing::sealed : Packing::none;
}

Packing packing_of(const fs::path& file) {
  try {
    return packing_of(system::MappedFile(file).bytes());
  } catch (const std::runtime_error&) {
    return Packing::none;  // gone, or unreadable for this user
  }
}

/// Returns when FetchContent or ExternalProject last downloaded a file into `folder`, or nothing if
/// neither did.
std::optional<fs::file_time_type> last_download_into(const fs::path& folder) {
  std::optional<fs::file_time_type> last;
  std::error_code error;
  for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
    const auto name = at->path().filename().string();
    if (!ends_with(name, "-stamp")) continue;
    std::error_code none;
    const auto stamp = at->path() / (name.substr(0, name.size() - 5) + "download");
    const auto time = fs::last_write_time(stamp, none);
    if (!none && (!last || *last < time)) last = time;
  }
  return last;
}

/// Reports whether `file` is in sources that ExternalProject downloaded below `build`.
bool is_in_fetched_sources(const fs::path& build, const fs::path& file) {
  for (auto folder = (build / file).parent_path(); folder != build; folder = folder.parent_path()) {
    std::error_code error;
    auto stamps = folder;
    stamps += "-stamp";
    if (fs::is_directory(stamps, error)) return true;
  }
  return false;
}

/// Returns "foo_bar_2" for "Foo.Bar-2", the spelling of names of wheels.
std::string normalised(std::string name) {
  for (auto& letter : name) {
    const bool separates = letter == '-' || letter == '.';
    letter = separates ? '_' : static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
  }
  return name;
}

/// Recognises libraries of NVIDIA and packages of other projects by their names.
class Others {
 public:
  explicit Others(const OtherNames& names)
      : library_(names.library),
        package_(names.package),
        has_library_(!names.library.empty()),
        has_package_(!names.package.empty()),
        project_(normalised(names.project)) {}

  /// Returns the part of `path`, "a.tar!b.whl!c.so", that is left out: the outermost package of
  /// another project, or the NVIDIA library itself.
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
    const auto distribution = normalised(name.substr(0, name.find('-')));
    const bool is_own = !project_.empty() && distribution.find(project_) != std::string::npos;
    return !is_own && std::regex_match(distribution, package_);
  }

  std::regex library_;
  std::regex package_;
  bool has_library_ = false;
  bool has_package_ = false;
  std::string project_;
};

/// Maximum number of errors listed for one package; its audit reports the others.
constexpr std::size_t kMaxUnreadable = 64;

/// Size of a file in bytes, and their hash.
using Bytes = std::pair<std::size_t, std::uint64_t>;

Bytes bytes_of(const archive::Found& found) {
  const auto bytes = found.contents.bytes();
  return {bytes.size(), hash_of(bytes)};
}

/// A member of a package that is the project's own.
struct OwnMember {
  std::string path;
  Bytes bytes;
  Holds holds = Holds::nothing;
};

/// Sorts packages and their members.
class Survey {
 public:
  Survey(const fs::path& build, const OtherNames& names)
      : build_(fs::weakly_canonical(build)),
        others_(names),
        outputs_(outputs_in(build)),
        prebuilt_(build, {}, outputs_) {}

  /// Adds the file at `path` if it is a package.
  void add_package(const std::string& path) {
    const auto packing = packing_of(build_ / path);
    if (packing == Packing::none || !added_.insert(path).second) return;
    const bool made = is_made(path);
    if (!made && (is_download(build_ / path) || prebuilt_.is_downloaded(build_ / path))) return;
    if (!made && prebuilt_.is_older_than_build(build_ / path)) {
      note_older(path);
    } else if (packing == Packing::readable) {
      walk(path);
    } else if (made || !is_in_fetched_sources(build_, path)) {
      leave_out({fatbin::printable(path), "unreadable", "it is no archive of a known format"});
    }
  }

  /// Adds the file at `path`, which contains device code and may be of any kind.
  void add_installed(const std::string& path) {
    if (!added_.insert(path).second) return;
    const auto own = own_.size();
    if (!is_made(path) && prebuilt_.is_older_than_build(build_ / path)) {
      note_older(path);
    } else {
      walk(path);
    }
    const auto name = fatbin::printable(path);
    const auto& left_out = result_.unaudited;
    const bool known = own_.size() > own || (!left_out.empty() && left_out.back().path == name);
    if (!known) leave_out({name, "opaque"});
  }

  /// Leaves out members with the same bytes as a file of `artifacts` or of an earlier package.
  void leave_out_copies(const std::vector<std::string>& artifacts) {
    if (own_.empty()) return;
    std::set<Bytes> seen;
    for (const auto& artifact : artifacts) {
      archive::walk((build_ / artifact).string(), {}, [&](const archive::Found& found) {
        if (found.error.empty()) seen.insert(bytes_of(found));
      });
    }
    std::set<std::string> kept;
    std::vector<std::string> copies;
    for (const auto& member : own_) {
      const bool is_new = seen.insert(member.bytes).second;
      if (is_new || member.holds == Holds::loaded) {
        kept.insert(member.path);
      } else {
        copies.push_back(member.path);
      }
    }
    // A package may contain several members of one name, and audits identify members by name.
    for (const auto& path : copies) {
      if (kept.count(path) == 0) leave_out({path, "copy"});
    }
  }

  Packages result() && { return std::move(result_); }

 private:
  [[nodiscard]] bool is_made(const std::string& path) const { return outputs_.count(path) != 0; }

  /// Reports whether `file` was downloaded. The build made files that are newer than the last
  /// download into the folder.
  bool is_download(const fs::path& file) {
    const auto [known, is_new] = downloads_.try_emplace(file.parent_path());
    if (is_new) known->second = last_download_into(known->first);
    std::error_code error;
    return known->second && fs::last_write_time(file, error) <= *known->second && !error;
  }

  /// Adds the project's own members, and leaves out the others.
  void walk(const std::string& package) {
    const auto before = own_.size();
    std::size_t unreadable = 0;
    const bool fetched = !is_made(package) && is_in_fetched_sources(build_, package);
    visit(package, [&](const std::string& member, const archive::Found& found) {
      const auto other = others_.part_of(member);
      if (!found.error.empty()) {
        if (!other && !fetched && ++unreadable <= kMaxUnreadable) {
          leave_out({member, "unreadable", found.error});
        }
        return;
      }
      const auto holds = code_in(found);
      if (holds == Holds::nothing) return;
      if (other) leave_out(*other);
      if (!other) own_.push_back({member, bytes_of(found), holds});
    });
    if (own_.size() > before) result_.audited.push_back(package);
  }

  /// Notes a package that is older than the build if it contains device code of the project: its
  /// maker is unknown.
  void note_older(const std::string& package) {
    bool own = false;
    visit(package, [&](const std::string& member, const archive::Found& found) {
      own = own ||
            (found.error.empty() && code_in(found) != Holds::nothing && !others_.part_of(member));
    });
    if (own) leave_out({fatbin::printable(package), "unmade"});
  }

  /// Calls `with` with the name of each member, "dist.whl!lib.so", and the member.
  template <typename With>
  void visit(const std::string& package, With with) const {
    const auto path = (build_ / package).string();
    const auto root = fatbin::printable(path).size();
    archive::walk(path, {}, [&](const archive::Found& found) {
      with(fatbin::printable(package) + found.path.substr(root), found);
    });
  }

  void leave_out(const Unaudited& file) {
    const auto is_it = [&](const Unaudited& other) { return other.path == file.path; };
    auto& all = result_.unaudited;
    if (std::none_of(all.begin(), all.end(), is_it)) all.push_back(file);
  }

  fs::path build_;
  Others others_;
  std::set<std::string> outputs_;  ///< outputs of commands of the build
  Prebuilt prebuilt_;
  std::map<fs::path, std::optional<fs::file_time_type>> downloads_;  ///< last one by folder
  std::set<std::string> added_;
  std::vector<OwnMember> own_;
  Packages result_;
};

}  // namespace

Packages survey_packages(const fs::path& build, const Surveyed& surveyed, const OtherNames& names) {
  Survey survey(build, names);
  for (const auto& path : surveyed.files) survey.add_package(path);
  for (const auto& path : surveyed.installed) survey.add_installed(path);
  survey.leave_out_copies(surveyed.artifacts);
  return std::move(survey).result();
}

}  // namespace archgrid::cell
