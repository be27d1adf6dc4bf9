// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include "fix.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <utility>

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
  std::optional<Version> toolkit;      ///< said to build the file
  bool recorded = false;               ///< the file tells that toolkit; else it is said to build it
  std::optional<PlannedArch> another;  ///< of that toolkit, which serves the device
  std::string compiled;   ///< the arch that the device takes of the module, added or no
  bool linked = false;    ///< by the device linker
  bool damaged = false;   ///< an image of the module could not be read
  std::string undefined;  ///< used by an image of the module, and defined by nothing
  Options options = Options::both;
  std::optional<CellArch> asked;  ///< of the cell, which serves the device
  bool unasked = false;           ///< a cell builds the file, and none of its archs serves it
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

/// nvcc's option for one kind of code.
std::string gencode(const PlannedArch& code) {
  return fmt::format("-gencode arch=compute_{0},code={1}_{0}", code.arch.text(),
                     code.sass ? "sm" : "compute");
}

/// An arch to compile for.
struct Addition {
  std::string text;  ///< as CMake spells it
  PlannedArch code;
  std::string why;  ///< it serves the device, where it is not the device's own; else empty
};

/// Returns what to compile for where the toolkit has an arch that serves the device.
Addition addition_for(const Complaint& complaint) {
  const auto own = own_arch(complaint.device);
  const auto serves = ", which serves " + complaint.device.text();
  if (complaint.asked) {
    const auto& asked = *complaint.asked;
    return {asked.text, asked.code, asked.code.arch.number == own.number ? "" : serves};
  }
  if (!complaint.unable) return {own.text(), {own, true, false}, ""};
  const auto& another = *complaint.another;
  return {another.arch.text() + (another.sass ? "" : "-virtual"), another,
          fmt::format("{} (CUDA {} cannot compile for {})", serves, complaint.unable->text(),
                      own.text())};
}

/// Names the matrix file: targets of a cell are compiled for the cell's archs, and a cell with code
/// for any other number fails.
std::string ask_for(const Complaint& complaint, const Addition& added) {
  auto fix = fmt::format("add {}{}{} to the archs of CUDA {} in the matrix file", added.text,
                         added.why, added.why.empty() ? "" : ",", complaint.toolkit->text());
  if (complaint.options == Options::nvcc) {
    fix +=
        fmt::format(", and {} to nvcc's options where they do not follow CMAKE_CUDA_ARCHITECTURES",
                    gencode(added.code));
  }
  return fix;
}

std::string compile_too(const Complaint& complaint) {
  if (complaint.unable && !complaint.another && !complaint.asked) return impossible(complaint);
  const auto added = addition_for(complaint);
  if (complaint.unasked) return ask_for(complaint, added);
  const auto& arch = added.text;
  const auto& why = added.why;
  if (complaint.options != Options::cmake) {
    const char* linked = complaint.linked ? " and what it is linked with" : "";
    auto fix = fmt::format("compile {}{} for {} too{}: add {} to nvcc's options", where(complaint),
                           linked, arch, why, gencode(added.code));
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
      if (!complaint.undefined.empty()) {
        return fmt::format(
            "link it with the code that defines {0} (nvcc -dlink -cubin), or audit that file too; "
            "where the program links it when it runs, ignore it: {{\"kernel\": {1}, \"reason\": "
            "\"...\"}} in the \"ignore\" of the matrix file",
            complaint.undefined, quoted_name(complaint.row));
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

/// Reports whether `device`, which both serve, takes `code` rather than `other`: machine code
/// first, and of that its own.
bool is_nearer(const PlannedArch& code, const PlannedArch& other, Device device) {
  if (code.sass != other.sass) return code.sass;
  const auto is_own = [&](const PlannedArch& each) { return each.arch.number == device.number(); };
  if (is_own(code) != is_own(other)) return is_own(code);
  return nearness(other.arch) < nearness(code.arch);
}

}  // namespace

Fixes::Fixes(const fatbin::File& file, const Coverage& coverage, std::optional<Version> toolkit,
             Options options, std::vector<std::string> cell_archs)
    : path_(file.path),
      coverage_(coverage),
      toolkit_(toolkit),
      options_(options),
      cell_archs_(std::move(cell_archs)),
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

std::optional<CellArch> Fixes::cell_arch_for(const Wanted& wanted) const {
  auto accept = wanted.accept;
  const auto* row = toolkit_ ? table().find_toolkit(*toolkit_) : nullptr;
  if (row != nullptr && wanted.driver && wanted.driver->ptx_isa < row->ptx_isa) {
    accept.erase(Verdict::jit);
  }
  std::optional<CellArch> found;
  for (const auto& text : cell_archs_) {
    if (!arch_serves(text, wanted.device, accept)) continue;
    const auto arch = *parse_arch(std::string_view(text).substr(0, text.find('-')));
    const bool sass = !text.ends_with("-virtual") && sass_loads(arch, wanted.device) != Loads::no;
    const PlannedArch code{arch, sass, !sass};
    if (!found || is_nearer(code, found->code, wanted.device)) found = CellArch{text, code};
  }
  return found;
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
                      toolkit_,
                      !toolkit_,
                      std::nullopt,
                      {},
                      linked_[module],
                      damaged_[module],
                      coverage_.undefined_in(module),
                      options_,
                      cell_arch_for(wanted)};
  complaint.unasked = toolkit_ && !cell_archs_.empty() && !complaint.asked;
  if (toolkit && is_unable(*toolkit, device)) {
    complaint.unable = toolkit;
    complaint.another = arch_for(*toolkit, wanted);
  }
  const auto added = complaint.asked
                         ? complaint.asked->code
                         : complaint.another.value_or(PlannedArch{own_arch(device), true, false});
  complaint.compiled =
      added.sass ? taken_before(added.arch, compiled_[module].sass,
                                [&](auto arch) { return sass_loads(arch, device) == Loads::yes; })
                 : taken_before(added.arch, compiled_[module].ptx,
                                [&](auto arch) { return ptx_reaches(arch, device); });
  return fix_for(complaint);
}

}  // namespace archgrid::coverage
