// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <archgrid/words.hpp>
#include <archgrid/words/phrase.hpp>
#include <filesystem>
#include <optional>
#include <vector>

namespace archgrid::report {
namespace {

using coverage::ComputeCapability;
using coverage::Options;
using coverage::PlannedArch;
using coverage::PromisePlace;
using coverage::Remedy;
using coverage::table;
using coverage::Verdict;
using coverage::Version;

std::string file_name(std::string_view path) {
  return std::filesystem::path(path).filename().string();
}

/// Counts source files: each fat binary has one, except for those of a device link.
std::size_t count_units(const Subject& subject) {
  return std::max(subject.units.size(), subject.modules);
}

/// Returns "gemm.cu" for the object "dir/gemm.cu.o"; empty for other files.
std::string source_of_object(std::string_view path) {
  const auto name = path.substr(path.find_last_of("/!") + 1);
  const auto source = name.substr(0, name.rfind('.'));
  const bool is_object =
      source.ends_with(".cu") && (name.ends_with(".o") || name.ends_with(".obj"));
  return is_object ? std::string(source) : std::string();
}

/// Returns "gemm_tile_64.cu of libx.so", "a.cu and 3 more .cu files of libx.so", "gemm.cu" of its
/// own object, or the best available description of the translation units.
std::string where(const Subject& subject) {
  const auto file = file_name(subject.path);
  const auto units = count_units(subject);
  const auto more =
      units == 1 ? std::string()
                 : fmt::format(" and {} more .cu {}", units - 1, units == 2 ? "file" : "files");
  const auto source = source_of_object(subject.path);
  const bool is_own = subject.units.empty() || subject.units.front() == source;
  if (!source.empty() && is_own && units <= 1) return source;
  if (!subject.units.empty()) return fmt::format("{}{} of {}", subject.units.front(), more, file);
  if (!subject.is_named) return fmt::format("{}{} of {}", subject.kernel, more, file);
  if (subject.kernels == 1) return fmt::format("the source of this kernel in {}", file);
  if (units == 1) return fmt::format("the source of these kernels in {}", file);
  return fmt::format("the {} sources of these kernels in {}", units, file);
}

fatbin::Arch own_arch(ComputeCapability device) {
  return {device.number(), '\0'};
}

/// Returns "12.8 to 13.5".
std::string range_of(const std::vector<Version>& versions) {
  if (versions.front() == versions.back()) return versions.front().text();
  return fmt::format("{} to {}", versions.front().text(), versions.back().text());
}

/// Devices that no arch of one toolkit serves.
struct Impossible {
  std::vector<const Remedy*> remedies;
  std::vector<Version> able;  ///< toolkits with archs for all of them

  /// Adds a device if another toolkit serves it and those before.
  bool add(const Remedy& remedy) {
    const auto toolkits = table().toolkits_for(own_arch(remedy.device));
    if (remedies.empty()) {
      able = toolkits;
    } else {
      const auto& first = *remedies.front();
      if (first.unable != remedy.unable || first.recorded != remedy.recorded) return false;
      std::vector<Version> both;
      std::set_intersection(able.begin(), able.end(), toolkits.begin(), toolkits.end(),
                            std::back_inserter(both));
      if (both.empty()) return false;
      able = std::move(both);
    }
    remedies.push_back(&remedy);
    return true;
  }
};

/// Returns the fix for devices that no arch of the toolkit serves.
std::string fix_text(const Impossible& impossible) {
  std::vector<std::string> archs;
  std::vector<std::string> devices;
  for (const auto* remedy : impossible.remedies) {
    archs.push_back(own_arch(remedy->device).text());
    devices.push_back(remedy->device.text());
  }
  const auto& first = *impossible.remedies.front();
  const auto cuda = first.unable->text();
  const auto able = range_of(impossible.able);
  if (!first.recorded) {
    return fmt::format(
        "CUDA {} cannot compile for {}, CUDA {} can: build with one of those, or do not promise {} "
        "for {}",
        cuda, enumerated(archs), able, enumerated(devices), cuda);
  }
  return fmt::format(
      "it was built with CUDA {}, which cannot compile for {}; CUDA {} can: build with one of "
      "those, or do not promise {}",
      cuda, enumerated(archs), able, enumerated(devices));
}

/// Returns nvcc's option for one kind of code.
std::string gencode(const PlannedArch& code) {
  return fmt::format("-gencode arch=compute_{0},code={1}_{0}", code.arch.text(),
                     code.sass ? "sm" : "compute");
}

/// A device that lacks kernels, and the verdicts that its promise accepts.
struct Wanting {
  const Remedy* remedy;
  const coverage::Verdicts* accept;
};

/// An arch to compile for.
struct Addition {
  std::string text;  ///< as CMake spells it
  PlannedArch code;
  std::string why;  ///< that it serves the device, if it is not the device's own; else empty
};

/// Returns the arch to compile for, if the toolkit has one that serves the device.
Addition addition_for(const Remedy& remedy) {
  const auto own = own_arch(remedy.device);
  const auto serves = ", which serves " + remedy.device.text();
  if (remedy.asked) {
    const auto& asked = *remedy.asked;
    return {asked.text, asked.code, asked.code.arch.number == own.number ? "" : serves};
  }
  if (!remedy.unable) return {own.text(), {own, true, false}, ""};
  const auto& another = *remedy.another;
  return {
      another.arch.text() + (another.sass ? "" : "-virtual"), another,
      fmt::format("{} (CUDA {} cannot compile for {})", serves, remedy.unable->text(), own.text())};
}

/// The archs to compile for, of all devices that lack the same kernels.
struct Additions {
  std::string list;     ///< "75 and 120"
  std::string archs;    ///< "75 120"
  std::string options;  ///< of nvcc
  std::string why;      ///< that an arch serves a device; may be empty
};

/// Returns the archs that no other one makes needless: machine code for 8.6 also runs on 8.9.
Additions additions_for(const std::vector<Wanting>& all) {
  std::vector<std::string> archs;
  std::vector<std::string> options;
  std::vector<fatbin::Arch> real;
  Additions found;
  for (const auto& [remedy, accept] : all) {
    const auto added = addition_for(*remedy);
    const auto serves = [&, &device = remedy->device, &accepted = *accept](fatbin::Arch arch) {
      return coverage::arch_serves(arch.text() + "-real", device, accepted);
    };
    const bool is_needless = std::find(archs.begin(), archs.end(), added.text) != archs.end() ||
                             std::any_of(real.begin(), real.end(), serves);
    if (is_needless) continue;
    archs.push_back(added.text);
    options.push_back(gencode(added.code));
    if (added.code.sass) real.push_back(added.code.arch);
    found.why = archs.size() == 1 ? added.why : "";  // of several archs each has its own device
  }
  found.list = enumerated(archs);
  found.archs = fmt::format("{}", fmt::join(archs, " "));
  found.options = fmt::format("{}", fmt::join(options, " "));
  return found;
}

/// Names the matrix file: targets of a cell are compiled for the cell's archs, and code for any
/// other number fails the cell.
std::string ask_for(const Remedy& remedy, const Additions& added) {
  auto fix = fmt::format("add {}{}{} to the archs of CUDA {} in the matrix file", added.list,
                         added.why, added.why.empty() ? "" : ",", remedy.toolkit->text());
  if (remedy.options == Options::nvcc) {
    fix +=
        fmt::format(", and {} to nvcc's options where they do not follow CMAKE_CUDA_ARCHITECTURES",
                    added.options);
  }
  return fix;
}

bool is_impossible(const Remedy& remedy) {
  return remedy.unable && !remedy.another && !remedy.asked;
}

std::string add_archs(const Remedy& remedy, const Additions& added, const Subject& subject) {
  if (remedy.unasked) return ask_for(remedy, added);
  const auto& arch = added.list;
  const auto& archs = added.archs;
  const auto& why = added.why;
  if (remedy.options != Options::cmake) {
    const char* linked = remedy.linked ? " and what it is linked with" : "";
    auto fix = fmt::format("compile {}{} for {} too{}: add {} to nvcc's options", where(subject),
                           linked, arch, why, added.options);
    if (remedy.options == Options::both) {
      fix += fmt::format(", or in CMake {} to CUDA_ARCHITECTURES", archs);
    }
    return fix;
  }
  if (!remedy.target.empty()) {
    return fmt::format("compile {} for {} too{}: add {} to the CUDA_ARCHITECTURES of {}{}",
                       where(subject), arch, why, archs, remedy.target,
                       remedy.linked ? " and of what it is linked with" : "");
  }
  if (remedy.linked) {
    return fmt::format(
        "compile {} and what it is linked with for {} too{}: add {} to the CUDA_ARCHITECTURES of "
        "the targets that compile them, and of the one that links them",
        where(subject), arch, why, archs);
  }
  return fmt::format(
      "compile {} for {} too{}: add {} to the CUDA_ARCHITECTURES of the target that compiles it",
      where(subject), arch, why, archs);
}

/// Names the archs for all devices, and last why some are impossible.
std::string compile_too(const std::vector<Wanting>& all, const Subject& subject) {
  std::vector<Wanting> able;
  std::vector<Impossible> impossible;
  for (const auto& each : all) {
    if (!is_impossible(*each.remedy)) {
      able.push_back(each);
    } else if (impossible.empty() || !impossible.back().add(*each.remedy)) {
      impossible.emplace_back().add(*each.remedy);
    }
  }
  std::string fix;
  if (!able.empty()) fix = add_archs(*able.front().remedy, additions_for(able), subject);
  for (const auto& each : impossible) fix += (fix.empty() ? "" : "; ") + fix_text(each);
  return fix;
}

std::string instantiate(const Remedy& remedy, const Subject& subject) {
  const bool one = subject.kernels == 1;
  return fmt::format(
      "{} {} compiled for {}, but without {}: look for an `#if __CUDA_ARCH__` around {} or around "
      "what instantiates {}, do not promise {}, or ignore {} with a reason",
      where(subject), count_units(subject) == 1 ? "is" : "are", remedy.compiled,
      one ? "this kernel" : "these kernels", one ? "it" : "them", one ? "it" : "them",
      remedy.device.text(), one ? "it" : "them");
}

/// Returns the file of the promise and its ignores.
const char* promise_file(const Remedy& remedy) {
  return remedy.place == PromisePlace::pyproject ? "[tool.archgrid]" : "the matrix file";
}

/// Returns where a promise accepts a verdict.
std::string accept_place(const Remedy& remedy) {
  if (remedy.place == PromisePlace::options) return "--accept";
  if (remedy.place == PromisePlace::cmake) return "the ACCEPT of archgrid_promise()";
  return fmt::format("\"accept\" in {}", promise_file(remedy));
}

/// Returns the name of a verdict as the place of the promise has it.
std::string accepted_name(const Remedy& remedy, Verdict verdict) {
  const bool is_json =
      remedy.place == PromisePlace::matrix_file || remedy.place == PromisePlace::pyproject;
  const auto* const name = coverage::name_of(verdict);
  return is_json ? fmt::format("\"{}\"", name) : name;
}

std::string give_a_body(const Remedy& remedy, const Subject& subject) {
  const auto device = remedy.device.text();
  if (subject.kernels > 1) {
    return fmt::format(
        "give them a body: look at the `#if __CUDA_ARCH__` guards in {1} and what it includes; if "
        "the host never launches them on {0}, ignore them with that reason, or add {2} to {3}",
        device, where(subject), accepted_name(remedy, Verdict::empty), accept_place(remedy));
  }
  return fmt::format(
      "give the kernel a body for {} in {}: look at its `#if __CUDA_ARCH__` guards, or ignore it "
      "with a reason",
      device, where(subject));
}

/// Returns the fix for a symbol that is used but not defined.
std::string define(const Remedy& remedy, const Subject& subject) {
  const bool one = subject.kernels == 1;
  return fmt::format(
      "link {1} with the code that defines {0} (nvcc -dlink -cubin), or audit that file too; where "
      "the program links {1} when it runs, ignore {1} with that reason",
      remedy.undefined, one ? "it" : "them");
}

/// Reports whether code is better than all that a promise accepts, which then was meant to be
/// accepted, too.
bool is_better(const Remedy& remedy, const coverage::Verdicts& accept) {
  if (accept.empty()) return false;
  if (remedy.verdict == Verdict::native) return true;
  return remedy.verdict == Verdict::compatible && accept.count(Verdict::native) == 0 &&
         accept.count(Verdict::jit) != 0;
}

/// Returns the fix for better code than a promise accepts: to accept it.
std::string accept_too(const Remedy& remedy) {
  return fmt::format("add {} to {}", accepted_name(remedy, remedy.verdict), accept_place(remedy));
}

/// Reports whether remedies for two devices name the same place.
bool is_alike(const Remedy& left, const Remedy& right) {
  return left.verdict == right.verdict && left.options == right.options &&
         left.target == right.target && left.linked == right.linked &&
         left.unasked == right.unasked && left.toolkit == right.toolkit;
}

/// Returns the fix for devices with remedies that are alike.
std::string fix_text(const std::vector<Wanting>& all, const Subject& subject) {
  const auto& remedy = *all.front().remedy;
  if (is_better(remedy, *all.front().accept)) return accept_too(remedy);
  switch (remedy.verdict) {
    case Verdict::empty:
      if (remedy.idle_ptx) {
        return compile_too(all, subject) + "; or look at the `#if __CUDA_ARCH__` guards there";
      }
      return give_a_body(remedy, subject);
    case Verdict::ptx_too_new:
      return compile_too(all, subject) + ", or promise a newer driver";
    case Verdict::unknown:
      if (remedy.damaged) {
        return fmt::format("audit an undamaged copy of {}: what it has for {} cannot be read",
                           file_name(subject.path), remedy.device.text());
      }
      if (!remedy.undefined.empty()) return define(remedy, subject);
      return "so that there is machine code to judge, " + compile_too(all, subject);
    case Verdict::missing:
      return remedy.compiled.empty() ? compile_too(all, subject) : instantiate(remedy, subject);
    case Verdict::native:
    case Verdict::compatible:
    case Verdict::jit:
    case Verdict::wrong_suffix:
      break;
  }
  return compile_too(all, subject);
}

}  // namespace

bool is_compiled(const Remedy& remedy) {
  switch (remedy.verdict) {
    case Verdict::empty:
      return remedy.idle_ptx;
    case Verdict::unknown:
      return !remedy.damaged && remedy.undefined.empty();
    case Verdict::missing:
      return remedy.compiled.empty();
    case Verdict::native:
    case Verdict::compatible:
    case Verdict::jit:
    case Verdict::ptx_too_new:
    case Verdict::wrong_suffix:
      break;
  }
  return true;
}

std::string fix_text(const Remedy& remedy, const coverage::Verdicts& accept,
                     const Subject& subject) {
  return fix_text({{&remedy, &accept}}, subject);
}

std::optional<std::string> common_fix(const std::vector<const coverage::Finding*>& findings,
                                      const Subject& subject) {
  std::vector<Wanting> all;
  for (const auto* finding : findings) {
    if (!finding->broken) return std::nullopt;
    const auto& broken = *finding->broken;
    if (!is_compiled(broken.remedy) || !is_alike(broken.remedy, findings.front()->broken->remedy)) {
      return std::nullopt;
    }
    all.push_back({&broken.remedy, &broken.accept});
  }
  return fix_text(all, subject);
}

std::string fix_of(const coverage::Served& served) {
  if (!served.remedy) return {};
  Subject subject{served.path, served.demangled.str(), !served.kernel.empty(), 1, {}, 1};
  if (!served.unit.empty()) subject.units.push_back(served.unit);
  return fix_text(*served.remedy, {}, subject);
}

}  // namespace archgrid::report
