// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <archgrid/project/arch_lists.hpp>
#include <array>
#include <fstream>
#include <iterator>
#include <regex>
#include <set>
#include <stdexcept>

#include "computed_archs.hpp"
#include "late_archs.hpp"

namespace archgrid::project {
namespace {

namespace fs = std::filesystem;
using promises::Code;
using promises::SpelledArch;

constexpr std::string_view kIgnore = "archgrid: ignore";
constexpr std::size_t kLargestFile = 1 << 20;

/// Reads "8.6+PTX" as 86 with both kinds of code, and other spellings as read_known_arch().
std::optional<SpelledArch> read_item(std::string word) {
  constexpr std::string_view kPtx = "+PTX";
  if (word.size() > kPtx.size() && word.ends_with(kPtx)) word.resize(word.size() - kPtx.size());
  // One digit or a number without a GPU is no arch.
  if (word.size() < 2) return std::nullopt;
  return promises::read_known_arch(word);
}

}  // namespace

std::string without_comments(std::string_view text) {
  std::string kept(text);
  bool is_next = false;
  for (std::size_t begin = 0; begin < kept.size();) {
    auto end = kept.find('\n', begin);
    if (end == std::string::npos) end = kept.size();
    const std::string_view line = std::string_view(kept).substr(begin, end - begin);
    const bool is_marked = line.find(kIgnore) != std::string_view::npos;
    const auto first = std::min(line.find_first_not_of(" \t"), line.size());
    const bool is_comment = line.substr(first, 1) == "#" || line.substr(first, 2) == "//";
    const bool is_data = line.size() > kMaxLine;
    if (is_marked || is_comment || is_next || is_data) {
      std::fill(kept.begin() + static_cast<std::ptrdiff_t>(begin),
                kept.begin() + static_cast<std::ptrdiff_t>(end), is_data ? '#' : ' ');
    }
    is_next = is_marked && is_comment;
    begin = end + 1;
  }
  return kept;
}

std::vector<SpelledArch> read_items(std::string_view text, std::size_t at) {
  constexpr std::string_view kBetween = " \t\r\n;,\"'[]\\|";
  constexpr std::string_view kEnds = ")}>#&";
  std::vector<SpelledArch> archs;
  while (at < text.size()) {
    if (kBetween.find(text[at]) != std::string_view::npos) {
      ++at;
      continue;
    }
    if (kEnds.find(text[at]) != std::string_view::npos) break;
    auto end = at;
    while (end < text.size() && kBetween.find(text[end]) == std::string_view::npos &&
           kEnds.find(text[end]) == std::string_view::npos) {
      ++end;
    }
    const auto arch = read_item(std::string(text.substr(at, end - at)));
    if (!arch) break;
    archs.push_back(*arch);
    at = end;
  }
  return archs;
}

namespace {

/// Returns the number of the line at a place.
std::size_t line_at(std::string_view text, std::size_t at) {
  const auto end = text.begin() + static_cast<std::ptrdiff_t>(at);
  return static_cast<std::size_t>(1 + std::count(text.begin(), end, '\n'));
}

/// Collects lists by name.
class Lists {
 public:
  Lists(std::string_view path, std::string_view text) : path_(path), text_(text) {}

  void add(const std::string& name, std::size_t at, const std::vector<SpelledArch>& archs) {
    if (archs.empty()) return;
    auto found = std::find_if(lists_.begin(), lists_.end(),
                              [&](const ArchList& list) { return list.name == name; });
    if (found == lists_.end()) {
      lists_.push_back({std::string(path_), line_at(text_, at), name, {}, {}, {}});
      found = std::prev(lists_.end());
    } else if (const auto line = line_at(text_, at);
               line > std::max(found->line, last_line_of(*found))) {
      found->more_lines.push_back(line);
    }
    for (const auto& arch : archs) {
      const bool is_known =
          std::any_of(found->archs.begin(), found->archs.end(),
                      [&](const SpelledArch& other) { return other.text() == arch.text(); });
      if (!is_known) found->archs.push_back(arch);
    }
  }

  std::vector<ArchList> take() { return std::move(lists_); }

 private:
  static std::size_t last_line_of(const ArchList& list) {
    return list.more_lines.empty() ? 0 : list.more_lines.back();
  }

  std::string_view path_;
  std::string_view text_;
  std::vector<ArchList> lists_;
};

/// Reports whether the name says that one arch is an end of a range: LATEST_CUDA_ARCHITECTURE.
bool is_bound(const std::string& variable) {
  static const std::regex bound(
      "(?:^|_)(?:MIN|MAX|MINIMUM|MAXIMUM|EARLIEST|LATEST|OLDEST|NEWEST|LOWEST|HIGHEST)(?:_|$)",
      std::regex::icase);
  return std::regex_search(variable, bound);
}

/// Adds the lists of variables and options whose name has ARCH behind another word: a list follows.
void add_variables(const std::string& text, Lists& lists) {
  static const std::regex name(
      "\\b([A-Za-z_][A-Za-z0-9_]*(?:ARCH|arch)[A-Za-z0-9_]*)(?::STRING)?[\"']?\\]?[ \\t]*"
      "(?::|=|\\?=|\\+=|:=|,|[ \\t\\r\\n])");
  for (std::sregex_iterator at(text.begin(), text.end(), name); at != std::sregex_iterator();
       ++at) {
    const auto place = static_cast<std::size_t>(at->position());
    std::string variable = (*at)[1];
    const bool is_definition = place > 0 && text[place - 1] == '-' && variable.front() == 'D';
    if (is_definition) variable.erase(0, 1);
    if (variable.starts_with("__")) continue;  // __CUDA_ARCH__
    // std::regex would need stack for each blank.
    const auto begin =
        text.find_first_not_of(" \t\r\n\"'[(", place + static_cast<std::size_t>(at->length()));
    const auto archs = read_items(text, begin);
    if (archs.size() > 1 || !is_bound(variable)) lists.add(variable, place, archs);
  }
}

/// Adds what -gencode and -arch of nvcc name.
void add_options(const std::string& text, Lists& lists) {
  static const std::regex option(
      "(?:code=\\[?\"?|-arch[= ]|--gpu-architecture[= ]|-code[= ])((?:sm|compute)_[0-9]+[af]?)");
  for (std::sregex_iterator at(text.begin(), text.end(), option); at != std::sregex_iterator();
       ++at) {
    const auto arch = read_item((*at)[1]);
    if (arch) lists.add("-gencode", static_cast<std::size_t>(at->position()), {*arch});
  }
}

/// Returns the toolkit of images such as nvidia/cuda:12.4.1-devel, if all are of one.
std::optional<coverage::Version> toolkit_of(const std::string& text) {
  static const std::regex image("nvidia/cuda:([0-9]+\\.[0-9]+)");
  std::set<std::string> found;
  for (std::sregex_iterator at(text.begin(), text.end(), image); at != std::sregex_iterator();
       ++at) {
    found.insert((*at)[1]);
  }
  return found.size() == 1 ? coverage::parse_version(*found.begin()) : std::nullopt;
}

bool is_build_file(const fs::path& path) {
  constexpr std::array<std::string_view, 9> kEndings = {".cmake", ".yml", ".yaml",  ".sh",  ".toml",
                                                        ".cfg",   ".bzl", ".bazel", ".bash"};
  const auto name = path.filename().string();
  const auto ending = path.extension().string();
  if (name == "CMakeLists.txt" || name == "setup.py" || name == "meson.build") return true;
  if (name == "CMakePresets.json" || name.starts_with("Dockerfile")) return true;
  if (is_makefile(path) || name.ends_with(".Dockerfile")) return true;
  return std::find(kEndings.begin(), kEndings.end(), ending) != kEndings.end();
}

bool is_left_out(const fs::path& folder) {
  static const std::set<std::string> kOthers = {
      "third_party", "3rdparty", "thirdparty",   "external",   "submodules", "extern",
      "deps",        "_deps",    "node_modules", "test",       "tests",      "testing",
      "examples",    "example",  "samples",      "benchmarks", "benchmark"};
  const auto name = folder.filename().string();
  std::error_code error;
  if (name.starts_with(".")) return name != ".github" && name != ".gitlab" && name != ".ci";
  return kOthers.count(name) != 0 || fs::exists(folder / "CMakeCache.txt", error) ||
         fs::exists(folder / "pyvenv.cfg", error) || fs::exists(folder / ".git", error);
}

std::string read_text(const fs::path& path) {
  std::ifstream stream(path, std::ios::binary);
  std::string text((std::istreambuf_iterator<char>(stream)), {});
  if (!stream) throw std::runtime_error(path.string() + ": cannot be read");
  return text;
}

}  // namespace

std::vector<ArchList> arch_lists_in(std::string_view path, std::string_view text) {
  const auto kept = without_comments(text);
  Lists lists(path, kept);
  add_variables(kept, lists);
  add_options(kept, lists);
  for (const auto& list : computed_archs_in(kept).lists) lists.add(list.name, list.at, list.archs);
  auto found = lists.take();
  const auto toolkit = toolkit_of(kept);
  for (auto& list : found) {
    list.toolkit = toolkit;
    std::stable_sort(list.archs.begin(), list.archs.end(),
                     [](const SpelledArch& left, const SpelledArch& right) {
                       return left.arch.number < right.arch.number;
                     });
  }
  std::sort(found.begin(), found.end(),
            [](const ArchList& left, const ArchList& right) { return left.line < right.line; });
  return found;
}

bool is_makefile(const fs::path& path) {
  const auto name = path.filename().string();
  return name.starts_with("Makefile") || name == "makefile" || name == "GNUmakefile" ||
         path.extension() == ".mk";
}

std::optional<UnreadArchs> unread_archs_in(std::string_view path, std::string_view text) {
  if (!is_makefile(fs::path(path))) return std::nullopt;
  const auto kept = without_comments(text);
  const auto place = computed_archs_in(kept).unread;
  if (!place) return std::nullopt;
  return UnreadArchs{std::string(path), line_at(kept, *place)};
}

std::vector<BuildFile> read_build_files(const fs::path& folder) {
  std::vector<fs::path> paths;
  for (auto at = fs::recursive_directory_iterator(folder); at != fs::recursive_directory_iterator();
       ++at) {
    if (at->is_symlink()) continue;
    if (at->is_directory()) {
      if (is_left_out(at->path())) at.disable_recursion_pending();
    } else if (at->is_regular_file() && is_build_file(at->path()) &&
               at->file_size() <= kLargestFile) {
      paths.push_back(at->path());
    }
  }
  std::sort(paths.begin(), paths.end());
  std::vector<BuildFile> files;
  for (const auto& path : paths) {
    files.push_back({path.lexically_relative(folder).generic_string(), read_text(path)});
  }
  return files;
}

std::vector<LateArchs> find_late_archs(const std::vector<BuildFile>& files) {
  std::string_view top;
  for (const auto& file : files) {
    if (file.path == "CMakeLists.txt") top = file.text;
  }
  std::vector<LateArchs> late;
  for (const auto& file : files) {
    const auto path = fs::path(file.path);
    if (path.filename() != "CMakeLists.txt" && path.extension() != ".cmake") continue;
    auto found = late_archs_in(file.path, without_comments(file.text), top);
    std::move(found.begin(), found.end(), std::back_inserter(late));
  }
  return late;
}

ProjectArchs project_archs_in(const std::vector<BuildFile>& files) {
  ProjectArchs archs;
  for (const auto& file : files) {
    auto found = arch_lists_in(file.path, file.text);
    std::move(found.begin(), found.end(), std::back_inserter(archs.lists));
    if (auto unread = unread_archs_in(file.path, file.text)) {
      archs.unread.push_back(std::move(*unread));
    }
  }
  archs.late = find_late_archs(files);
  return archs;
}

ProjectArchs find_project_archs(const fs::path& folder) {
  return project_archs_in(read_build_files(folder));
}

}  // namespace archgrid::project
