// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include "instructions.hpp"

#include <algorithm>
#include <archgrid/parallel.hpp>
#include <limits>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "cubin.hpp"

namespace archgrid::fatbin {
namespace {

// Decompressed, of one file. The instructions of what is beyond are not known.
constexpr std::uint64_t kMostRead = std::uint64_t{1} << 30;
constexpr int kFirstWithOpcodes = 70;
constexpr int kNone = std::numeric_limits<int>::max();

/// The oldest code of a module.
struct Oldest {
  int any = kNone;           ///< arch, PTX included
  int sass = kNone;          ///< arch
  std::size_t image = 0;     ///< that machine code
  bool is_launched = false;  ///< host code names a kernel of it
};

std::vector<Oldest> oldest_by_module(const File& file) {
  std::vector<Oldest> modules(file.modules.size());
  for (std::size_t index = 0; index < file.images.size(); ++index) {
    const auto& image = file.images[index];
    auto& oldest = modules[image.module];
    oldest.any = std::min(oldest.any, image.arch.number);
    if (image.kind != Kind::sass || image.arch.number >= oldest.sass) continue;
    oldest.sass = image.arch.number;
    oldest.image = index;
    oldest.is_launched = std::any_of(image.kernels.begin(), image.kernels.end(),
                                     [](const Kernel& kernel) { return kernel.named_by_host; });
  }
  return modules;
}

/// Returns the oldest arch that at least half of the modules have code for.
int usual_arch(const std::vector<Oldest>& modules) {
  std::vector<int> archs;
  for (const auto& module : modules) {
    if (module.is_launched) archs.push_back(module.any);
  }
  if (archs.empty()) return kNone;
  const auto middle = archs.begin() + static_cast<std::ptrdiff_t>((archs.size() - 1) / 2);
  std::nth_element(archs.begin(), middle, archs.end());
  return *middle;
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
    return;  // damage behind what was read of it: not known
  }
}

}  // namespace

void find_instructions(std::string_view bytes, File& file) {
  const auto modules = oldest_by_module(file);
  const auto usual = usual_arch(modules);
  std::vector<std::size_t> wanted;
  std::uint64_t read = 0;
  for (const auto& oldest : modules) {
    const bool is_newer = oldest.is_launched && oldest.any > usual;
    if (!is_newer || oldest.sass == kNone || oldest.sass < kFirstWithOpcodes) continue;
    const auto& image = file.images[oldest.image];
    if (!image.error.empty()) continue;
    read += image.bytes;
    if (read > kMostRead) break;
    wanted.push_back(oldest.image);
  }
  parallel_for(wanted.size(), [&](std::size_t index, std::size_t) {
    read_opcodes(bytes, file.images[wanted[index]]);
  });
}

}  // namespace archgrid::fatbin
