// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include "instructions.hpp"

#include <algorithm>
#include <archgrid/fatbin/parallel.hpp>
#include <limits>
#include <map>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "cubin.hpp"

namespace archgrid::fatbin {
namespace {

// Decompressed bytes of one file. Instructions of images beyond them are unknown.
constexpr std::uint64_t kMaxRead = std::uint64_t{1} << 30;
constexpr int kFirstWithOpcodes = 70;
constexpr int kNone = std::numeric_limits<int>::max();

/// The oldest code of a module.
struct Oldest {
  int any = kNone;           ///< oldest arch, including PTX
  int sass = kNone;          ///< oldest arch of machine code
  std::size_t image = 0;     ///< index of that machine code
  bool is_launched = false;  ///< host code names one of its kernels
  std::set<std::pair<int, char>> archs;
};

std::vector<Oldest> oldest_by_module(const File& file) {
  std::vector<Oldest> modules(file.modules.size());
  for (std::size_t index = 0; index < file.images.size(); ++index) {
    const auto& image = file.images[index];
    auto& oldest = modules[image.module];
    oldest.any = std::min(oldest.any, image.arch.number);
    oldest.archs.emplace(image.arch.number, image.arch.suffix);
    if (image.kind != Kind::sass || image.arch.number >= oldest.sass) continue;
    oldest.sass = image.arch.number;
    oldest.image = index;
    oldest.is_launched = std::any_of(image.kernels.begin(), image.kernels.end(),
                                     [](const Kernel& kernel) { return kernel.named_by_host; });
  }
  return modules;
}

/// Returns the largest images of each list of archs that lacks the file's oldest arch: units that
/// were compiled only for newer GPUs.
std::vector<std::size_t> images_to_read(const File& file) {
  constexpr std::size_t kMaxOfList = 4;
  const auto modules = oldest_by_module(file);
  int first = kNone;
  for (const auto& module : modules) {
    if (module.is_launched) first = std::min(first, module.any);
  }
  std::map<std::set<std::pair<int, char>>, std::vector<std::size_t>> lists;
  for (const auto& module : modules) {
    const bool is_newer = module.is_launched && module.any > first;
    if (!is_newer || module.sass == kNone || module.sass < kFirstWithOpcodes) continue;
    if (file.images[module.image].error.empty()) lists[module.archs].push_back(module.image);
  }
  std::vector<std::size_t> wanted;
  for (auto& [archs, images] : lists) {
    std::stable_sort(images.begin(), images.end(), [&](std::size_t left, std::size_t right) {
      return file.images[left].decompressed_bytes > file.images[right].decompressed_bytes;
    });
    images.resize(std::min(images.size(), kMaxOfList));
    wanted.insert(wanted.end(), images.begin(), images.end());
  }
  return wanted;
}

void read_opcodes(std::string_view bytes, Image& image) {
  const auto content = content_of(bytes, image);
  try {
    const auto cubin = parse_cubin(Bytes(content), Detail::everything);
    std::unordered_map<std::string_view, const Opcodes*> opcodes;
    for (const auto& kernel : cubin.kernels) opcodes.emplace(kernel.name, &kernel.opcodes);
    for (auto& kernel : image.kernels) {
      const auto found = opcodes.find(kernel.name);
      if (found != opcodes.end()) kernel.opcodes = *found->second;
    }
  } catch (const Unreadable&) {
    return;  // damage beyond the part that was read before: unknown
  }
}

}  // namespace

void find_instructions(std::string_view bytes, File& file) {
  std::vector<std::size_t> wanted;
  std::uint64_t read = 0;
  for (const auto index : images_to_read(file)) {
    read += file.images[index].decompressed_bytes;
    if (read > kMaxRead) break;
    wanted.push_back(index);
  }
  parallel_for(wanted.size(), [&](std::size_t index, std::size_t) {
    read_opcodes(bytes, file.images[wanted[index]]);
  });
}

}  // namespace archgrid::fatbin
