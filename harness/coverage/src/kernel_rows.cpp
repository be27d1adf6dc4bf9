// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include "kernel_rows.hpp"

#include <algorithm>
#include <archgrid/coverage/table.hpp>
#include <map>
#include <numeric>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>

namespace archgrid::coverage {
namespace {

using fatbin::Image;
using fatbin::Kind;

constexpr Version kFirstWithLocalStubs = {13, 0};

using ModulesOfKernels = std::vector<std::vector<std::size_t>>;  ///< by number

// NVIDIA's own kernels of libcudadevrt, in every program that links it: only the library launches
// them. 22 is the length of their file's name, which excludes longer names with that ending.
bool belongs_to_runtime(std::string_view kernel) {
  return kernel.rfind("__nv_static_", 0) == 0 &&
         kernel.find("_22_cuda_device_runtime_cu_") != std::string_view::npos &&
         (kernel.find("__Z16memcpy_3d_device") != std::string_view::npos ||
          kernel.find("__Z16memset_3d_device") != std::string_view::npos);
}

bool is_readable(const Image& image) {
  return image.error.empty() && (image.kind == Kind::sass || image.kind == Kind::ptx);
}

bool has_named_kernels(const ModuleImages& images) {
  return std::any_of(images.begin(), images.end(),
                     [](const Image* image) { return !image->kernels.empty(); });
}

void add_module(const FileIndex& index, const ModuleImages& images, std::size_t module,
                ModulesOfKernels& modules_of) {
  for (const auto* image : images) {
    for (const auto& kernel : kernels_in(index.kernels, *image)) {
      auto& modules = modules_of[kernel.number];
      if (modules.empty() || modules.back() != module) modules.push_back(module);
    }
  }
}

/// Returns the minimum number of different implementations of one name in the modules.
std::size_t count_implementations(const FileIndex& index, std::size_t number,
                                  const std::vector<std::size_t>& modules) {
  if (modules.size() < 2) return 1;
  // By arch and toolkit: one implementation compiled by several toolkits counts once.
  std::map<std::tuple<int, char, std::string_view>, std::map<std::uint64_t, std::size_t>> codes;
  std::size_t most = 1;
  for (const auto module : modules) {
    for (const auto* image : index.images[module]) {
      const auto* kernel = find_kernel(index.kernels, *image, number);
      if (kernel == nullptr || !kernel->code_hash || image->debug) continue;
      auto& holders = codes[{image->arch.number, image->arch.suffix, image->toolkit}];
      holders.emplace(*kernel->code_hash, module);
      std::set<std::size_t> distinct;
      for (const auto& [hash, holder] : holders) distinct.insert(holder);
      most = std::max(most, distinct.size());
    }
  }
  return most;
}

/// Reports whether a launch finds the code of any of the modules: they were compiled before CUDA 13
/// and share the kernel's host function.
bool have_shared_stub(const FileIndex& index, std::size_t kernel,
                      const std::vector<std::size_t>& modules) {
  if (modules.size() < 2) return false;
  return std::all_of(modules.begin(), modules.end(), [&](std::size_t number) {
    const auto& module = index.file.modules[number];
    const auto& images = index.images[number];
    return !module.linked && !module.relocatable &&
           std::all_of(images.begin(), images.end(), [&](const Image* image) {
             const auto toolkit = parse_version(image->toolkit);
             const auto* found = find_kernel(index.kernels, *image, kernel);
             const bool merged = found == nullptr || found->has_shared_stub;
             return merged && toolkit && *toolkit < kFirstWithLocalStubs;
           });
  });
}

bool has_nameless_only(const FileIndex& index, const fatbin::Module& module) {
  const auto& images = index.images[module.index];
  const bool opaque = std::any_of(images.begin(), images.end(),
                                  [](const Image* image) { return !is_readable(*image); });
  return !index.links.is_part[module.index] && !has_named_kernels(images) && opaque;
}

KernelRow nameless_row(const FileIndex& index, const fatbin::Module& module) {
  const auto& images = index.images[module.index];
  const auto opaque = std::find_if(images.begin(), images.end(),
                                   [](const Image* image) { return !is_readable(*image); });
  const auto* what = !(*opaque)->error.empty()       ? "unreadable"
                     : (*opaque)->kind == Kind::lto  ? "LTO-IR"
                     : (*opaque)->kind == Kind::tile ? "Tile IR"
                                                     : "unknown kind";
  return {"",
          "module " + std::to_string(module.index) + " (" + what + ")",
          {module.index},
          !module.registered};
}

std::vector<std::size_t> numbers_by_name(const std::vector<std::string_view>& names) {
  std::vector<std::size_t> sorted(names.size());
  std::iota(sorted.begin(), sorted.end(), std::size_t{0});
  std::sort(sorted.begin(), sorted.end(),
            [&](auto left, auto right) { return names[left] < names[right]; });
  return sorted;
}

}  // namespace

// A linked module is judged together with its objects, which are no modules of their own. Kernels
// of objects count only if nothing was linked for any architecture: the device linker drops kernels
// that the host never launches.
std::vector<KernelRow> kernel_rows_of(const FileIndex& index) {
  const auto& names = index.kernels.names;
  ModulesOfKernels registered(names.size());
  ModulesOfKernels picked(names.size());
  for (const auto& module : index.file.modules) {
    if (index.links.is_part[module.index]) continue;
    const auto& images = index.images[module.index];
    add_module(index, images, module.index, module.registered ? registered : picked);
    if (!module.linked || has_named_kernels(images)) continue;
    for (const auto part : parts_of(index.links, module)) {
      add_module(index, index.images[part], module.index, registered);
    }
  }
  std::vector<KernelRow> rows;
  const auto add_row = [&](std::size_t number, std::vector<std::size_t> modules, bool by_host) {
    const Text name{std::string(names[number])};
    const auto implementations = by_host ? count_implementations(index, number, modules) : 1;
    const bool shared_stub = !by_host && have_shared_stub(index, number, modules);
    rows.push_back({name, DemangledName::of(name), std::move(modules), by_host, implementations,
                    shared_stub, number});
  };
  const auto sorted = numbers_by_name(names);
  for (const auto number : sorted) {
    if (registered[number].empty()) continue;
    picked[number].clear();
    if (belongs_to_runtime(names[number])) continue;
    add_row(number, std::move(registered[number]), false);
  }
  for (const auto number : sorted) {
    if (!picked[number].empty()) add_row(number, std::move(picked[number]), true);
  }
  for (const auto& module : index.file.modules) {
    if (has_nameless_only(index, module)) rows.push_back(nameless_row(index, module));
  }
  return rows;
}

}  // namespace archgrid::coverage
