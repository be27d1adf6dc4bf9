// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <archgrid/report/list.hpp>
#include <map>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

namespace archgrid::report {
namespace {

using fatbin::File;
using fatbin::Image;
using fatbin::Kernel;

bool passes(const ListFilter& filter, const Image& image) {
  const auto& [archs, kinds, kernel] = filter;
  const bool of_kind =
      kinds.empty() || std::find(kinds.begin(), kinds.end(), image.kind) != kinds.end();
  return of_kind &&
         (archs.empty() || std::any_of(archs.begin(), archs.end(), [&](const WantedArch& wanted) {
            return wanted.arch == image.arch.text() &&
                   wanted.kind.value_or(image.kind) == image.kind;
          }));
}

/// A cache of matches: demangling long names is slow, and the images of a module share names.
class KernelFilter {
 public:
  explicit KernelFilter(const std::string& pattern) : pattern_(pattern) {}

  bool passes(const std::string& name) {
    const auto [known, fresh] = answers_.try_emplace(name, false);
    if (fresh) known->second = matches(name);
    return known->second;
  }

 private:
  [[nodiscard]] bool matches(const std::string& name) const {
    return coverage::matches_kernel(pattern_, {name, name, {}, false}) ||
           coverage::matches_kernel(pattern_, {name, fatbin::demangle(name), {}, false});
  }

  const std::string& pattern_;
  std::unordered_map<std::string, bool> answers_;
};

void keep_kernels(std::vector<Image>& images, KernelFilter& filter) {
  for (auto& image : images) {
    auto& kernels = image.kernels;
    kernels.erase(std::remove_if(kernels.begin(), kernels.end(),
                                 [&](const Kernel& kernel) { return !filter.passes(kernel.name); }),
                  kernels.end());
  }
  images.erase(std::remove_if(images.begin(), images.end(),
                              [](const Image& image) { return image.kernels.empty(); }),
               images.end());
}

}  // namespace

std::string archs_text(const std::vector<File>& files) {
  std::map<fatbin::Kind, std::map<std::pair<int, char>, std::string>> archs;
  for (const auto& file : files) {
    for (const auto& image : file.images) {
      archs[image.kind][{image.arch.number, image.arch.suffix}] = image.arch.text();
    }
  }
  std::string text;
  for (const auto& [kind, names] : archs) {
    text += fmt::format("{}{} ", text.empty() ? "" : "; ", fatbin::name_of(kind));
    for (const auto& [number, name] : names) {
      text += (name == names.begin()->second ? "" : ", ") + name;
    }
  }
  return text;
}

bool ListFilter::passes_all() const {
  return archs.empty() && kinds.empty() && kernel.empty();
}

std::size_t count_matches(const std::string& pattern, const std::vector<File>& files,
                          std::size_t most) {
  KernelFilter filter(pattern);
  std::unordered_set<std::string_view> names;
  for (const auto& file : files) {
    for (const auto& image : file.images) {
      for (const auto& kernel : image.kernels) {
        if (names.size() == most) return most;
        if (filter.passes(kernel.name)) names.insert(kernel.name);
      }
    }
  }
  return names.size();
}

void apply(const ListFilter& filter, std::vector<File>& files) {
  KernelFilter kernel_filter(filter.kernel);
  for (auto& file : files) {
    auto& images = file.images;
    images.erase(std::remove_if(images.begin(), images.end(),
                                [&](const Image& image) { return !passes(filter, image); }),
                 images.end());
    if (!filter.kernel.empty()) keep_kernels(images, kernel_filter);
  }
}

}  // namespace archgrid::report
