// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <archgrid/words.hpp>
#include <archgrid/words/cause_text.hpp>
#include <archgrid/words/phrase.hpp>
#include <cctype>
#include <filesystem>
#include <map>
#include <optional>
#include <tuple>

#include "facts_text.hpp"

namespace archgrid::report {
namespace {

using coverage::Cause;
using coverage::ComputeCapability;
using coverage::Finding;
using coverage::Rule;
using coverage::Version;
using fatbin::Body;

/// Returns "T4, RTX 20".
std::string products_text(ComputeCapability device) {
  constexpr std::ptrdiff_t kMaxProducts = 2;
  const auto* gpu = coverage::table().find_architecture(device.number());
  if (gpu == nullptr) return {};
  const auto& products = gpu->products;
  const auto count = std::min(kMaxProducts, static_cast<std::ptrdiff_t>(products.size()));
  return fmt::format("{}", fmt::join(products.begin(), products.begin() + count, ", "));
}

const Cause& cause_of(const Finding& finding) {
  return *finding.cause;
}

bool is_one(const Finding& finding) {
  return finding.kernels == 1;
}

/// Counts the source files of the kernels: by name, or by fat binary if they have no names.
std::size_t count_units(const Cause& cause) {
  return cause.units.empty() ? cause.modules : cause.units.size();
}

/// Returns "gemm.cu", "gemm.cu and 3 more .cu files", "its .cu file", "their 12 .cu files".
std::string units_text(const Finding& finding) {
  const auto& cause = cause_of(finding);
  const auto more = count_units(cause) - 1;
  if (cause.units.empty()) {
    const auto* const whose = is_one(finding) ? "its" : "their";
    return more == 0 ? fmt::format("{} .cu file", whose)
                     : fmt::format("{} {} .cu files", whose, more + 1);
  }
  if (more == 0) return cause.units.front();
  return fmt::format("{} and {}", cause.units.front(), count_text(more, "more .cu file"));
}

/// The nearest toolkit with an arch that the kernels' toolkit lacks.
struct AbleToolkit {
  Version cuda;
  bool is_newer = false;
  friend bool operator<(const AbleToolkit& left, const AbleToolkit& right) {
    return std::tie(left.is_newer, left.cuda) < std::tie(right.is_newer, right.cuda);
  }
};

/// Returns the toolkit for an arch; nothing if the one that compiled the kernels has the arch, or
/// is unknown.
std::optional<AbleToolkit> able_toolkit(const Finding& finding, fatbin::Arch arch) {
  const auto& toolkit = cause_of(finding).toolkit;
  const auto able = coverage::table().toolkits_for(arch);
  if (!toolkit || able.empty()) return std::nullopt;
  if (*toolkit < able.front()) return AbleToolkit{able.front(), true};
  const bool is_known = coverage::table().find_toolkit(*toolkit) != nullptr;
  if (!(able.back() < *toolkit) || !is_known) return std::nullopt;
  return AbleToolkit{able.back(), false};
}

/// Returns "compile it for 60 and 70 with CUDA 12.9 or older: CUDA 13.2, which compiled it, has no
/// 60 and 70". `toolkits` are those of all files with the cause.
std::string inability_text(const Finding& finding, const AbleToolkit& able,
                           const std::vector<std::string>& archs, const Toolkits& toolkits) {
  const bool is_range = toolkits.size() > 1;
  const auto text =
      is_range ? fmt::format("{} to {}", toolkits.begin()->text(), toolkits.rbegin()->text())
               : cause_of(finding).toolkit->text();
  const auto list = enumerated(archs);
  const auto* const them = is_one(finding) ? "it" : "them";
  return fmt::format("compile {} for {} with CUDA {} or {}: CUDA {}, which compiled {}, {} no {}",
                     them, list, able.cuda.text(), able.is_newer ? "newer" : "older", text, them,
                     is_range ? "have" : "has", list);
}

std::string compile_for(const Finding& finding, const std::vector<std::string>& archs) {
  std::string options;
  for (const auto& arch : archs) {
    options += fmt::format("{}-gencode arch=compute_{},code=sm_{}", options.empty() ? "" : " ",
                           arch, arch);
  }
  const auto list = fmt::format("{}", fmt::join(archs, " "));
  return fmt::format(
      "compile {} for {} too: add {} to CUDA_ARCHITECTURES in CMake, or {} to nvcc's options",
      units_text(finding), list, list, options);
}

/// Returns the fix for a file whose name says that it is for another arch than those it lacks.
std::string other_file_fix(int named_for, const std::vector<std::string>& archs,
                           std::string_view but) {
  return fmt::format("build a file for {}, too: by its name this one is for {}; or do not {}",
                     enumerated(archs), named_for, but);
}

/// Returns the number after the last "sm" or "sm_" of a file's name: 80 of "fwd_sm80.cu"; 0 for
/// none.
int arch_named(std::string_view unit) {
  const auto at = unit.rfind("sm");
  if (at == std::string_view::npos) return 0;
  if (at > 0 && std::isalnum(static_cast<unsigned char>(unit[at - 1])) != 0) return 0;
  auto rest = unit.substr(at + 2);
  if (!rest.empty() && rest.front() == '_') rest.remove_prefix(1);
  constexpr std::size_t kMaxDigits = 3;
  int number = 0;
  std::size_t digits = 0;
  for (; digits < rest.size() && rest[digits] >= '0' && rest[digits] <= '9'; ++digits) {
    if (digits == kMaxDigits) return 0;
    number = number * 10 + (rest[digits] - '0');
  }
  return digits < 2 ? 0 : number;
}

/// The units whose names say that they are for newer archs than all devices of a cause.
struct NamedUnits {
  std::size_t count = 0;
  int oldest = 0;  ///< the oldest arch that they name
  bool differ = false;
};

NamedUnits units_named_for_newer(const Cause& cause) {
  NamedUnits named;
  for (const auto& unit : cause.units) {
    const auto arch = arch_named(unit);
    const bool is_newer =
        std::all_of(cause.devices.begin(), cause.devices.end(),
                    [arch](ComputeCapability device) { return device.number() < arch; });
    if (!is_newer) continue;
    ++named.count;
    named.differ = named.differ || (named.oldest != 0 && named.oldest != arch);
    named.oldest = named.oldest == 0 ? arch : std::min(named.oldest, arch);
  }
  return named;
}

/// Returns the fix if most units are by their names for newer archs: such code rarely compiles for
/// older ones. Empty otherwise.
std::string named_units_fix(const Cause& cause) {
  const auto named = units_named_for_newer(cause);
  const auto all = cause.units.size();
  if (named.count * 2 <= all) return {};
  const auto archs = fmt::format("{}{}", named.oldest, named.differ ? " and newer" : "");
  const auto who = all == 1 ? fmt::format("by its file's name this is for {}", archs)
                   : named.count == all
                       ? fmt::format("by the names of its files this is for {}", archs)
                       : fmt::format("{} of its {} .cu files are by their names for {}",
                                     named.count, all, archs);
  return fmt::format("{}: let host code not use {} on older GPUs, or ignore it", who,
                     named.count == all ? "it" : "them");
}

/// Names the archs to compile for, and why some need another toolkit. Of each major version these
/// are the lowest with each toolkit, whose code runs on the others.
std::string arch_fix(const Finding& finding, const Toolkits& toolkits) {
  const auto& cause = cause_of(finding);
  std::map<std::pair<std::optional<AbleToolkit>, int>, std::string> lowest;
  for (const auto device : cause.devices) {
    const fatbin::Arch arch{device.number(), '\0'};
    lowest.try_emplace({able_toolkit(finding, arch), device.major}, arch.text());
  }
  std::vector<std::string> archs;
  std::map<AbleToolkit, std::vector<std::string>> others;
  for (const auto& [key, arch] : lowest) (key.first ? others[*key.first] : archs).push_back(arch);
  if (cause.named_for != 0) {
    for (const auto& [able, lacking] : others)
      archs.insert(archs.end(), lacking.begin(), lacking.end());
    std::vector<std::string> devices;
    for (const auto device : cause.devices) devices.push_back(device.text());
    return other_file_fix(cause.named_for, archs,
                          fmt::format("expect {} of it", enumerated(devices)));
  }
  if (auto fix = named_units_fix(cause); !fix.empty()) return fix;
  std::string inabilities;
  for (const auto& [able, lacking] : others) {
    inabilities +=
        (inabilities.empty() ? "" : "; ") + inability_text(finding, able, lacking, toolkits);
  }
  if (archs.empty()) return inabilities;
  const auto fix = compile_for(finding, archs);
  return inabilities.empty() ? fix : fix + "; " + inabilities;
}

/// Returns "its body is empty", "their bodies only print".
std::string act_of(const Finding& finding) {
  const bool one = is_one(finding);
  const auto says = [one](const char* of_one, const char* of_several) {
    return fmt::format("{} {}", one ? "its body" : "their bodies", one ? of_one : of_several);
  };
  switch (cause_of(finding).body) {
    case Body::trap:
      return says("only traps", "only trap");
    case Body::print:
      return says("only prints", "only print");
    case Body::print_trap:
      return says("only prints and traps", "only print and trap");
    case Body::assertion:
      return says("only asserts", "only assert");
    case Body::inert:
      return says("stores nothing that outlasts its block",
                  "store nothing that outlasts the block");
    default:
      return says("is empty", "are empty");
  }
}

/// Returns ": \"this is for sm90\"", the text that a body prints or asserts.
std::string quote_of(const Cause& cause) {
  constexpr std::size_t kMaxQuote = 120;
  if (cause.says.empty()) return {};
  return fmt::format("{}\"{}\"", cause.says_differ ? ", the first " : ": ",
                     beginning(cause.says, kMaxQuote));
}

std::string refusal_of(const Finding& finding) {
  const auto& ptx = cause_of(finding).idle_ptx;
  const auto act = act_of(finding) + quote_of(cause_of(finding));
  return ptx ? fmt::format("the driver compiles compute_{} PTX, in which {}", ptx->text(), act)
             : act;
}

/// Describes the effect on the kernels, without the GPUs.
std::string fate_of(const Finding& finding) {
  const auto& code = finding.code;
  const bool one = is_one(finding);
  if (code == "jit") return one ? "is compiled from PTX" : "are compiled from PTX";
  if (code == "unknown") return "may not run";
  if (code == "compatible") return one ? "has compatible code" : "have compatible code";
  if (code == "native") return one ? "has native code" : "have native code";
  if (code == "stub") {
    return (one ? "only prints or asserts" : "only print or assert") +
           quote_of(finding.cause.value());
  }
  if (code == "trap") return one ? "only traps" : "only trap";
  if (code == "empty") return one ? "does nothing" : "do nothing";
  return one ? "has no code" : "have no code";
}

/// Returns "a.cu and 1 more .cu file are compiled for 80", or what PTX means if the file does not
/// record its sources.
std::string slow_start_text(const Finding& finding) {
  const auto& cause = cause_of(finding);
  if (cause.archs.empty() || cause.units.empty()) return "the program starts slowly the first time";
  return fmt::format("{} {} compiled for {}, with PTX", units_text(finding),
                     count_units(cause) == 1 ? "is" : "are", cause.archs);
}

std::string reason_of(const Finding& finding) {
  const auto& cause = cause_of(finding);
  switch (cause.rule) {
    case Rule::host_picks:
      return "host code picks the image";
    case Rule::not_registered:
      return "not named by host code";
    case Rule::suffix:
      return cause.archs.empty() ? std::string("compiled for archs with a suffix alone")
                                 : fmt::format("compiled for {} alone", cause.archs);
    case Rule::named:
      return "named for other GPUs";
    case Rule::types:
      return "built with code that needs a newer GPU";
    case Rule::instructions:
      return "the unit has instructions that the GPU lacks";
    case Rule::arch_lists:
      return "the file has many different lists of archs";
    case Rule::sibling:
      return "other variants work there";
    case Rule::newer_generation:
      return "they work from 9.0 on alone";
    case Rule::older_gpus:
      return "they work on older GPUs";
    case Rule::says:
      return "what they print names GPUs";
    case Rule::host_checks:
      return "host code checks the GPU and does not launch " +
             std::string(is_one(finding) ? "it" : "them") + " there";
    case Rule::host_checks_in_part:
      return "some host code checks the GPU before it launches " +
             std::string(is_one(finding) ? "it" : "them");
    case Rule::python_checks:
      return "Python code of the package asks for the compute capability";
    case Rule::newer_gpus:
      return "the file is compiled for newer GPUs alone";
    case Rule::nvidia:
      return "of a library of NVIDIA, which picks by GPU";
    case Rule::compiles:
      return "host code compiles kernels at run time";
    case Rule::complement:
      return "other kernels of the unit work exactly there";
    case Rule::variant:
      return "other files of the package have them, and run there";
    case Rule::minority:
      return "other files of the package run there";
    case Rule::compatible:
      return "that machine code is not accepted";
    case Rule::jit:
      return slow_start_text(finding);
    case Rule::unknown:
      return "what the GPU takes cannot be judged";
    default:
      return coverage::name_of(cause.rule);
  }
}

std::string promise_message(const Finding& finding) {
  const auto& broken = finding.broken.value();
  if (broken.is_dispatch) {
    return fmt::format(
        "{} kernels do no work on {}, while other bodies of theirs store to memory: template "
        "dispatch leaves such bodies, and so does a wrong `#if __CUDA_ARCH__`",
        finding.kernels, finding.device);
  }
  return fmt::format("{}; promised is {}", reason_text(broken.reason, finding.device),
                     coverage::list_verdicts(broken.accept));
}

Subject subject_of(const Finding& finding) {
  const auto& cause = cause_of(finding);
  return {
      finding.path, finding.demangled.str(), !finding.kernel.empty(), finding.kernels, cause.units,
      cause.modules};
}

/// Returns the fix for a file whose name says that it is for another arch than those of the
/// findings, if to compile for them is the fix; otherwise an empty string.
std::string named_fix(const std::vector<const Finding*>& findings) {
  std::vector<std::string> archs;
  std::vector<std::string> devices;
  for (const auto* finding : findings) {
    const auto& remedy = finding->broken.value().remedy;
    if (cause_of(*finding).named_for == 0 || !is_compiled(remedy)) return {};
    archs.push_back(fatbin::Arch{remedy.device.number(), '\0'}.text());
    devices.push_back(finding->device);
  }
  return other_file_fix(cause_of(*findings.front()).named_for, archs,
                        fmt::format("promise {} for it", enumerated(devices)));
}

std::string promise_fix(const Finding& finding) {
  auto fix = named_fix({&finding});
  const auto& broken = finding.broken.value();
  return fix.empty() ? fix_text(broken.remedy, broken.accept, subject_of(finding)) : fix;
}

/// Returns the devices of the findings whose fix differs from the first's: "; likewise for 9.0".
std::string other_devices(const std::vector<const Finding*>& findings) {
  std::vector<std::string_view> others;
  const auto first = fix_of(*findings.front());
  for (const auto* finding : findings) {
    if (fix_of(*finding) != first) others.push_back(finding->device);
  }
  return others.empty() ? std::string() : fmt::format("; likewise for {}", fmt::join(others, ", "));
}

/// Adds what else is possible if no command of the build names the file.
std::string with_leftover(std::string fix, const Finding& finding) {
  if (!finding.may_be_leftover || fix.empty()) return fix;
  const auto& path = finding.path;
  const auto file = std::filesystem::path(path.substr(0, path.find('!'))).filename().string();
  return fmt::format(
      "{}; or delete {}, if an earlier build left it: no command of the build names it as its "
      "output",
      fix, file);
}

}  // namespace

std::string gpu_text(ComputeCapability device) {
  const auto products = products_text(device);
  return products.empty() ? device.text() : device.text() + ' ' + products;
}

std::string gpus_text(const std::vector<ComputeCapability>& devices) {
  constexpr std::size_t kMaxNamed = 2;
  std::vector<std::string> texts;
  for (const auto device : devices) {
    const auto products = devices.size() > kMaxNamed ? std::string() : products_text(device);
    texts.push_back(products.empty() ? device.text()
                                     : fmt::format("{} ({})", device.text(), products));
  }
  return enumerated(texts);
}

/// "driver 525 reads PTX up to ISA 8.0, but this has 8.7"
std::string too_new_text(const Cause& cause) {
  const auto& ptx = cause.too_new_ptx.value();
  return fmt::format("{} reads PTX up to ISA {}, but this has {}", ptx.driver.name,
                     ptx.driver.ptx_isa.text(), ptx.isa.text());
}

std::string cause_message(const Finding& finding) {
  const auto& cause = cause_of(finding);
  const auto gpus = gpus_text(cause.devices);
  const auto* const them = is_one(finding) ? "it" : "them";
  switch (cause.rule) {
    case Rule::registered:
      if (finding.code == "name-differs") {
        return fmt::format(
            "a launch fails on {}: the code for that GPU has {} under another name, which depends "
            "on "
            "`__CUDA_ARCH__`",
            gpus, them);
      }
      return fmt::format(
          "a launch fails on {}: host code names {}, and the code for that GPU lacks {}", gpus,
          them, them);
    case Rule::unit:
      return fmt::format(
          "{} {} compiled for {}: nothing of that runs on {}, which the rest of the file serves",
          units_text(finding), count_units(cause) == 1 ? "is" : "are",
          cause.archs.empty() ? "other archs" : cause.archs, gpus);
    case Rule::package:
    case Rule::left_behind:
      return fmt::format(
          "{} of {} of the file {} no code for {}, which the package serves elsewhere",
          finding.kernels, count_text(cause.of_kernels, "kernel"), is_one(finding) ? "has" : "have",
          gpus);
    case Rule::promised:
      return promise_message(finding);
    case Rule::claimed:
      return fmt::format(
          "{} of {} of the file {} no code for {}, which the package "
          "supports by its metadata",
          finding.kernels, count_text(cause.of_kernels, "kernel"), is_one(finding) ? "has" : "have",
          gpus);
    case Rule::asked:
      if (cause.body != Body::unknown) {
        return fmt::format("{} of {} of the file {} nothing on {}: {}", finding.kernels,
                           count_text(cause.of_kernels, "kernel"), is_one(finding) ? "does" : "do",
                           gpus, refusal_of(finding));
      }
      return fmt::format("{} of {} of the file {} {} for {}", finding.kernels,
                         count_text(cause.of_kernels, "kernel"), is_one(finding) ? "has" : "have",
                         finding.code == "unknown" ? "only code that cannot be judged" : "no code",
                         gpus);
    case Rule::driver:
      return fmt::format("{} of {} of the file {} only PTX for {}, and {}", finding.kernels,
                         count_text(cause.of_kernels, "kernel"), is_one(finding) ? "has" : "have",
                         gpus, too_new_text(cause));
    case Rule::no_sibling:
      return fmt::format("on {} {}, and no other variant works there", gpus, refusal_of(finding));
    case Rule::own_generation:
      return fmt::format("on {} {}, while other GPUs of that generation are served", gpus,
                         refusal_of(finding));
    case Rule::worked:
      return fmt::format("on {} {}, while {} there by the baseline", gpus, refusal_of(finding),
                         is_one(finding) ? "it worked" : "they worked");
    default:
      return suspect_text(finding);
  }
}

/// Returns the fix for bodies that do no work.
std::string body_fix(const Finding& finding, const Toolkits& toolkits) {
  const auto guards =
      fmt::format("look at the `#if __CUDA_ARCH__` guards in {}", units_text(finding));
  return cause_of(finding).idle_ptx ? arch_fix(finding, toolkits) + "; or " + guards : guards;
}

std::string cause_fix(const Finding& finding, const Toolkits& toolkits) {
  switch (cause_of(finding).rule) {
    case Rule::registered:
      if (finding.code == "name-differs") {
        return fmt::format(
            "use the same types for every architecture: look for `#if __CUDA_ARCH__` in {}",
            units_text(finding));
      }
      return fmt::format(
          "look for an `#if __CUDA_ARCH__` around {} in {}, or let host code not launch {} there",
          is_one(finding) ? "it" : "them", units_text(finding), is_one(finding) ? "it" : "them");
    case Rule::promised:
      return promise_fix(finding);
    case Rule::asked:
      if (cause_of(finding).body != Body::unknown) return body_fix(finding, toolkits);
      return arch_fix(finding, toolkits);
    case Rule::unit:
    case Rule::package:
    case Rule::left_behind:
    case Rule::claimed:
      return arch_fix(finding, toolkits);
    case Rule::driver: {
      const auto& cause = cause_of(finding);
      const auto& [isa, driver, first_branch] = cause.too_new_ptx.value();
      auto branch = first_branch;
      bool is_known = false;
      for (const auto device : cause.devices) {
        const auto* gpu = coverage::table().find_architecture(device.number());
        if (branch != 0 && gpu != nullptr) branch = std::max(branch, gpu->first_driver);
        is_known |=
            gpu == nullptr || coverage::fit_of(driver, *gpu) != coverage::DriverFit::too_old;
      }
      if (branch == 0) return arch_fix(finding, toolkits);
      const auto install = fmt::format("install driver {} or newer", branch);
      // Machine code does not help a driver that does not know the GPU.
      return is_known ? install + ", or " + arch_fix(finding, toolkits) : install;
    }
    case Rule::no_sibling:
    case Rule::own_generation:
    case Rule::worked:
      return body_fix(finding, toolkits);
    default:
      return {};
  }
}

std::string evidence_text(Rule rule) {
  switch (rule) {
    case Rule::registered:
      return "a string of the host code is the kernel's name, as what <<<>>> launches is "
             "registered by name, and the image that the driver takes for the GPU lacks it";
    case Rule::unit:
      return "the rest of the file serves the GPU, and neither names, types nor archs explain why "
             "the unit does not";
    case Rule::package:
      return "some kernels of the file have code for the GPU and most do not, while the package "
             "serves it";
    case Rule::left_behind:
      return "the file has machine code for older GPUs and none for this one, which the package "
             "serves";
    case Rule::no_sibling:
      return "the body in the image for the GPU does no work, and no other variant of the kernel "
             "works there";
    case Rule::own_generation:
      return "the body for the GPU only prints or asserts, and the kernel works on another GPU of "
             "the generation";
    case Rule::worked:
      return "the body for the GPU does no work, and by the baseline the kernel worked there";
    case Rule::claimed:
      return "variant.json or the description of the wheel, or the dependencies of the conda "
             "package, name the GPU, and the file has no code for it";
    case Rule::promised:
      return "a promise of the matrix file or of [tool.archgrid], or --accept, names the kernel "
             "and the "
             "GPU";
    case Rule::asked:
      return "the GPU was asked about, and most of the package does not run there, or does nothing";
    case Rule::driver:
      return "there is no machine code for the GPU, and the driver that was named does not read "
             "the "
             "ISA version of the PTX";
    case Rule::host_picks:
      return "no start-up code registers the image: host code picks it, and may have another for "
             "the GPU";
    case Rule::not_registered:
      return "no string of the host code is the kernel's name, so <<<>>> does not launch it";
    case Rule::suffix:
      return "all images of the unit have a suffix (90a, 100f), which is for one GPU or family";
    case Rule::named:
      return "the name of the kernel, of its .cu file or of the library says which GPUs it is for";
    case Rule::types:
      return "the kernel's name has a type or an instruction that the GPU lacks, or other "
             "variants with the same archs do";
    case Rule::instructions:
      return "machine code of the unit, or of another with the same archs, has instructions that "
             "the "
             "GPU lacks: matrix products of tensor cores, ldmatrix or cp.async";
    case Rule::arch_lists:
      return "many lists of archs are each shared by units of the file, as of projects that choose "
             "archs source by source";
    case Rule::nvidia:
      return "the kernel is of a library of NVIDIA, which has kernels for each generation";
    case Rule::compiles:
      return "host code imports NVRTC, or speaks of it and the unit is compiled for newer GPUs "
             "alone: it may compile the kernel itself";
    case Rule::sibling:
      return "the body for the GPU does no work, and other variants work there: dispatch";
    case Rule::complement:
      return "another kernel of the unit works exactly where this one does no work, and the other "
             "way round";
    case Rule::newer_generation:
      return "the body for the GPU does no work, and works from 9.0 on alone, as what needs TMA or "
             "clusters";
    case Rule::older_gpus:
      return "the body does no work on the GPU and works on older ones: a guard with an upper "
             "bound "
             "is written on purpose";
    case Rule::says:
      return "what the body prints names the GPUs that it is for: somebody chose them";
    case Rule::host_checks:
      return "the machine code of the host functions that launch the kernel was followed with the "
             "compute capability of the GPU: no path leads to the launch, while one does for a GPU "
             "on which the kernel works";
    case Rule::host_checks_in_part:
      return "the machine code of the host functions that launch the kernel was followed with the "
             "compute capability of the GPU: one of them does not launch it there, and does on a "
             "GPU "
             "where it works; of others no check was found";
    case Rule::python_checks:
      return "the file is a module of Python, whose code in the package asks for the compute "
             "capability; the kernel works on newer GPUs alone, or on older ones while other units "
             "are for that GPU alone";
    case Rule::newer_gpus:
      return "the file has machine code for newer GPUs alone";
    case Rule::variant:
      return "most kernels of the file are in another file of the package that serves the GPU";
    case Rule::minority:
      return "a file with fewer of the package's kernels serves the GPU";
    case Rule::jit:
      return "for the GPU there is PTX alone, which the driver compiles";
    case Rule::compatible:
      return "the machine code that runs there is of a kind that --accept leaves out";
    case Rule::unknown:
      break;
  }
  return "what the driver takes for the GPU cannot be told";
}

std::string suspect_text(const Finding& finding) {
  constexpr std::size_t kMaxName = 40;
  const auto& cause = cause_of(finding);
  const auto plain = coverage::without_signature(fatbin::printable(finding.demangled.str()));
  const auto first = beginning(coverage::without_namespaces(plain), kMaxName);
  const auto kernels =
      is_one(finding)
          ? first
          : fmt::format("{} and {}", first, count_text(finding.kernels - 1, "more kernel"));
  return fmt::format("{} {} on {}{}: {}", kernels, fate_of(finding),
                     cause.differs ? "some of " : "", gpus_text(cause.devices), reason_of(finding));
}

std::string message_of(const Finding& finding) {
  if (!finding.message.empty()) return finding.message;
  return finding.cause ? cause_message(finding) : facts_message(finding);
}

std::string fix_of(const Finding& finding, const Toolkits& toolkits) {
  auto fix = finding.fix;
  if (finding.message.empty()) {
    fix = finding.cause ? cause_fix(finding, toolkits) : facts_fix(finding);
  }
  return with_leftover(std::move(fix), finding);
}

std::string fix_of(const std::vector<const Finding*>& findings, const Toolkits& toolkits) {
  const auto& first = *findings.front();
  if (findings.size() > 1 && first.broken) {
    auto fix = named_fix(findings);
    if (fix.empty()) fix = common_fix(findings, subject_of(first)).value_or("");
    if (!fix.empty()) return with_leftover(std::move(fix), first);
  }
  const auto fix = fix_of(first, toolkits);
  return fix.empty() ? fix : fix + other_devices(findings);
}

}  // namespace archgrid::report
