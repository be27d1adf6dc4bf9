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
  std::optional<Version> unable;       ///< the toolkit, if it cannot compile for the own number
  bool recorded = false;               ///< the file tells that toolkit; else it is said to build it
  std::optional<PlannedArch> another;  ///< of that toolkit, which serves the device
  std::string compiled;  ///< the arch that the device takes of the module, added or no
  bool linked = false;   ///< by the device linker
  bool damaged = false;  ///< an image of the module could not be read
  Options options = Options::both;
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

fatbin::Arch own_arch(Device device) {
  return {device.number(), '\0'};
}

/// The kernel's name as a string of JSON, for a matrix file.
std::string quoted_name(const KernelRow& row) {
  const std::string name = row.demangled.str();
  std::string quoted = "\"";
  for (const char letter : name) {
    if (letter == '"' || letter == '\\') quoted += '\\';
    quoted += letter;
  }
  return quoted + '"';
}

/// "12.8 to 13.5"
std::string range_of(const std::vector<Version>& versions) {
  if (versions.front() == versions.back()) return versions.front().text();
  return fmt::format("{} to {}", versions.front().text(), versions.back().text());
}

/// Whether the toolkit is known not to compile for the device's own number.
bool is_unable(Version toolkit, Device device) {
  if (table().find_toolkit(toolkit) == nullptr) return false;
  const auto able = table().toolkits_for(own_arch(device));
  return !able.empty() && std::find(able.begin(), able.end(), toolkit) == able.end();
}

/// For a toolkit none of whose archs serves the device.
std::string impossible(const Complaint& complaint) {
  const auto cuda = complaint.unable->text();
  const auto own = own_arch(complaint.device);
  const auto able = range_of(table().toolkits_for(own));
  const auto device = complaint.device.text();
  if (!complaint.recorded) {
    return fmt::format(
        "CUDA {} cannot compile for {}, CUDA {} can: build with one of those, or do not promise {} "
        "for {}",
        cuda, own.text(), able, device, cuda);
  }
  return fmt::format(
      "it was built with CUDA {}, which cannot compile for {}; CUDA {} can: build with one of "
      "those, or do not promise {}",
      cuda, own.text(), able, device);
}

/// nvcc's option for an arch in CMake's spelling: "90", "90a-virtual".
std::string gencode(std::string arch) {
  constexpr std::string_view kVirtual = "-virtual";
  const auto place = arch.find(kVirtual);
  if (place != std::string::npos) arch.erase(place);
  return fmt::format("-gencode arch=compute_{0},code={1}_{0}", arch,
                     place == std::string::npos ? "sm" : "compute");
}

std::string compile_too(const Complaint& complaint) {
  if (complaint.unable && !complaint.another) return impossible(complaint);
  auto arch = own_arch(complaint.device).text();
  std::string why;
  if (complaint.unable) {
    why = fmt::format(", which serves {} (CUDA {} cannot compile for {})", complaint.device.text(),
                      complaint.unable->text(), arch);
    arch = complaint.another->arch.text() + (complaint.another->sass ? "" : "-virtual");
  }
  if (complaint.options != Options::cmake) {
    const char* linked = complaint.linked ? " and what it is linked with" : "";
    auto fix = fmt::format("compile {}{} for {} too{}: add {} to nvcc's options", where(complaint),
                           linked, arch, why, gencode(arch));
    if (complaint.options == Options::both) {
      fix += fmt::format(", or in CMake {} to CUDA_ARCHITECTURES", arch);
    }
    return fix;
  }
  if (complaint.linked) {
    return fmt::format(
        "compile {} and what it is linked with for {} too{}: add {} to the CUDA_ARCHITECTURES of "
        "the targets that compile them, and of the one that links them",
        where(complaint), arch, why, arch);
  }
  return fmt::format(
      "compile {} for {} too{}: add {} to the CUDA_ARCHITECTURES of the target that compiles it",
      where(complaint), arch, why, arch);
}

std::string instantiate(const Complaint& complaint) {
  return fmt::format(
      "{} is compiled for {}, but without this kernel: look for an `#if __CUDA_ARCH__` around it "
      "or around what instantiates it, do not promise {}, or ignore it with a reason",
      where(complaint), complaint.compiled, complaint.device.text());
}

std::string fix_for(const Complaint& complaint) {
  switch (complaint.verdict) {
    case Verdict::empty:
      return fmt::format(
          "give the kernel a body for {0} in {1}: look at its `#if __CUDA_ARCH__` guards, "
          "or ignore it: {{\"kernel\": {2}, \"devices\": [\"{0}\"], \"reason\": \"...\"}} in the "
          "\"ignore\" of the matrix file",
          complaint.device.text(), where(complaint), quoted_name(complaint.row));
    case Verdict::ptx_too_new:
      return compile_too(complaint) + ", or promise a newer driver";
    case Verdict::unknown:
      if (complaint.damaged) {
        return fmt::format("audit an undamaged copy of {}: what it has for {} cannot be read",
                           std::filesystem::path(complaint.path).filename().string(),
                           complaint.device.text());
      }
      return "so that there is machine code to judge, " + compile_too(complaint);
    case Verdict::missing:
      return complaint.compiled.empty() ? compile_too(complaint) : instantiate(complaint);
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

/// The farthest first, each once.
void sort_by_nearness(std::vector<fatbin::Arch>& archs) {
  std::sort(archs.begin(), archs.end(),
            [](auto left, auto right) { return nearness(left) < nearness(right); });
  archs.erase(std::unique(archs.begin(), archs.end()), archs.end());
}

/// Of archs in that order the one that the driver takes of those that `fits`, unless code for
/// `added` would go before it.
template <typename Fits>
std::string taken_before(fatbin::Arch added, const std::vector<fatbin::Arch>& archs,
                         const Fits& fits) {
  const auto taken = std::find_if(archs.rbegin(), archs.rend(), fits);
  const bool stays = taken != archs.rend() && !(nearness(*taken) < nearness(added));
  return stays ? taken->text() : std::string();
}

}  // namespace

Fixes::Fixes(const fatbin::File& file, const Coverage& coverage, std::optional<Version> toolkit,
             Options options)
    : path_(file.path),
      coverage_(coverage),
      toolkit_(toolkit),
      options_(options),
      recorded_(newest_toolkits(file)),
      compiled_(compiled_in(file)),
      linked_(file.modules.size()),
      damaged_(file.modules.size()) {
  for (const auto& module : file.modules) linked_[module.index] = module.linked;
  for (const auto& image : file.images) {
    if (image.module >= damaged_.size()) continue;
    if (!image.error.empty() && !image.obfuscated) damaged_[image.module] = true;
  }
}

std::vector<Fixes::Compiled> Fixes::compiled_in(const fatbin::File& file) {
  std::vector<Compiled> compiled(file.modules.size());
  for (const auto& image : file.images) {
    if (image.module >= compiled.size()) continue;
    if (image.kind == fatbin::Kind::sass) compiled[image.module].sass.push_back(image.arch);
    if (image.kind == fatbin::Kind::ptx) compiled[image.module].ptx.push_back(image.arch);
  }
  for (auto& module : compiled) {
    sort_by_nearness(module.sass);
    sort_by_nearness(module.ptx);
  }
  return compiled;
}

std::string Fixes::fix(const KernelRow& kernel, const Wanted& wanted,
                       const Decision& decision) const {
  const auto module = decision.module;
  const auto device = wanted.device;
  const auto toolkit = toolkit_ ? toolkit_ : recorded_[module];
  Complaint complaint{path_,
                      kernel,
                      coverage_.unit_of(kernel, module),
                      device,
                      decision.judgement.verdict,
                      std::nullopt,
                      !toolkit_,
                      std::nullopt,
                      {},
                      linked_[module],
                      damaged_[module],
                      options_};
  if (toolkit && is_unable(*toolkit, device)) {
    complaint.unable = toolkit;
    complaint.another = arch_for(*toolkit, wanted);
  }
  const auto added = complaint.another.value_or(PlannedArch{own_arch(device), true, false});
  complaint.compiled =
      added.sass ? taken_before(added.arch, compiled_[module].sass,
                                [&](auto arch) { return sass_loads(arch, device) == Loads::yes; })
                 : taken_before(added.arch, compiled_[module].ptx,
                                [&](auto arch) { return ptx_reaches(arch, device); });
  return fix_for(complaint);
}

}  // namespace archgrid::coverage
