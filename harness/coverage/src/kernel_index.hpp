// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// The kernels of a file's images, by number.
#ifndef ARCHGRID_COVERAGE_KERNEL_INDEX_HPP
#define ARCHGRID_COVERAGE_KERNEL_INDEX_HPP

#include <archgrid/coverage/image_selector.hpp>
#include <cstddef>
#include <optional>
#include <set>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "image_choice.hpp"

namespace archgrid::coverage {

/// A kernel of an image, by number of its name: names are long, with common prefixes, and each is
/// looked up in many images.
struct NumberedKernel {
  std::size_t number = 0;
  const fatbin::Kernel* kernel = nullptr;
};
using NumberedKernels = std::vector<NumberedKernel>;  ///< ascending, unique

struct KernelIndex {
  const fatbin::Image* first = nullptr;                       ///< of the file
  std::vector<std::string_view> names;                        ///< by number
  std::unordered_map<std::string_view, std::size_t> numbers;  ///< by name
  std::vector<NumberedKernels> kernels;                       ///< by image
  std::vector<bool> working;  ///< by number: some body of the kernel stores to memory, or may
  std::vector<bool> surely_working;  ///< by number: some body of the kernel stores to memory
};

/// Numbers the kernels of a file, which must outlive the index. `elsewhere` may be null.
KernelIndex index_kernels(const fatbin::File& file, const Working* elsewhere);

/// Returns the kernels of an image of the indexed file.
const NumberedKernels& kernels_in(const KernelIndex& index, const fatbin::Image& image);

/// Returns the kernel in an image of the indexed file; null if the image lacks it.
const fatbin::Kernel* find_kernel(const KernelIndex& index, const fatbin::Image& image,
                                  std::optional<std::size_t> number);

bool contain_kernel(const KernelIndex& index, const ModuleImages& images,
                    std::optional<std::size_t> number);

std::set<std::size_t> numbers_in(const KernelIndex& index, const ModuleImages& images);

}  // namespace archgrid::coverage

#endif
