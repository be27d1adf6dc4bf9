// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Compares what two builds of a file take: registers and memory of kernels, bytes of images.
#ifndef ARCHGRID_COVERAGE_RESOURCE_DIFF_HPP
#define ARCHGRID_COVERAGE_RESOURCE_DIFF_HPP

#include <archgrid/coverage/diff.hpp>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace archgrid::coverage {

constexpr std::size_t kResources = 4;

/// The maximum resources of a kernel's bodies for one arch. Unset if one body does not record a
/// value.
struct Takes {
  fatbin::Arch arch;
  std::array<std::optional<std::uint64_t>, kResources> values;
};

using TakesByKernel = std::unordered_map<std::string_view, std::vector<Takes>>;

TakesByKernel takes_of(const fatbin::File& file);

/// Adds the resources that differ between two kernels to `result`.
void compare_resources(const TakesByKernel& before, const TakesByKernel& after,
                       const KernelRow& old_row, const KernelRow& new_row, FileDiff& result);

std::vector<SizeChange> compare_sizes(const fatbin::File& before, const fatbin::File& after);

}  // namespace archgrid::coverage

#endif
