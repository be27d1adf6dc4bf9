// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Finds device code that gets into a linked file without the build's own commands, for example in
// an object that a script compiled. The origin of the code decides whether the cell answers for it.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <archgrid/archive.hpp>
#include <array>
#include <fstream>
#include <map>

#include "build_tree.hpp"
#include "prebuilt.hpp"
#include "words.hpp"

namespace archgrid::cell {
namespace {

namespace fs = std::filesystem;

/// An image that the cell may not contain, and the linked file that contains it.
struct Suspect {
  Code code;
  std::string artifact;
};
using Suspects = std::map<ImageKey, Suspect>;

/// Calls `visit` with `file`, or with each file in it.
template <typename Visit>
void read_code(const fs::path& file, const Visit& visit) {
  archive::walk(file.string(), {}, [&](const archive::Found& found) {
    if (found.error.empty()) visit(found);
  });
}

Suspects find_suspects(const Spec& spec, const fs::path& tree,
                       const std::vector<std::string>& artifacts, const std::vector<Unit>& units) {
  std::set<ImageKey> known;
  for (const auto& unit : units) {
    for (const auto& code : unit.code) known.insert(key_of(code));
  }
  const auto is_known = [&](const Code& code) { return known.count(key_of(code)) != 0; };
  Suspects suspects;
  for (const auto& artifact : artifacts) {
    read_code(tree / artifact, [&](const archive::Found& found) {
      const auto bytes = found.contents.bytes();
      const auto outline = code_of(bytes, found.path, fatbin::Detail::archs);
      if (std::all_of(outline.begin(), outline.end(), is_known)) return;
      for (const auto& code : code_of(bytes, found.path)) {
        if (is_known(code) || may_hold(spec, code)) continue;
        suspects.try_emplace(key_of(code), Suspect{code, artifact});
      }
    });
  }
  return suspects;
}

enum class Form { other, object, archive };

/// Returns whether `file` is an object, which a linker includes whole, or an archive.
Form form_of(const fs::path& file) {
  constexpr std::size_t kType = 16;  // offset of the type in an ELF file, two bytes
  constexpr char kRelocatable = 1;
  std::array<char, kType + 2> bytes = {};
  std::ifstream stream(file, std::ios::binary);
  stream.read(bytes.data(), bytes.size());
  const std::string_view text(bytes.data(), static_cast<std::size_t>(stream.gcount()));
  if (starts_with(text, "!<arch>\n") || starts_with(text, "!<thin>\n")) return Form::archive;
  const bool elf = text.size() == bytes.size() && starts_with(text, "\177ELF");
  return elf && text[kType] + text[kType + 1] == kRelocatable ? Form::object : Form::other;
}

/// Lists the objects and static libraries below `folder`. Does not follow links or enter folders
/// for which `skips` returns true.
template <typename Skips>
std::vector<fs::path> linkable_files_in(const fs::path& folder, const Skips& skips) {
  std::vector<fs::path> files;
  std::error_code error;
  constexpr auto kOptions = fs::directory_options::skip_permission_denied;
  for (fs::recursive_directory_iterator at(folder, kOptions, error), end; !error && at != end;
       at.increment(error)) {
    std::error_code none;
    const auto& path = at->path();
    if (at->is_symlink(none)) continue;
    if (at->is_directory(none)) {
      if (path.filename() == ".git" || skips(path)) at.disable_recursion_pending();
    } else if (at->is_regular_file(none) && form_of(path) != Form::other) {
      files.push_back(path);
    }
  }
  std::sort(files.begin(), files.end());
  return files;
}

bool skips_nothing(const fs::path& /*folder*/) {
  return false;
}

/// Collects the objects and static libraries outside of a tree that commands name.
class NamedFiles {
 public:
  NamedFiles(fs::path tree, const std::string& library_path)
      : tree_(std::move(tree)), system_(system_library_folders(library_path)) {}

  void add(const Command& command) {
    std::vector<fs::path> folders;
    std::vector<std::string> libraries;
    const auto place = tree_ / command.folder;
    for (std::size_t index = 0; index < command.words.size(); ++index) {
      const auto& word = command.words[index];
      add_file(place / word);
      for (const auto& part : split(word, ",")) {  // also splits -Wl,--whole-archive,libx.a
        const bool alone = part.size() == 2 && index + 1 < command.words.size();
        const auto value =
            alone ? command.words[index + 1] : part.substr(std::min<std::size_t>(2, part.size()));
        if (starts_with(part, "-L")) {
          folders.push_back(place / value);
        } else if (starts_with(part, "-l")) {
          libraries.push_back(value[0] == ':' ? value.substr(1) : "lib" + value + ".a");
        } else if (part.size() < word.size()) {
          add_file(place / part);
        }
      }
    }
    for (const auto& library : libraries) {
      for (const auto& folder : folders) add_file(folder / library);
      for (const auto& folder : system_) add_file(folder / library);
    }
  }

  [[nodiscard]] const std::set<fs::path>& files() const { return files_; }

 private:
  void add_file(const fs::path& path) {
    std::error_code error;
    if (!seen_.insert(path).second || !fs::is_regular_file(path, error)) return;
    const auto real = fs::canonical(path, error);
    if (!error && !is_below(real, tree_) && form_of(real) != Form::other) files_.insert(real);
  }

  fs::path tree_;
  std::vector<fs::path> system_;
  std::set<fs::path> seen_;
  std::set<fs::path> files_;
};

/// A file of the tree that contains suspects and is not known to be prebuilt.
struct Holder {
  Unit unit;
  bool made = false;  ///< an object, so a command compiled it
};

class OriginSearch {
 public:
  OriginSearch(const Surroundings& place, const std::vector<Command>& commands, Suspects suspects)
      : root_(place.root),
        tree_(fs::weakly_canonical(place.build)),
        outputs_(outputs_in(tree_)),
        prebuilt_(tree_, commands, outputs_),
        suspects_(std::move(suspects)) {
    std::error_code error;
    configured_ = fs::last_write_time(tree_ / "build.ninja", error);
  }

  /// Classifies the objects and static libraries of the tree that no known command makes.
  void search_tree(const std::vector<std::string>& artifacts) {
    for (const auto& file : linkable_files_in(tree_, skips_nothing)) {
      const auto name = file.lexically_relative(tree_).string();
      if (outputs_.count(name) != 0 || has(artifacts, name)) continue;
      const auto code = all_code_of(file);
      if (!holds_suspect(code)) continue;
      if (prebuilt_.contains(file) || is_fetched(file, name)) {
        drop(code);
      } else {
        holders_.push_back({{name, {}, code}, form_of(file) == Form::object});
      }
    }
  }

  void drop_named(const std::vector<Command>& commands, const std::string& library_path) {
    if (suspects_.empty()) return;
    NamedFiles named(tree_, library_path);
    for (const auto& command : commands) named.add(command);
    for (const auto& command : lines_of_links(tree_)) named.add(command);
    drop_files(named.files());
  }

  void drop_toolkit() {
    if (suspects_.empty()) return;
    std::set<fs::path> files;
    std::error_code error;
    for (const auto* folder : {"lib64", "lib", "targets"}) {
      const auto real = fs::canonical(root_ / folder, error);
      if (error) continue;
      const auto found = linkable_files_in(real, skips_nothing);
      files.insert(found.begin(), found.end());
    }
    drop_files(files);
  }

  void drop_sources(const fs::path& source) {
    if (suspects_.empty() || source.empty()) return;
    const auto skips_builds = [&](const fs::path& folder) { return is_build_tree(folder, tree_); };
    std::set<fs::path> files;
    for (const auto& file : linkable_files_in(fs::weakly_canonical(source), skips_builds)) {
      if (prebuilt_.is_older_than_build(file)) files.insert(file);
    }
    drop_files(files);
  }

  /// Judges the remaining suspects. Call it once.
  Linked result() {
    Linked linked;
    for (const auto& holder : holders_) {
      if (!holder.made || !holds_suspect(holder.unit.code)) continue;
      linked.made.push_back(holder.unit);
    }
    for (const auto& unit : linked.made) drop(unit.code);
    for (const auto& holder : holders_) {
      if (!holds_suspect(holder.unit.code)) continue;
      linked.notes.push_back(
          fmt::format("{}, of {}, which no command of the build is known to make",
                      describe(holder.unit.code), holder.unit.output));
      drop(holder.unit.code);
    }
    while (!suspects_.empty()) {
      std::vector<Code> code;
      const auto artifact = suspects_.begin()->second.artifact;
      for (const auto& [key, suspect] : suspects_) {
        if (suspect.artifact == artifact) code.push_back(suspect.code);
      }
      linked.notes.push_back(fmt::format(
          "{}, of which no file of the build or of its sources is the origin", describe(code)));
      drop(code);
    }
    return linked;
  }

 private:
  static std::vector<Code> all_code_of(const fs::path& file) {
    std::vector<Code> all;
    read_code(file, [&](const archive::Found& found) {
      const auto code = code_of(found.contents.bytes(), found.path);
      all.insert(all.end(), code.begin(), code.end());
    });
    return all;
  }

  /// Reports whether FetchContent put `file` there, possibly when the cell was configured again.
  [[nodiscard]] bool is_fetched(const fs::path& file, std::string_view name) const {
    const auto parts = split(name, "/");
    if (parts.size() <= 2 || parts[0] != "_deps" || !ends_with(parts[1], "-src")) return false;
    std::error_code error;
    return fs::last_write_time(file, error) <= configured_ && !error;
  }

  [[nodiscard]] bool holds_suspect(const std::vector<Code>& all) const {
    return std::any_of(all.begin(), all.end(),
                       [&](const Code& code) { return suspects_.count(key_of(code)) != 0; });
  }

  void drop(const std::vector<Code>& all) {
    for (const auto& code : all) suspects_.erase(key_of(code));
  }

  void drop_files(const std::set<fs::path>& files) {
    for (const auto& file : files) {
      if (suspects_.empty()) return;
      read_code(file, [&](const archive::Found& found) {
        drop(code_of(found.contents.bytes(), found.path, fatbin::Detail::archs));
      });
    }
  }

  /// Returns "libx.so holds device code for 75 80 by CUDA 13.0" for the suspects in `all`.
  [[nodiscard]] std::string describe(const std::vector<Code>& all) const {
    std::string artifact;
    std::set<std::string> archs;
    std::set<std::string> toolkits;
    for (const auto& code : all) {
      const auto suspect = suspects_.find(key_of(code));
      if (suspect == suspects_.end()) continue;
      artifact = suspect->second.artifact;
      archs.insert(code.arch.text());
      if (!code.toolkit.empty()) toolkits.insert(code.toolkit);
    }
    auto text = fmt::format("{} holds device code for {}", artifact, fmt::join(archs, " "));
    if (!toolkits.empty()) text += fmt::format(" by CUDA {}", fmt::join(toolkits, " and "));
    return text;
  }

  fs::path root_;
  fs::path tree_;
  std::set<std::string> outputs_;
  Prebuilt prebuilt_;
  Suspects suspects_;
  fs::file_time_type configured_;  ///< time of the last configuration
  std::vector<Holder> holders_;
};

}  // namespace

Linked linked_code(const Spec& spec, const Surroundings& place, const fs::path& source,
                   const std::vector<std::string>& artifacts, const std::vector<Unit>& units,
                   const std::vector<Command>& commands) {
  auto suspects = find_suspects(spec, fs::weakly_canonical(place.build), artifacts, units);
  if (suspects.empty()) return {};
  OriginSearch search(place, commands, std::move(suspects));
  search.search_tree(artifacts);
  search.drop_named(commands, place.library_path);
  search.drop_toolkit();
  search.drop_sources(source);
  return search.result();
}

}  // namespace archgrid::cell
