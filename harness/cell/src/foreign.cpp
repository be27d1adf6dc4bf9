// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <archgrid/cell.hpp>
#include <array>
#include <fstream>
#include <iterator>

#include "words.hpp"

namespace archgrid::cell {
namespace {

namespace fs = std::filesystem;

struct Component {
  std::string_view prefix;   ///< start of a library's name after "lib", and of its headers' names
  std::string_view library;  ///< "" if the matrix file cannot ask for it
};

/// The parts of a toolkit that are linked or included. The driver's own libraries (libcuda,
/// libnvidia-ml) are not part of a toolkit, wherever their stubs are.
constexpr std::array<Component, 17> kComponents = {{{"cudart", ""},
                                                    {"cudadevrt", ""},
                                                    {"cublas", "cublas"},
                                                    {"nvblas", "cublas"},
                                                    {"cufft", "cufft"},
                                                    {"curand", "curand"},
                                                    {"cusolver", "cusolver"},
                                                    {"cusparse", "cusparse"},
                                                    {"npp", "npp"},
                                                    {"nvjpeg", "nvjpeg"},
                                                    {"nvrtc", "nvrtc"},
                                                    {"nvJitLink", "nvjitlink"},
                                                    {"nvptxcompiler", ""},
                                                    {"nvPTXCompiler", ""},
                                                    {"nvfatbin", ""},
                                                    {"cupti", "cupti"},
                                                    {"culibos", ""}}};

const Component* component_of(std::string_view name) {
  for (const auto& component : kComponents) {
    if (starts_with(name, component.prefix)) return &component;
  }
  return nullptr;
}

bool is_runtime(std::string_view name) {
  return name == "cudart" || name == "cudart_static" || name == "cudadevrt";
}

/// Returns "cublasLt" for "libcublasLt.so.13" and "libcublasLt_static.a"; empty for other files.
std::string_view library_name(std::string_view file) {
  if (!starts_with(file, "lib")) return {};
  file.remove_prefix(3);
  const auto dot = file.find('.');
  if (dot == std::string_view::npos) return {};
  const auto kind = file.substr(dot);
  const bool library = kind == ".a" || kind == ".so" || starts_with(kind, ".so.");
  return library ? file.substr(0, dot) : std::string_view();
}

/// Returns the component of a header below a toolkit's include folder, or nullptr if the header is
/// not NVIDIA's: headers of other projects may be there, too (/usr/include, a conda environment).
const Component* header_component(const fs::path& inside) {
  static constexpr Component kToolkit = {"", ""};
  static constexpr Component kNvtx = {"", "nvtx"};
  const auto first = inside.begin()->string();
  if (first == "nvtx3") return &kNvtx;
  for (const auto* folder : {"thrust", "cub", "cuda", "nv", "crt", "cooperative_groups", "cccl"}) {
    if (first == folder) return &kToolkit;
  }
  if (std::next(inside.begin()) != inside.end()) return nullptr;
  const auto name = inside.filename().string();
  if (name == "cuda.h" || starts_with(name, "cuda_") || name == "cudart_platform.h" ||
      name == "driver_types.h" || name == "vector_types.h") {
    return &kToolkit;
  }
  return component_of(name);
}

bool is_toolkit(const fs::path& folder) {
  std::error_code error;
  for (const auto* mark : {"bin/nvcc", "include/cuda_runtime_api.h", "include/cuda.h"}) {
    if (fs::exists(folder / mark, error)) return true;
  }
  return false;
}

class Places {
 public:
  explicit Places(const Surroundings& place) : place_(place) {
    std::error_code error;
    root_ = fs::weakly_canonical(place.root, error);
    build_ = fs::weakly_canonical(place.build, error);
  }

  /// Returns the folder of the toolkit that contains the real path `file`; empty if none does.
  const fs::path& toolkit_of(const fs::path& file) {
    const auto folder = file.parent_path();
    const auto [found, fresh] = known_.try_emplace(folder.string());
    if (fresh) found->second = search(folder);
    return found->second;
  }

  [[nodiscard]] bool is_own(const fs::path& file, const fs::path& toolkit) const {
    if (is_below(file, root_)) {
      // Another toolkit may be inside this one: CUDA in /usr/local, the cell's own in /usr.
      return toolkit.empty() || toolkit == root_ || !fs::exists(toolkit / "bin" / "nvcc");
    }
    if (toolkit.empty()) return false;
    std::error_code error;  // a toolkit may consist of links into another folder
    return fs::equivalent(root_ / file.lexically_relative(toolkit), file, error);
  }

  /// Reports whether the build made or copied a file below its tree that is not part of a toolkit
  /// there.
  [[nodiscard]] bool is_of_build(const fs::path& file, const fs::path& toolkit) const {
    return is_below(file, build_) && !is_below(toolkit, build_);
  }

  /// Returns the same part of the cell's own toolkit; empty if that lacks it. `file` is in the
  /// folder `toolkit`, or in no toolkit.
  [[nodiscard]] fs::path own_part(const fs::path& file, const fs::path& toolkit) const {
    std::error_code error;
    if (!toolkit.empty()) {
      auto same = place_.root / file.lexically_relative(toolkit);
      if (fs::exists(same, error)) return same;
    }
    const auto name = file.filename().string();
    const auto stem = library_name(name);
    for (const auto* folder : {"bin", "include", "lib64", "lib", "targets/x86_64-linux/lib",
                               "targets/sbsa-linux/lib", "targets/x86_64-linux/include"}) {
      auto part = place_.root / folder / name;
      if (fs::exists(part, error)) return part;
      // libcublas.so.12 may be libcublas.so.13 in the other toolkit.
      part = place_.root / folder / fmt::format("lib{}.so", stem);
      if (!stem.empty() && fs::exists(part, error)) return part;
    }
    return {};
  }

  [[nodiscard]] fs::path absolute(const fs::path& path, const fs::path& folder) const {
    return place_.build / folder / path;
  }

 private:
  static fs::path search(const fs::path& folder) {
    for (auto root = folder; root.has_relative_path(); root = root.parent_path()) {
      const auto inside = folder.lexically_relative(root);
      const auto first = inside.begin()->string();
      const bool part = first == "include" || starts_with(first, "lib") || first == "targets" ||
                        first == "extras" || first == "bin";
      if (part && is_toolkit(root)) return root;
    }
    return {};
  }

  const Surroundings& place_;
  fs::path root_;
  fs::path build_;
  std::map<std::string, fs::path> known_;
};

/// Collects foreign files, each once.
class Finder {
 public:
  explicit Finder(const Surroundings& place) : places_(place), place_(place) {}

  void add_tool(const fs::path& path) { add(path, {}, true); }

  void add_library(const fs::path& path) {
    const auto name = path.filename().string();
    const auto* component = component_of(library_name(name));
    if (component != nullptr) {
      add(path, std::string(component->library), is_runtime(library_name(name)));
    }
  }

  /// Adds the file that -l`name` selects, in the linker's search order.
  void add_named(std::string_view name, const std::vector<fs::path>& folders) {
    if (component_of(name) == nullptr) return;
    for (const auto& folder : folders) {
      for (const auto* kind : {".so", ".a"}) {
        const auto path = folder / fmt::format("lib{}{}", name, kind);
        std::error_code error;
        if (fs::exists(path, error)) return add_library(path);
      }
    }
  }

  void add_header(const fs::path& path) {
    std::error_code error;
    const auto real = fs::canonical(path, error);
    if (error) return;
    const auto& toolkit = places_.toolkit_of(real);
    if (toolkit.empty()) return;
    const auto inside = real.lexically_relative(toolkit);
    auto part = inside.begin();
    while (part != inside.end() && *part != "include") ++part;
    if (part == inside.end() || ++part == inside.end()) return;
    fs::path rest;
    for (; part != inside.end(); ++part) rest /= *part;
    const auto* component = header_component(rest);
    if (component != nullptr) add(path, std::string(component->library), false);
  }

  [[nodiscard]] fs::path absolute(const fs::path& path, const fs::path& folder) const {
    return places_.absolute(path, folder);
  }

  [[nodiscard]] std::vector<fs::path> default_folders(bool by_nvcc) const {
    std::vector<fs::path> folders;
    if (by_nvcc) folders = {place_.root / "lib64", place_.root / "targets/x86_64-linux/lib"};
    const auto system = system_library_folders(place_.library_path);
    folders.insert(folders.end(), system.begin(), system.end());
    return folders;
  }

  std::vector<Foreign> found() { return std::move(found_); }

 private:
  /// Adds the file if it is foreign. A file outside all toolkits is foreign only if `strict`, which
  /// is for the runtime and nvcc.
  void add(const fs::path& path, std::string library, bool strict) {
    std::error_code error;
    const auto real = fs::canonical(path, error);
    if (error) return;
    const auto& toolkit = places_.toolkit_of(real);
    if ((toolkit.empty() && !strict) || places_.is_own(real, toolkit)) return;
    if (!is_nvcc(path.string()) && places_.is_of_build(real, toolkit)) return;
    const auto text = path.lexically_normal().string();
    const bool known = std::any_of(found_.begin(), found_.end(),
                                   [&](const Foreign& foreign) { return foreign.path == text; });
    if (known) return;
    found_.push_back({text, std::move(library), places_.own_part(real, toolkit).string()});
  }

  Places places_;
  const Surroundings& place_;
  std::vector<Foreign> found_;
};

void search_command(const Command& command, Finder& finder) {
  const auto& words = command.words;
  const bool by_nvcc = std::any_of(words.begin(), words.end(), is_nvcc);
  std::vector<fs::path> folders;
  std::vector<std::string> names;
  for (std::size_t index = 0; index < words.size(); ++index) {
    const auto& word = words[index];
    const auto value = [&] {
      return word.size() > 2 ? word.substr(2) : index + 1 < words.size() ? words[index + 1] : "";
    };
    if (starts_with(word, "-L")) {
      folders.push_back(finder.absolute(value(), command.folder));
    } else if (starts_with(word, "-l") && !starts_with(word, "-lineinfo")) {
      names.push_back(value());
    } else if (is_nvcc(word) && word.find('/') != std::string::npos) {
      finder.add_tool(finder.absolute(word, command.folder));
    } else if (word[0] != '-' && !library_name(fs::path(word).filename().string()).empty()) {
      finder.add_library(finder.absolute(word, command.folder));
    }
  }
  if (names.empty()) return;
  const auto defaults = finder.default_folders(by_nvcc);
  folders.insert(folders.end(), defaults.begin(), defaults.end());
  for (const auto& name : names) finder.add_named(name, folders);
}

/// Returns the nvcc of a FindCUDA command, which runs a script that calls it; empty for other
/// commands.
std::string nvcc_of_find_cuda(const std::vector<std::string>& words) {
  const bool generates = std::any_of(words.begin(), words.end(), [](const std::string& word) {
    return starts_with(word, "generated_file:STRING=");
  });
  const auto script = std::find(words.begin(), words.end(), "-P");
  if (!generates || words.end() - script < 2) return {};
  constexpr std::string_view kSet = "set(CUDA_NVCC_EXECUTABLE \"";
  std::ifstream stream(*(script + 1));
  for (std::string line; std::getline(stream, line);) {
    if (!starts_with(line, kSet)) continue;
    return line.substr(kSet.size(), line.find('"', kSet.size()) - kSet.size());
  }
  return {};
}

}  // namespace

std::vector<Foreign> foreign_tools(const std::vector<Command>& commands,
                                   const Surroundings& place) {
  Finder finder(place);
  for (const auto& command : commands) {
    const auto nvcc = nvcc_of_find_cuda(command.words);
    if (!nvcc.empty()) finder.add_tool(nvcc);
    search_command(command, finder);
  }
  return finder.found();
}

std::vector<Foreign> foreign_headers(std::string_view deps, const Surroundings& place) {
  Finder finder(place);
  std::set<std::string_view> seen;
  for (std::size_t at = 0; at < deps.size();) {
    const auto end = std::min(deps.find('\n', at), deps.size());
    const auto line = deps.substr(at, end - at);
    at = end + 1;
    const auto begin = line.find_first_not_of(' ');
    if (begin == 0 || begin == std::string_view::npos) continue;  // the name of an object
    const auto header = line.substr(begin);
    if (seen.insert(header).second) finder.add_header(finder.absolute(header, {}));
  }
  return finder.found();
}

std::string describe(const std::vector<Foreign>& foreign) {
  if (foreign.empty()) return {};
  std::set<std::string> lacking;
  const Foreign* replaceable = nullptr;
  for (const auto& part : foreign) {
    if (part.own.empty() && !part.library.empty()) lacking.insert('"' + part.library + '"');
    if (!part.own.empty() && replaceable == nullptr) replaceable = &part;
  }
  auto text = fmt::format("uses another CUDA toolkit than its own: {}", foreign.front().path);
  if (foreign.size() > 1) text += fmt::format(" and {} more", foreign.size() - 1);
  if (!lacking.empty()) {
    text +=
        fmt::format(": write \"libraries\": [{}] into the matrix file", fmt::join(lacking, ", "));
  }
  if (replaceable != nullptr) {
    const bool first = replaceable == &foreign.front();
    text += fmt::format("{} replace {} by {}, as CUDAToolkit_ROOT says in a cell",
                        lacking.empty() ? ":" : "; and", first ? "it" : replaceable->path,
                        replaceable->own);
  } else if (lacking.empty()) {
    text += ": take it from CUDAToolkit_ROOT, which is the cell's own toolkit";
  }
  return text;
}

}  // namespace archgrid::cell
