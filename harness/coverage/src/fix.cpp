// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include "fix.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

namespace archgrid::coverage {
namespace {

/// What a fix needs to know of a verdict that is not accepted.
struct Complaint {
  const std::string& path;
  const KernelRow& row;
  const std::string& unit;  ///< the source file to compile again; empty if unknown
  Device device;
  Verdict verdict = Verdict::missing;
  std::optional<Version> toolkit;   ///< that is said to build the file
  std::optional<Version> recorded;  ///< that built the module which decided, as far as it tells
  bool compiled = false;            ///< that module has machine code for just this device
};

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

/// The newest toolkit that the images of each module record.
std::vector<std::optional<Version>> newest_toolkits(const fatbin::File& file) {
  std::vector<std::optional<Version>> toolkits(file.modules.size());
  for (const auto& image : file.images) {
    const auto version = parse_version(image.toolkit);
    if (!version || image.module >= toolkits.size()) continue;
    auto& known = toolkits[image.module];
    if (!known || *known < *version) known = version;
  }
  return toolkits;
}

/// The modules that have machine code for an arch, each with its number.
std::set<std::pair<std::size_t, int>> compiled_in(const fatbin::File& file) {
  std::set<std::pair<std::size_t, int>> compiled;
  for (const auto& image : file.images) {
    if (image.kind == fatbin::Kind::sass) compiled.emplace(image.module, image.arch.number);
  }
  return compiled;
}

}  // namespace

Fixes::Fixes(const fatbin::File& file, const Coverage& coverage, std::optional<Version> toolkit)
    : path_(file.path),
      coverage_(coverage),
      toolkit_(toolkit),
      recorded_(newest_toolkits(file)),
      compiled_(compiled_in(file)) {}

std::string Fixes::fix(const KernelRow& kernel, Device device, const Decision& decision) const {
  const auto module = decision.module;
  return fix_for({path_, kernel, coverage_.unit_of(kernel, module), device,
                  decision.judgement.verdict, toolkit_, recorded_[module],
                  compiled_.count({module, device.number()}) != 0});
}

}  // namespace archgrid::coverage
