// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include "fix.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

namespace archgrid::coverage {
namespace {

/// "gemm_tile_64.cu of libx.so", or what comes nearest to naming the translation unit.
std::string where(const Complaint& complaint) {
  const auto file = std::filesystem::path(complaint.path).filename().string();
  if (!complaint.unit.empty()) return fmt::format("{} of {}", complaint.unit, file);
  if (complaint.row.name.empty()) {
    return fmt::format("{} of {}", complaint.row.demangled.str(), file);
  }
  return fmt::format("the source of this kernel in {}", file);
}

/// The arch to add: the device's own number.
fatbin::Arch wanted(const Complaint& complaint) {
  return {complaint.device.number(), '\0'};
}

/// A sentence if the toolkit's nvcc does not compile for the device at all.
std::string impossible(const Complaint& complaint) {
  if (!complaint.toolkit) return {};
  const auto able = table().toolkits_for(wanted(complaint));
  if (able.empty() || std::find(able.begin(), able.end(), *complaint.toolkit) != able.end()) {
    return {};
  }
  const auto range = able.front() == able.back()
                         ? able.front().text()
                         : fmt::format("{} to {}", able.front().text(), able.back().text());
  return fmt::format(
      "CUDA {} cannot compile for {}, CUDA {} can: build with one of those, or do not "
      "promise {} for {}",
      complaint.toolkit->text(), wanted(complaint).text(), range, complaint.device.text(),
      complaint.toolkit->text());
}

std::string compile_too(const Complaint& complaint) {
  const auto none = impossible(complaint);
  if (!none.empty()) return none;
  const auto arch = wanted(complaint).text();
  return fmt::format(
      "compile {} for {} too: add {} to the CUDA_ARCHITECTURES of the target that compiles it",
      where(complaint), arch, arch);
}

}  // namespace

std::string fix_for(const Complaint& complaint) {
  switch (complaint.verdict) {
    case Verdict::empty:
      return fmt::format(
          "give the kernel a body for {} in {}: look at its `#if __CUDA_ARCH__` guards, "
          "or ignore it with a reason",
          complaint.device.text(), where(complaint));
    case Verdict::ptx_too_new:
      return compile_too(complaint) + ", or promise a newer driver";
    case Verdict::unknown:
      return compile_too(complaint) + ", so that there is machine code to judge";
    default:
      return compile_too(complaint);
  }
}

}  // namespace archgrid::coverage
