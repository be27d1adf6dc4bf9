// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include "facts_text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <archgrid/words/cause_text.hpp>
#include <archgrid/words/phrase.hpp>
#include <array>
#include <stdexcept>
#include <string_view>
#include <vector>

#include "cell_text.hpp"

namespace archgrid::report {
namespace {

using coverage::Facts;
using coverage::Finding;

/// Returns "promises[0]: ", or an empty string.
std::string place_text(const Facts& facts) {
  const auto& place = optional_fact(facts, "place");
  return place.empty() ? place : place + ": ";
}

}  // namespace

std::vector<std::string> parts_of(std::string_view list) {
  constexpr std::string_view kComma = ", ";
  std::vector<std::string> parts;
  while (!list.empty()) {
    const auto end = list.find(kComma);
    parts.emplace_back(list.substr(0, end));
    list = end == std::string_view::npos ? std::string_view() : list.substr(end + kComma.size());
  }
  return parts;
}

namespace {

/// Returns "80 and 90".
std::string archs_text(const Facts& facts) {
  return fmt::format("{}", fmt::join(parts_of(fact(facts, "archs")), " and "));
}

/// Words for the measure that a budget limits.
struct MeasureWords {
  std::string_view measure;
  std::string_view name;
  std::string_view unit;
  std::string_view over;  ///< a fix besides raising the limit
};

const MeasureWords& words_of(std::string_view measure) {
  static constexpr std::array<MeasureWords, 5> kWords = {{
      {"registers", "registers", "registers",
       "compile it for fewer (__launch_bounds__, -maxrregcount)"},
      {"spills", "spills", "bytes of spills",
       "leave it more registers (__launch_bounds__, -maxrregcount) or make it smaller"},
      {"stack", "the stack", "bytes of stack", "make its local arrays and its calls smaller"},
      {"shared", "shared memory", "bytes of static shared memory",
       "make its __shared__ arrays smaller"},
      {"bytes", "", "bytes",
       "compress the device code (-Xfatbin -compress-all), compile less of it for this arch"},
  }};
  for (const auto& words : kWords) {
    if (words.measure == measure) return words;
  }
  throw std::logic_error("no words for the measure " + std::string(measure));
}

/// Returns "budgets[0] allows 128 (two blocks)".
std::string limit_text(const Facts& facts) {
  const auto& reason = fact(facts, "reason");
  return fmt::format("{} allows {}{}", fact(facts, "place"), fact(facts, "limit"),
                     reason.empty() ? reason : fmt::format(" ({})", reason));
}

/// Returns "168 registers for 90, 140 for 80; budgets[0] allows 128".
std::string over_text(const Facts& facts) {
  const auto& measure = fact(facts, "measure");
  if (measure == "bytes") {
    return fmt::format("{} bytes are stored for {} ({} of them machine code); {}",
                       fact(facts, "amounts"), fact(facts, "archs"), fact(facts, "code"),
                       limit_text(facts));
  }
  const auto archs = parts_of(fact(facts, "archs"));
  const auto amounts = parts_of(fact(facts, "amounts"));
  std::string text;
  for (std::size_t index = 0; index < archs.size(); ++index) {
    text += index == 0 ? fmt::format("{} {} for {}", amounts.at(index), words_of(measure).unit,
                                     archs[index])
                       : fmt::format(", {} for {}", amounts.at(index), archs[index]);
  }
  return fmt::format("{}; {}", text, limit_text(facts));
}

std::string unknown_text(const Facts& facts) {
  const auto& kernels = fact(facts, "kernels");
  const auto& toolkits = fact(facts, "toolkits");
  return fmt::format("{} machine code for {}{} does not record {}; {}",
                     kernels == "1" ? "its" : fmt::format("the {} kernels'", kernels),
                     fact(facts, "archs"),
                     toolkits.empty() ? toolkits : fmt::format(", of CUDA {},", toolkits),
                     words_of(fact(facts, "measure")).name, limit_text(facts));
}

std::string unused_budget_text(const Facts& facts) {
  const auto& kernels = fact(facts, "kernels");
  const auto& archs = fact(facts, "archs");
  return fmt::format("{}it matches no {}{}{}", place_text(facts),
                     optional_fact(facts, "measure") == "bytes" ? "image" : "machine code",
                     kernels.empty() ? kernels : fmt::format(" of a kernel \"{}\"", kernels),
                     archs.empty() ? archs : " for " + archs);
}

std::string not_linked_text(const Facts& facts) {
  const auto& more = fact(facts, "more");
  return fmt::format(
      "its relocatable code (-rdc=true) of {}{} was never device-linked: loading the file fails "
      "with \"undefined symbol: __cudaRegisterLinkedBinary_...\"",
      fact(facts, "units"), more == "0" ? std::string() : fmt::format(" and {} more", more));
}

bool is_asked(const Facts& facts) {
  return !optional_fact(facts, "asked").empty();
}

std::string old_driver_fix(const Facts& facts) {
  const auto take = fmt::format("{} driver {} or newer", is_asked(facts) ? "install" : "promise",
                                fact(facts, "needs"));
  if (!optional_fact(facts, "compression").empty()) {
    return take + ", or compile without nvcc's option --compress-mode";
  }
  return fmt::format("{}, or build it with CUDA {}.x, whose programs {} runs", take,
                     fact(facts, "driver-cuda"), fact(facts, "driver"));
}

std::string nothing_fix(std::string_view code, const Facts& facts) {
  if (code == "no-device-code") {
    return fact(facts, "files") == "0"
               ? "link its static libraries into a program or a shared library that `all` makes: "
                 "there what they hold is judged"
           : !optional_fact(facts, "compiler").empty()
               ? "run it on that GPU: what it compiles there nobody can see here"
           : !optional_fact(facts, "sources").empty()
               ? "audit the library that they become there (torch: in ~/.cache/torch_extensions)"
           : is_asked(facts)
               ? "ask about the package that holds the CUDA code: this one needs no GPU by itself"
               : "audit the files that hold CUDA code, or build them with their .cu files";
  }
  return optional_fact(facts, "accept").empty()
             ? "correct the \"kernels\" patterns of the promises, or promise every kernel"
             : "say what is promised: --gpu 8.0,9.0, and --accept with jit if that will do";
}

/// Returns the sentence about an ignore or a promise that matches nothing.
std::string unused_text(const Facts& facts) {
  const auto& pattern = fact(facts, "pattern");
  const auto& only = optional_fact(facts, "only");
  const auto& gpus = optional_fact(facts, "gpus");
  const auto judged = facts.find("judged");
  if (judged != facts.end()) {
    const auto gpus_are = enumerated(parts_of(gpus)) + (parts_of(gpus).size() > 1 ? " are" : " is");
    if (judged->second.empty()) return gpus_are + " not judged, as no GPU is";
    return fmt::format("{} not judged, only {}", gpus_are, enumerated(parts_of(judged->second)));
  }
  const auto on = gpus.empty() ? gpus : " on " + enumerated(parts_of(gpus));
  if (const auto& errors = optional_fact(facts, "errors-on"); !errors.empty()) {
    return fmt::format("\"{}\" matches no error{}{}: those are on {}", pattern,
                       only.empty() ? "" : " with the code " + only, on,
                       enumerated(parts_of(errors)));
  }
  if (!only.empty())
    return fmt::format("\"{}\" matches no error with the code {}{}", pattern, only, on);
  if (optional_fact(facts, "errors").empty()) {
    return fmt::format("\"{}\" matches no promised kernel{}", pattern, on);
  }
  if (!optional_fact(facts, "unmatched").empty()) {
    return fmt::format("\"{}\" matches no kernel", pattern);
  }
  return fmt::format("no kernel that \"{}\" matches has an error{}", pattern, on);
}

std::string unused_fix(std::string_view code, const Facts& facts) {
  if (facts.count("judged") != 0) return "name GPUs that are judged, or take the entry out";
  if (const auto& on = optional_fact(facts, "errors-on"); !on.empty()) {
    return fmt::format("write @{}", fmt::join(parts_of(on), ","));
  }
  const auto& wide = optional_fact(facts, "wide");
  const auto& other = optional_fact(facts, "code");
  if (!other.empty()) {
    const auto* const where = optional_fact(facts, "promise").empty() ? "there" : "with a promise";
    return fmt::format("{} the code is {}: write \"{}\"", where, other, wide);
  }
  if (!wide.empty()) return fmt::format("a pattern is of a whole name: write \"{}\"", wide);
  return fmt::format("take the {} out, or correct its pattern",
                     code == "unused-promise" ? "promise" : "entry");
}

}  // namespace

const std::string& fact(const Facts& facts, const std::string& name) {
  const auto found = facts.find(name);
  if (found == facts.end()) throw std::logic_error("no fact " + name);
  return found->second;
}

const std::string& optional_fact(const Facts& facts, const std::string& name) {
  static const std::string kNone;
  const auto found = facts.find(name);
  return found == facts.end() ? kNone : found->second;
}

std::string driver_needs_text(const Facts& facts) {
  if (!optional_fact(facts, "compression").empty()) {
    return fmt::format(
        "its machine code for {} is compressed by zstd, which driver {} is the first to decompress",
        fact(facts, "gpus"), fact(facts, "needs"));
  }
  return fmt::format(
      "its machine code for {} was made with CUDA {}, which needs driver {} or newer",
      fact(facts, "gpus"), fact(facts, "toolkit"), fact(facts, "needs"));
}

std::string nothing_text(std::string_view code, const Facts& facts) {
  if (code == "no-device-code") {
    if (fact(facts, "files") == "0") {
      return "it makes no program and no library, so nothing keeps the promise";
    }
    const auto& compiler = optional_fact(facts, "compiler");
    const auto& sources = optional_fact(facts, "sources");
    auto text = std::string("no kernel was found") +
                (is_asked(facts) ? "" : ", so nothing keeps the promise");
    if (!compiler.empty()) {
      text += fmt::format(": {} compiles kernels at run time ({}), which are not in the file",
                          fact(facts, "compiles"), compiler);
    } else if (!sources.empty()) {
      text += fmt::format(": it has {} CUDA source{}, compiled where it is installed", sources,
                          sources == "1" ? "" : "s");
    }
    return text;
  }
  const auto& accept = optional_fact(facts, "accept");
  if (!accept.empty()) {
    return fmt::format(
        "on no device most kernels of a file are {}, so there is nothing to hold the others to",
        accept);
  }
  const auto& patterns = fact(facts, "patterns");
  return fmt::format(
      "no kernel found is promised there: {}",
      patterns.empty() ? "promises with \"kernels\" take them all" : "none matches " + patterns);
}

std::string misfit_text(const Facts& facts, bool is_too_old, std::string_view device) {
  const auto& driver = fact(facts, "driver");
  const auto other = fmt::format("driver {} is the {} that does", fact(facts, "branch"),
                                 is_too_old ? "first" : "last");
  return fmt::format("{}{} does not know {}: {}", driver,
                     is_asked(facts) ? "" : ", which is promised,", device, other);
}

std::string misfit_fix(const Facts& facts, bool is_too_old, std::string_view device) {
  const auto& install = optional_fact(facts, "install");
  const auto& branch = install.empty() ? fact(facts, "branch") : install;
  const auto driver = fmt::format("driver {} or {}", branch, is_too_old ? "newer" : "older");
  if (is_asked(facts)) return fmt::format("install {} for {}", driver, device);
  return fmt::format("promise {} for {}, or do not promise {}", driver, device, device);
}

std::string facts_message(const Finding& finding) {
  const auto& code = finding.code;
  const auto& facts = finding.facts;
  if (code == "no-device-code" || code == "nothing-judged") return nothing_text(code, facts);
  if (code == "driver-too-old") {
    return fmt::format("{}; {} {}", driver_needs_text(facts),
                       is_asked(facts) ? "this is" : "promised is", fact(facts, "driver"));
  }
  if (code == "driver-too-old-for-gpu" || code == "driver-too-new-for-gpu") {
    return place_text(facts) + misfit_text(facts, code == "driver-too-old-for-gpu", finding.device);
  }
  if (code == "misnamed") {
    return fmt::format(
        "it is named for {}, as files beside it are for their archs, but its code is for {}, which "
        "does not run there",
        fact(facts, "named"), archs_text(facts));
  }
  if (code == "stripped") {
    return fmt::format(
        "{} fat binaries are registered with the CUDA runtime but are not in the file (the first "
        "at offset {:#x})",
        fact(facts, "fat-binaries"), std::stoull(fact(facts, "offset")));
  }
  if (code == "not-device-linked") return not_linked_text(facts);
  if (code == "other-cpu") {
    return fmt::format("the files are for {} CPUs, and this GPU is on boards with {} CPUs alone",
                       fact(facts, "cpu"), fact(facts, "board-cpu"));
  }
  if (code == "gpu-lost") {
    return fmt::format("by {} its files ran on {}, and now they do not", fact(facts, "baseline"),
                       gpus_text(finding.devices));
  }
  if (code == "gpu-degraded") {
    return fmt::format(
        "by {} its files had machine code for {}, and now only PTX serves {}: a slow first start",
        fact(facts, "baseline"), gpus_text(finding.devices),
        finding.devices.size() > 1 ? "them" : "it");
  }
  if (code == "over-budget") return over_text(facts);
  if (code == "budget-unknown") return unknown_text(facts);
  if (code == "unused-budget") return unused_budget_text(facts);
  if (code == "unused-ignore" || code == "unused-promise") {
    return place_text(facts) + unused_text(facts);
  }
  if (code == "not-built") return not_built_text(facts);
  if (code == "missing") {
    return fmt::format("promised, and no cell of CUDA {} serves it", fact(facts, "toolkit"));
  }
  throw std::logic_error("no sentence for " + code);
}

std::string facts_fix(const Finding& finding) {
  const auto& code = finding.code;
  const auto& facts = finding.facts;
  if (code == "no-device-code" || code == "nothing-judged") return nothing_fix(code, facts);
  if (code == "driver-too-old") return old_driver_fix(facts);
  if (code == "driver-too-old-for-gpu" || code == "driver-too-new-for-gpu") {
    return misfit_fix(facts, code == "driver-too-old-for-gpu", finding.device);
  }
  if (code == "misnamed") {
    return fmt::format("compile it for {}, or name it for {}", fact(facts, "named"),
                       archs_text(facts));
  }
  if (code == "stripped") {
    return "ship the file as the linker wrote it: keep its section .nv_fatbin when stripping";
  }
  if (code == "not-device-linked") {
    return "link the file with nvcc, or in CMake set CUDA_RESOLVE_DEVICE_SYMBOLS ON for the target "
           "that links it";
  }
  if (code == "other-cpu") return "audit the package that is built for these boards";
  if (code == "gpu-lost" || code == "gpu-degraded") {
    std::vector<int> archs;
    for (const auto device : finding.devices) archs.push_back(device.number());
    return fmt::format(
        "compile for {} by a CUDA release that can, or if that was given up on purpose, make a new "
        "baseline",
        fmt::join(archs, ", "));
  }
  if (code == "over-budget") {
    return fmt::format("{}, or raise the budget", words_of(fact(facts, "measure")).over);
  }
  if (code == "budget-unknown") {
    const auto& since = optional_fact(facts, "since");
    return since.empty()
               ? "take this limit out for such code: its compiler did not write it as ptxas does"
               : fmt::format(
                     "build it with CUDA {} or newer, or limit the budget to such \"toolkits\"",
                     since);
  }
  if (code == "unused-budget") {
    return "take the budget out, or correct its \"kernels\", \"archs\" or \"toolkits\"";
  }
  if (code == "unused-ignore" || code == "unused-promise") return unused_fix(code, facts);
  if (code == "not-built") return not_built_fix(finding);
  if (code == "missing") {
    return fmt::format("add an arch that serves {} to the archs of CUDA {}, or promise less",
                       finding.device, fact(facts, "toolkit"));
  }
  return {};
}

}  // namespace archgrid::report
