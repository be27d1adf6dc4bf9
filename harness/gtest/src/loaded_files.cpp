// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

#include "loaded_files.hpp"

#include <link.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <string_view>
#include <utility>

namespace archgrid::gtest {
namespace {

/// The libraries that NVIDIA ships with its driver, its toolkits, and in separate packages.
constexpr std::string_view kNvidiaLibraries[] = {
    "libcuda", "libcublas", "libcublasLt", "libcudart", "libcudnn", "libcufft", "libcufftw",
    "libcurand", "libcusolver", "libcusolverMg", "libcusparse", "libcusparseLt", "libnccl",
    "libnvJitLink", "libnvrtc", "libnvrtc-builtins", "libnvjpeg", "libnvblas", "libcufile",
    // The parts of cuDNN: those of version 9, then those of version 8.
    "libcudnn_adv", "libcudnn_cnn", "libcudnn_engines_precompiled",
    "libcudnn_engines_runtime_compiled", "libcudnn_engines_tensor_ir", "libcudnn_ext",
    "libcudnn_graph", "libcudnn_heuristic", "libcudnn_ops", "libcudnn_adv_infer",
    "libcudnn_adv_train", "libcudnn_cnn_infer", "libcudnn_cnn_train", "libcudnn_etc",
    "libcudnn_ops_infer", "libcudnn_ops_train"};

/// Reports whether `text` is the hash in a name such as libcublas-3b81d170.so.11, which packagers
/// give to bundled libraries.
bool is_digest(std::string_view text) {
  constexpr std::string_view kHexadecimal = "0123456789abcdef";
  return text.size() >= 8 && text.find_first_not_of(kHexadecimal) == std::string_view::npos;
}

// Compares whole names: libcufft_of_mine.so is the project's.
bool is_nvidia_name(const std::string& file) {
  const auto end = file.find(".so");
  if (end == std::string::npos) return false;
  auto name = std::string_view(file).substr(0, end);
  const auto dash = name.rfind('-');
  if (dash != std::string_view::npos && is_digest(name.substr(dash + 1))) {
    name = name.substr(0, dash);
  }
  constexpr std::string_view kPartsOfDriver = "libnvidia-";
  return name.substr(0, kPartsOfDriver.size()) == kPartsOfDriver ||
         std::find(std::begin(kNvidiaLibraries), std::end(kNvidiaLibraries), name) !=
             std::end(kNvidiaLibraries);
}

/// Reports whether a library of NVIDIA launches kernels: all do except those that only load, link
/// and compile.
bool launches_kernels(const std::string& library) {
  constexpr std::string_view kOthers[] = {"libcuda.", "libnvidia-",   "libcudart",
                                          "libnvrtc", "libnvJitLink", "libcufile"};
  const std::string file = std::filesystem::path(library).filename().string();
  return std::none_of(std::begin(kOthers), std::end(kOthers),
                      [&](std::string_view name) { return file.rfind(name, 0) == 0; });
}

// Returns false for prefixes that contain more than the toolkit, such as /usr or a conda
// environment.
bool is_toolkit(const std::filesystem::path& folder) {
  std::error_code error;
  return std::filesystem::exists(folder / "bin" / "nvcc", error) &&
         std::filesystem::exists(folder / "nvvm" / "libdevice", error) &&
         !std::filesystem::exists(folder / "conda-meta", error);
}

struct Objects {
  std::size_t loads = 0;    ///< number of loads so far, including objects that were unloaded since
  std::size_t unloads = 0;  ///< number of unloads so far
  std::vector<std::string> names;
};

int add_object(dl_phdr_info* object, std::size_t, void* result) {
  auto& objects = *static_cast<Objects*>(result);
  objects.loads = object->dlpi_adds;
  objects.unloads = object->dlpi_subs;
  objects.names.emplace_back(object->dlpi_name);
  return 0;
}

// The executable has no name, and objects of the kernel itself (linux-vdso.so.1) have no path.
bool is_library(const std::string& name) {
  return name.find('/') != std::string::npos;
}

}  // namespace

bool is_of_nvidia(const std::string& library) {
  std::error_code error;
  const auto path = std::filesystem::weakly_canonical(library, error);
  if (error) return false;  // will be judged, and reported as unreadable
  if (is_nvidia_name(path.filename().string())) return true;
  for (auto folder = path.parent_path(); folder.has_relative_path();
       folder = folder.parent_path()) {
    if (is_toolkit(folder)) return true;
  }
  return false;
}

LoadedFiles LoadedFilesWatch::fresh() {
  Objects objects;
  dl_iterate_phdr(add_object, &objects);
  LoadedFiles files;
  const std::size_t loaded = objects.loads - std::exchange(loads_, objects.loads);
  const std::size_t unloaded = objects.unloads - std::exchange(unloads_, objects.unloads);
  if (loaded == 0 && unloaded == 0) return files;
  const bool is_first = seen_.empty();
  const std::set<std::string> before = std::exchange(seen_, {});
  if (is_first) {
    files.judged = {std::filesystem::read_symlink("/proc/self/exe").string()};
  }
  std::size_t fresh = 0;
  for (const std::string& name : objects.names) {
    seen_.insert(name);
    if (before.count(name) > 0) continue;
    ++fresh;
    if (!is_library(name)) continue;
    if (!is_of_nvidia(name)) {
      files.judged.push_back(name);
      continue;
    }
    ++files.left_out;
    if (launches_kernels(name)) files.launching.push_back(name);
  }
  // Objects that were unloaded before the first call do not count.
  if (!is_first) files.vanished = loaded - std::min(loaded, fresh);
  return files;
}

}  // namespace archgrid::gtest
