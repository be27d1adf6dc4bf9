// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include "walk.hpp"

#include <algorithm>
#include <archgrid/system/files.hpp>
#include <filesystem>
#include <new>
#include <optional>
#include <set>
#include <utility>

#include "ar.hpp"
#include "decompress.hpp"
#include "keep.hpp"
#include "libarchive.hpp"

namespace archgrid::archive {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMaxShownName = 1024;
// Bytes of the chain of archive and member names that follows the path of the input.
constexpr std::size_t kLongestChain = 2048;
constexpr int kMaxRestarts = 64;
constexpr const char* kRestIsLost = "; what follows it in the archive was not read";

/// A file that is being read, and the file that names it.
struct OpenFile {
  system::FileId id;
  const OpenFile* outer = nullptr;
};

std::optional<OpenFile> identity_of(const fs::path& path, const OpenFile* outer) {
  const auto id = system::file_id(path);
  if (!id) return std::nullopt;
  return OpenFile{*id, outer};
}

bool is_open(const OpenFile& file) {
  for (const auto* other = file.outer; other != nullptr; other = other->outer) {
    if (other->id == file.id) return true;
  }
  return false;
}

/// A position in the walk.
struct Place {
  std::string path;
  std::size_t depth = 0;
  Contents kept;     ///< contents that the bytes here may be a part of
  fs::path on_disk;  ///< empty in an archive
  bool named = false;
  const OpenFile* open = nullptr;  ///< the innermost file that was opened
};

/// A stream that counts the bytes it has returned.
class CountedStream : public Stream {
 public:
  explicit CountedStream(Stream& stream) : stream_(stream) {}

  std::string_view next() override {
    const auto bytes = stream_.next();
    count_ += bytes.size();
    return bytes;
  }

  [[nodiscard]] std::uint64_t count() const { return count_; }

 private:
  Stream& stream_;
  std::uint64_t count_ = 0;
};

/// The result for the bytes at a place.
enum class Outcome {
  passed_over,
  file,
  archive,
  broken  ///< an archive that could not be read to its end; already reported
};

/// Ends the walk early; the reason is already reported.
struct Stopped {};

class Walker {
 public:
  /// `folder`: the only folder whose files may be read beside the input; empty: any.
  /// `only`: the path of the one file that is looked for; empty: all files.
  Walker(const Limits& limits, const Visitor& visit, std::uint64_t input, fs::path folder = {},
         Wants wants = {}, std::string only = {})
      : limits_(limits),
        visit_(visit),
        wants_(std::move(wants)),
        only_(std::move(only)),
        budget_(limits, input),
        input_(input),
        folder_(std::move(folder)) {}

  void walk(Place place) {
    root_ = place.path.size();
    const auto file = place.on_disk.empty() ? std::nullopt : identity_of(place.on_disk, nullptr);
    if (file) place.open = &*file;
    try {
      walk_kept(place);
    } catch (const Stopped&) {
      return;
    } catch (const std::bad_alloc&) {
      report(place.path, "there is not enough memory to read it");
    }
  }

 private:
  void report(const std::string& path, const std::string& error) {
    visit_({path, {}, error, input_});
  }

  /// Walks bytes that lie as a whole in a file or in memory.
  void walk_kept(const Place& place) {
    try {
      BytesStream stream(place.kept.bytes());
      if (walk_stream(place, stream) == Outcome::file) return;
    } catch (const Problem& problem) {
      report(place.path, problem.what());
    } catch (const Exhausted& exhausted) {
      stop(place.path, exhausted);
    }
    const auto change = place.kept.change();
    if (!change.empty()) report(place.path, change);
  }

  [[noreturn]] void stop(const std::string& path, const Exhausted& why) {
    report(path, why.what());
    throw Stopped();
  }

  Outcome walk_stream(const Place& place, Stream& stream) {
    PeekedStream bytes(stream, place.kept);
    const auto format = format_of(bytes.first());
    if (bytes.first().starts_with("#!")) return walk_script(place, bytes);
    if (format == Format::none) {
      const bool is_code = fatbin::may_contain_device_code(bytes.first());
      const bool is_metadata = !is_code && !place.named && wants_ && wants_(place.path);
      if (!place.named && !is_metadata && !is_code) return Outcome::passed_over;
      visit_({place.path, keep(bytes, place.kept, limits_), "", input_, is_metadata});
      return Outcome::file;
    }
    expect_shallow(place);
    const auto outcome = walk_archive(format, place, bytes);
    if (outcome == Outcome::archive) drain(bytes);
    return outcome;
  }

  void expect_shallow(const Place& place) const {
    if (place.depth < limits_.depth) return;
    throw Problem(fmt::format("archives lie in archives here, more than {} deep: unpack them",
                              limits_.depth));
  }

  /// Walks a script, which has to be read to its end to tell whether it is a zip, too.
  Outcome walk_script(const Place& place, Stream& stream) {
    Place whole = place;
    whole.kept = keep(stream, place.kept, limits_);
    if (is_script_with_zip(whole.kept.bytes())) {
      expect_shallow(place);
      return walk_zip(whole);
    }
    if (!place.named) return Outcome::passed_over;
    visit_({place.path, whole.kept, "", input_});
    return Outcome::file;
  }

  Outcome walk_archive(Format format, const Place& place, Stream& stream) {
    if (is_compressed(format)) return walk_compressed(format, place, stream);
    if (format == Format::zip) {
      Place whole = place;
      whole.kept = keep(stream, place.kept, limits_);
      return walk_zip(whole);
    }
    if (format == Format::tar) return walk_tar(place, stream);
    return walk_ar(place, stream, format == Format::thin_ar);
  }

  Outcome walk_compressed(Format format, const Place& place, Stream& stream) {
    try {
      const auto inner = decompressed(format, stream, budget_);
      const auto outcome =
          walk_stream({place.path, place.depth + 1, {}, {}, place.named, nullptr}, *inner);
      if (outcome == Outcome::archive) drain(*inner);
      return outcome == Outcome::file ? Outcome::archive : outcome;
    } catch (const Broken& broken) {
      throw Problem(broken.what());  // only this file is lost
    }
  }

  Outcome walk_tar(const Place& place, Stream& stream) {
    CountedStream counted(stream);
    try {
      auto tar = LibArchive::tar(counted, budget_);
      std::size_t through = 0;
      if (walk_members(place, tar, kRestIsLost, through) != End::whole) return Outcome::broken;
      expect_end_of_tar(tar.position(), counted.count());
      return Outcome::archive;
    } catch (const Broken& broken) {
      report(place.path, broken.what());
      return Outcome::broken;
    }
  }

  // Throws if a tar ends without zeros, as members may be missing then. Two blocks of zeros should
  // end a tar; one is accepted, as some programs write only one.
  static void expect_end_of_tar(std::uint64_t end, std::uint64_t size) {
    if (end < size) return;
    throw Problem(
        fmt::format("at offset {:#x}: the tar ends here without the zeros that end one: it was "
                    "cut, and members may be missing",
                    end));
  }

  enum class End { whole, in_header, in_member };

  /// Walks members up to the end, or to one that breaks the archive. `through` counts them.
  End walk_members(const Place& place, LibArchive& archive, const char* lost,
                   std::size_t& through) {
    Member member;
    while (true) {
      auto path = place.path;
      auto end = End::in_header;
      try {
        if (!archive.next(member)) return End::whole;
        ++through;
        end = End::in_member;
        if (!member.is_file) continue;
        path = path_of(place, member.name);
        if (!may_lead_to_only(path)) continue;
        if (!member.refusal.empty()) throw Problem(member.refusal);
        walk_stream({path, place.depth + 1, place.kept, {}, false, nullptr}, archive.data());
      } catch (const Broken& broken) {
        report(path, std::string(broken.what()) + (end == End::in_header ? kRestIsLost : lost));
        return end;
      } catch (const Problem& problem) {
        report(path, problem.what());
      } catch (const Exhausted& exhausted) {
        stop(path, exhausted);
      }
    }
  }

  // Walks a zip. libarchive stops at a damaged member, so the walk starts again behind it.
  Outcome walk_zip(const Place& place) {
    std::size_t through = 0;
    for (int restarts = 0; restarts < kMaxRestarts; ++restarts) {
      try {
        BytesStream stream(place.kept.bytes());
        auto zip = LibArchive::zip(stream, LibArchive::Zip::by_directory, budget_);
        Member member;
        for (std::size_t index = 0; index < through; ++index) zip.next(member);
        const auto end = walk_members(place, zip, "", through);
        if (end == End::whole) return Outcome::archive;
        if (end == End::in_header) return Outcome::broken;
      } catch (const Broken& broken) {
        if (through == 0) return walk_cut_zip(place);
        report(place.path, std::string(broken.what()) + kRestIsLost);
        return Outcome::broken;
      }
    }
    report(place.path,
           fmt::format("{} members are damaged; what follows them was not read", kMaxRestarts));
    return Outcome::broken;
  }

  Outcome walk_cut_zip(const Place& place) {
    report(place.path,
           "its list of members, at its end, is missing or damaged: is the file whole? Members are "
           "read as far as they can be");
    try {
      BytesStream stream(place.kept.bytes());
      auto zip = LibArchive::zip(stream, LibArchive::Zip::from_front, budget_);
      std::size_t through = 0;
      walk_members(place, zip, kRestIsLost, through);
    } catch (const Broken&) {
      return Outcome::broken;
    }
    return Outcome::broken;
  }

  Outcome walk_ar(const Place& place, Stream& stream, bool thin) {
    if (thin && place.on_disk.empty()) {
      throw Problem(
          "it is a thin archive, which only names files beside it: audit it where those are");
    }
    auto path = place.path;
    try {
      Ar archive(stream, thin, budget_);
      ArMember member;
      while (true) {
        path = place.path;
        if (!archive.next(member)) return Outcome::archive;
        path = path_of(place, member.name);
        if (!may_lead_to_only(path)) continue;
        Place inside{path, place.depth + 1, place.kept, {}, false, place.open};
        if (thin) inside.on_disk = place.on_disk.parent_path() / member.name;
        walk_ar_member(inside, archive, member);
      }
    } catch (const Broken& broken) {
      report(path, std::string(broken.what()) + kRestIsLost);
      return Outcome::broken;
    } catch (const Exhausted& exhausted) {
      stop(path, exhausted);
    }
  }

  /// Walks a member; one that lies on disk belongs to a thin archive.
  void walk_ar_member(const Place& place, Ar& archive, const ArMember& member) {
    try {
      if (place.on_disk.empty()) {
        walk_stream(place, archive.data());
      } else {
        walk_thin_member(place, member.origin);
      }
    } catch (const Broken&) {
      throw;
    } catch (const Problem& problem) {
      report(place.path, problem.what());
    }
  }

  void walk_thin_member(Place place, std::uint64_t origin) {
    const auto file = identity_of(place.on_disk, place.open);
    if (file && is_open(*file)) {
      throw Problem("the thin archive names itself, or an archive that names it: make it anew");
    }
    if (file) place.open = &*file;
    expect_within_folder(place.on_disk);
    if (file && !thin_members_.emplace(file->id, origin).second) return;
    try {
      place.kept = Contents(std::make_shared<const system::MappedFile>(place.on_disk));
    } catch (const std::runtime_error& error) {
      throw Problem(fmt::format("{}: the thin archive names the file {}", error.what(),
                                fatbin::printable(place.on_disk.string())));
    }
    if (file && thin_files_.insert(file->id).second) {
      input_ += place.kept.bytes().size();
    }
    if (origin == 0) return walk_kept(place);
    walk_member_at(place, origin);
  }

  // Throws if a thin archive names a file outside of the folder. As in folders, links to files are
  // followed, and links to folders are not.
  void expect_within_folder(const fs::path& member) const {
    if (folder_.empty()) return;
    std::error_code error;
    const auto folder = fs::weakly_canonical(folder_, error);
    const auto place = fs::weakly_canonical(member.parent_path(), error);
    const auto [end, rest] =
        std::mismatch(folder.begin(), folder.end(), place.begin(), place.end());
    if (!error && end == folder.end()) return;
    throw Problem(
        fmt::format("the thin archive names the file {}, outside of the folder {} that was asked "
                    "for: audit the "
                    "archive by its own name",
                    fatbin::printable(member.string()), fatbin::printable(folder_.string())));
  }

  /// Walks the member whose header lies at `origin` of an archive that a thin archive names.
  void walk_member_at(const Place& place, std::uint64_t origin) {
    try {
      BytesStream stream(place.kept.bytes());
      Ar archive(stream, false, budget_);
      ArMember member;
      archive.next(member);  // also reads the table of long names before it
      if (!archive.next_at(stream, origin, member)) throw Broken("it ends before that");
      budget_.add_bytes(archive.names_size());  // read again for each member
      walk_stream({path_of(place, member.name), place.depth + 1, place.kept, {}, false, nullptr},
                  archive.data());
    } catch (const Broken& broken) {
      throw Problem(fmt::format("the member at offset {:#x}, which a thin archive names: {}",
                                origin, broken.what()));
    }
  }

  /// Reports whether a member is the file that is looked for, or an archive that may contain it.
  [[nodiscard]] bool may_lead_to_only(const std::string& path) const {
    return only_.empty() || only_ == path || only_.starts_with(path + '!');
  }

  /// Returns the path to show. A chain of names that is too long is cut in its middle, and so are
  /// the chains that extend it.
  [[nodiscard]] std::string path_of(const Place& place, const std::string& name) const {
    const auto shown = name.size() > kMaxShownName ? name.substr(0, kMaxShownName) + "..." : name;
    const auto path = place.path + '!' + fatbin::printable(shown);
    const auto root = std::string_view(path).substr(0, root_);
    return std::string(root) + fatbin::shortened(path.substr(root_), kLongestChain);
  }

  const Limits& limits_;
  const Visitor& visit_;
  Wants wants_;
  std::string only_;
  Budget budget_;
  std::uint64_t input_ = 0;  ///< bytes of the input, and of files that thin archives name
  fs::path folder_;
  /// Members of thin archives that were read: file and offset in it.
  std::set<std::pair<system::FileId, std::uint64_t>> thin_members_;
  std::set<system::FileId> thin_files_;  ///< files counted in `input_`
  std::size_t root_ = 0;                 ///< length of the input's path
};

}  // namespace

void walk_file(const std::string& path, const std::string& folder, const Limits& limits,
               const Visitor& visit, const Wants& wants) {
  const auto shown = fatbin::printable(path);
  try {
    const auto file = std::make_shared<const system::MappedFile>(fs::path(path));
    Walker(limits, visit, file->bytes().size(), folder, wants)
        .walk({shown, 0, Contents(file), fs::path(path), folder.empty(), nullptr});
  } catch (const std::runtime_error& error) {
    visit({shown, {}, error.what()});
  }
}

std::optional<Contents> contents_of(const std::string& path, const Limits& limits) {
  std::optional<Contents> contents;
  const Visitor take = [&](const Found& found) {
    if (found.path == path && found.error.empty() && !contents) contents = found.contents;
  };
  std::error_code error;
  auto end = path.size();
  while (!fs::is_regular_file(path.substr(0, end), error)) {
    end = end == 0 ? std::string::npos : path.rfind('!', end - 1);
    if (end == std::string::npos) return std::nullopt;
  }
  const fs::path input = path.substr(0, end);
  try {
    const auto file = std::make_shared<const system::MappedFile>(input);
    Walker(limits, take, file->bytes().size(), {}, {}, path)
        .walk({input.string(), 0, Contents(file), input, true, nullptr});
  } catch (const std::runtime_error&) {
    return std::nullopt;
  }
  return contents;
}

void walk(const std::string& path, const Limits& limits, const Visitor& visit) {
  std::error_code error;
  if (!fs::is_directory(path, error)) return walk_file(path, "", limits, visit);
  for (const auto& file : files_in(path, visit)) walk_file(file, path, limits, visit);
}

void walk_bytes(std::string_view bytes, std::string name, const Limits& limits,
                const Visitor& visit) {
  Walker(limits, visit, bytes.size())
      .walk({std::move(name), 0, Contents(bytes), {}, true, nullptr});
}

}  // namespace archgrid::archive
