// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <archgrid/words.hpp>
#include <filesystem>
#include <optional>

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

/// Returns "gemm_tile_64.cu of libx.so", "a.cu and 3 more .cu files of libx.so", or the best available
/// description of the translation units.
std::string where(const Subject& subject) {
  const auto file = file_name(subject.path);
  const auto units = count_units(subject);
  const auto more =
      units == 1 ? std::string()
                 : fmt::format(" and {} more .cu {}", units - 1, units == 2 ? "file" : "files");
  if (!subject.units.empty()) return fmt::format("{}{} of {}", subject.units.front(), more, file);
  if (!subject.is_named) return fmt::format("{}{} of {}", subject.kernel, more, file);
  if (subject.kernels == 1) return fmt::format("the source of this kernel in {}", file);
  if (units == 1) return fmt::format("the source of these kernels in {}", file);
  return fmt::format("the {} sources of these kernels in {}", units, file);
}

fatbin::Arch own_arch(ComputeCapability device) {
  return {device.number(), '\0'};
}

/// Returns the kernel's name as a string for JSON and TOML, the formats of promise files.
std::string quoted_name(const Subject& subject) {
  std::string quoted = "\"";
  for (const char letter : subject.kernel) {
    if (letter == '"' || letter == '\\') quoted += '\\';
    quoted += letter;
  }
  return quoted + '"';
}

/// Returns "12.8 to 13.5".
std::string range_of(const std::vector<Version>& versions) {
  if (versions.front() == versions.back()) return versions.front().text();
  return fmt::format("{} to {}", versions.front().text(), versions.back().text());
}

/// Returns the fix if no arch of the toolkit serves the device.
std::string impossible(const Remedy& remedy) {
  const auto cuda = remedy.unable->text();
  const auto own = own_arch(remedy.device);
  const auto able = range_of(table().toolkits_for(own));
  const auto device = remedy.device.text();
  if (!remedy.recorded) {
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

/// Returns nvcc's option for one kind of code.
std::string gencode(const PlannedArch& code) {
  return fmt::format("-gencode arch=compute_{0},code={1}_{0}", code.arch.text(),
                     code.sass ? "sm" : "compute");
}

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

/// Names the matrix file: targets of a cell are compiled for the cell's archs, and code for any
/// other number fails the cell.
std::string ask_for(const Remedy& remedy, const Addition& added) {
  auto fix = fmt::format("add {}{}{} to the archs of CUDA {} in the matrix file", added.text,
                         added.why, added.why.empty() ? "" : ",", remedy.toolkit->text());
  if (remedy.options == Options::nvcc) {
    fix +=
        fmt::format(", and {} to nvcc's options where they do not follow CMAKE_CUDA_ARCHITECTURES",
                    gencode(added.code));
  }
  return fix;
}

std::string compile_too(const Remedy& remedy, const Subject& subject) {
  if (remedy.unable && !remedy.another && !remedy.asked) return impossible(remedy);
  const auto added = addition_for(remedy);
  if (remedy.unasked) return ask_for(remedy, added);
  const auto& arch = added.text;
  const auto& why = added.why;
  if (remedy.options != Options::cmake) {
    const char* linked = remedy.linked ? " and what it is linked with" : "";
    auto fix = fmt::format("compile {}{} for {} too{}: add {} to nvcc's options", where(subject),
                           linked, arch, why, gencode(added.code));
    if (remedy.options == Options::both) {
      fix += fmt::format(", or in CMake {} to CUDA_ARCHITECTURES", arch);
    }
    return fix;
  }
  if (!remedy.target.empty()) {
    return fmt::format("compile {} for {} too{}: add {} to the CUDA_ARCHITECTURES of {}{}",
                       where(subject), arch, why, arch, remedy.target,
                       remedy.linked ? " and of what it is linked with" : "");
  }
  if (remedy.linked) {
    return fmt::format(
        "compile {} and what it is linked with for {} too{}: add {} to the CUDA_ARCHITECTURES of "
        "the targets that compile them, and of the one that links them",
        where(subject), arch, why, arch);
  }
  return fmt::format(
      "compile {} for {} too{}: add {} to the CUDA_ARCHITECTURES of the target that compiles it",
      where(subject), arch, why, arch);
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

/// Returns the kernel's name as a pattern in single quotes, as a shell reads it. A reason follows
/// the first '=' of --ignore.
std::string ignore_option(std::string_view kernel) {
  std::string option = "--ignore '";
  for (const char letter : kernel) {
    if (letter == '\'') {
      option += "'\\''";
    } else {
      option += letter == '=' ? '?' : letter;
    }
  }
  return option + "=...'";
}

/// Returns what ignores a kernel, on one device if specified: an option, or an entry and its place.
std::string ignore_entry(const Remedy& remedy, const Subject& subject,
                         std::optional<ComputeCapability> device = std::nullopt) {
  if (remedy.place == PromisePlace::options) {
    return ignore_option(subject.kernel) + " (archgrid_promise: an \"ignore\" in its MATRIX)";
  }
  const bool toml = remedy.place == PromisePlace::pyproject;
  const auto pair = [toml](const char* key, const std::string& value) {
    return toml ? fmt::format("{} = {}", key, value) : fmt::format("\"{}\": {}", key, value);
  };
  auto entry = pair("kernel", quoted_name(subject));
  if (device) entry += ", " + pair("devices", fmt::format("[\"{}\"]", device->text()));
  return fmt::format("{{{}, {}}} in the \"ignore\" of {}", entry, pair("reason", "\"...\""),
                     promise_file(remedy));
}

/// Returns what accepts empty bodies of several kernels.
std::string accept_empty(const Remedy& remedy) {
  if (remedy.place == PromisePlace::options) {
    return ignore_option("PATTERN") +
           ", or empty in --accept (archgrid_promise: an \"ignore\" in its MATRIX, or empty in "
           "ACCEPT)";
  }
  return fmt::format("an \"ignore\" with that reason, or \"empty\" in \"accept\", in {}",
                     promise_file(remedy));
}

std::string give_a_body(const Remedy& remedy, const Subject& subject) {
  const auto device = remedy.device.text();
  if (subject.kernels > 1) {
    return fmt::format(
        "give them a body: look at the `#if __CUDA_ARCH__` guards in {2} and what it includes; if "
        "the host never launches them on {0}, say so: {1}",
        device, accept_empty(remedy), where(subject));
  }
  return fmt::format(
      "give the kernel a body for {0} in {1}: look at its `#if __CUDA_ARCH__` guards, "
      "or ignore it: {2}",
      device, where(subject), ignore_entry(remedy, subject, remedy.device));
}

/// Returns the fix for a symbol that is used but not defined.
std::string define(const Remedy& remedy, const Subject& subject) {
  if (subject.kernels > 1) {
    const auto how = remedy.place == PromisePlace::options
                         ? ": " + ignore_option("PATTERN")
                         : fmt::format(" in {}", promise_file(remedy));
    return fmt::format(
        "link them with the code that defines {} (nvcc -dlink -cubin), or audit that file too; "
        "where the program links them when it runs, ignore them with that reason{}",
        remedy.undefined, how);
  }
  return fmt::format(
      "link it with the code that defines {0} (nvcc -dlink -cubin), or audit that file too; "
      "where the program links it when it runs, ignore it: {1}",
      remedy.undefined, ignore_entry(remedy, subject));
}

}  // namespace

std::string fix_text(const Remedy& remedy, const Subject& subject) {
  switch (remedy.verdict) {
    case Verdict::empty:
      if (remedy.idle_ptx) {
        return compile_too(remedy, subject) + "; or look at the `#if __CUDA_ARCH__` guards there";
      }
      return give_a_body(remedy, subject);
    case Verdict::ptx_too_new:
      return compile_too(remedy, subject) + ", or promise a newer driver";
    case Verdict::unknown:
      if (remedy.damaged) {
        return fmt::format("audit an undamaged copy of {}: what it has for {} cannot be read",
                           file_name(subject.path), remedy.device.text());
      }
      if (!remedy.undefined.empty()) return define(remedy, subject);
      return "so that there is machine code to judge, " + compile_too(remedy, subject);
    case Verdict::missing:
      return remedy.compiled.empty() ? compile_too(remedy, subject) : instantiate(remedy, subject);
    default:
      return compile_too(remedy, subject);
  }
}

std::string fix_of(const coverage::Served& served) {
  if (!served.remedy) return {};
  Subject subject{served.path, served.demangled.str(), !served.kernel.empty(), 1, {}, 1};
  if (!served.unit.empty()) subject.units.push_back(served.unit);
  return fix_text(*served.remedy, subject);
}

}  // namespace archgrid::report
