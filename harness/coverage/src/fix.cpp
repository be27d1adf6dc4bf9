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

/// "12.8 to 13.5"
std::string range_of(const std::vector<Version>& versions) {
  if (versions.front() == versions.back()) return versions.front().text();
  return fmt::format("{} to {}", versions.front().text(), versions.back().text());
}

/// A sentence if the toolkit's nvcc does not compile for the device at all.
std::string impossible(const Complaint& complaint) {
  const auto toolkit = complaint.toolkit ? complaint.toolkit : complaint.recorded;
  if (!toolkit || table().find_toolkit(*toolkit) == nullptr) return {};
  const auto able = table().toolkits_for(wanted(complaint));
  if (able.empty() || std::find(able.begin(), able.end(), *toolkit) != able.end()) return {};
  const auto cuda = toolkit->text();
  const auto arch = wanted(complaint).text();
  const auto device = complaint.device.text();
  if (complaint.toolkit) {
    return fmt::format(
        "CUDA {} cannot compile for {}, CUDA {} can: build with one of those, or do not promise {} "
        "for {}",
        cuda, arch, range_of(able), device, cuda);
  }
  return fmt::format(
      "it was built with CUDA {}, which cannot compile for {}; CUDA {} can: build with one of "
      "those, or do not promise {}",
      cuda, arch, range_of(able), device);
}

std::string compile_too(const Complaint& complaint) {
  const auto none = impossible(complaint);
  if (!none.empty()) return none;
  const auto arch = wanted(complaint).text();
  return fmt::format(
      "compile {} for {} too: add {} to the CUDA_ARCHITECTURES of the target that compiles it",
      where(complaint), arch, arch);
}

std::string instantiate(const Complaint& complaint) {
  return fmt::format(
      "{} is compiled for {}, but without this kernel: look for an `#if __CUDA_ARCH__` around it "
      "or around what instantiates it, do not promise {}, or ignore it with a reason",
      where(complaint), wanted(complaint).text(), complaint.device.text());
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
    case Verdict::missing:
      return complaint.compiled ? instantiate(complaint) : compile_too(complaint);
    default:
      return compile_too(complaint);
  }
}

}  // namespace archgrid::coverage
