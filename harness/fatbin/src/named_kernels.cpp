// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include "named_kernels.hpp"

#include <algorithm>
#include <archgrid/mapped_file.hpp>
#include <unordered_map>

namespace archgrid::fatbin {
namespace {

/// Kernels by name, and whether a string of the host code is that name.
using NamedByHost = std::unordered_map<std::string_view, bool>;

/// Calls `visit` with each kernel, and whether the kernel at the same place of the image before has
/// the same name: images of one module hold the same kernels for other architectures.
template <typename Images, typename Visit>
void for_each_kernel(Images& images, Visit visit) {
  const Image* previous = nullptr;
  for (auto& image : images) {
    for (std::size_t index = 0; index < image.kernels.size(); ++index) {
      auto& kernel = image.kernels[index];
      const bool repeated = previous != nullptr && index < previous->kernels.size() &&
                            previous->kernels[index].name == kernel.name;
      visit(kernel, repeated ? &previous->kernels[index] : nullptr);
    }
    previous = &image;
  }
}

bool is_graphic(char c) {
  return c > ' ' && c <= '~';
}

/// Looks up each string of `text` that ends with a zero.
void find_names(std::string_view text, std::size_t longest, NamedByHost& names) {
  for (auto end = text.find('\0'); end != std::string_view::npos; end = text.find('\0', end + 1)) {
    auto begin = end;
    while (begin > 0 && end - begin <= longest && is_graphic(text[begin - 1])) --begin;
    if (begin == end || end - begin > longest) continue;
    const auto found = names.find(text.substr(begin, end - begin));
    if (found != names.end()) found->second = true;
  }
}

}  // namespace

void mark_named_kernels(const HostImage& image, File& file) {
  NamedByHost names;
  std::size_t longest = 0;
  for_each_kernel(file.images, [&](const Kernel& kernel, const Kernel* repeated) {
    if (repeated != nullptr) return;
    names.emplace(kernel.name, false);
    longest = std::max(longest, kernel.name.size());
  });
  if (names.empty()) return;
  for (const auto& section : image.sections) {
    if (!section.is_text || holds_only_containers(section.name)) continue;
    find_names(section.data.text(), longest, names);
    release(section.data.text());
  }
  for_each_kernel(file.images, [&](Kernel& kernel, const Kernel* repeated) {
    kernel.named_by_host =
        repeated != nullptr ? repeated->named_by_host : names.find(kernel.name)->second;
  });
}

}  // namespace archgrid::fatbin
