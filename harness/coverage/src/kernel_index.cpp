// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include "kernel_index.hpp"

#include <algorithm>
#include <utility>

namespace archgrid::coverage {
namespace {

/// Returns the kernels of an image, in its order. `previous` are those of the preceding image:
/// mostly equal, for another architecture.
NumberedKernels number(const fatbin::Image& image, const NumberedKernels& previous,
                       KernelIndex& index) {
  NumberedKernels kernels;
  kernels.reserve(image.kernels.size());
  for (const auto& kernel : image.kernels) {
    const auto place = kernels.size();
    if (place < previous.size() && previous[place].kernel->name == kernel.name) {
      kernels.push_back({previous[place].number, &kernel});
      continue;
    }
    const auto [known, is_new] = index.numbers.emplace(kernel.name, index.names.size());
    if (is_new) index.names.emplace_back(kernel.name);
    kernels.push_back({known->second, &kernel});
  }
  return kernels;
}

void add_working(const NumberedKernels& kernels, KernelIndex& index) {
  for (const auto& [number, kernel] : kernels) {
    // An inert body writes to shared memory.
    if (!kernel->stores || fatbin::is_idle(kernel->body)) continue;
    index.working[number] = true;
    if (!kernel->may_store) index.surely_working[number] = true;
  }
}

void add_working(const Working& elsewhere, KernelIndex& index) {
  for (std::size_t number = 0; number < index.names.size(); ++number) {
    const bool surely = elsewhere.surely.count(index.names[number]) != 0;
    if (surely || elsewhere.maybe.count(index.names[number]) != 0) index.working[number] = true;
    if (surely) index.surely_working[number] = true;
  }
}

/// Sorts the kernels of an image. If two bodies have one name, the first counts.
void sort_by_number(NumberedKernels& kernels) {
  std::stable_sort(kernels.begin(), kernels.end(),
                   [](const auto& left, const auto& right) { return left.number < right.number; });
  const auto same = [](const auto& left, const auto& right) { return left.number == right.number; };
  kernels.erase(std::unique(kernels.begin(), kernels.end(), same), kernels.end());
}

}  // namespace

KernelIndex index_kernels(const fatbin::File& file, const Working* elsewhere) {
  KernelIndex index;
  index.first = file.images.data();
  const auto superseded = fatbin::superseded_ptx(file.images);
  index.kernels.reserve(file.images.size());
  NumberedKernels previous;
  for (std::size_t image = 0; image < file.images.size(); ++image) {
    auto kernels = number(file.images[image], previous, index);
    index.working.resize(index.names.size());
    index.surely_working.resize(index.names.size());
    if (!superseded[image]) add_working(kernels, index);  // if either of two bodies stores
    previous = kernels;
    sort_by_number(kernels);
    index.kernels.push_back(std::move(kernels));
  }
  if (elsewhere != nullptr) add_working(*elsewhere, index);
  return index;
}

const NumberedKernels& kernels_in(const KernelIndex& index, const fatbin::Image& image) {
  return index.kernels[static_cast<std::size_t>(&image - index.first)];
}

const fatbin::Kernel* find_kernel(const KernelIndex& index, const fatbin::Image& image,
                                  std::optional<std::size_t> number) {
  if (!number) return nullptr;
  const auto& kernels = kernels_in(index, image);
  const auto found = std::lower_bound(
      kernels.begin(), kernels.end(), *number,
      [](const NumberedKernel& kernel, std::size_t wanted) { return kernel.number < wanted; });
  return found == kernels.end() || found->number != *number ? nullptr : found->kernel;
}

bool contain_kernel(const KernelIndex& index, const ModuleImages& images,
                    std::optional<std::size_t> number) {
  return std::any_of(images.begin(), images.end(), [&](const fatbin::Image* image) {
    return find_kernel(index, *image, number) != nullptr;
  });
}

std::set<std::size_t> numbers_in(const KernelIndex& index, const ModuleImages& images) {
  std::set<std::size_t> numbers;
  for (const auto* image : images) {
    for (const auto& kernel : kernels_in(index, *image)) numbers.insert(kernel.number);
  }
  return numbers;
}

}  // namespace archgrid::coverage
