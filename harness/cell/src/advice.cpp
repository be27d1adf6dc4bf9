// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <archgrid/cell.hpp>
#include <array>

#include "words.hpp"

namespace archgrid::cell {
namespace {

/// Variables of well-known projects, the most likely first.
constexpr std::array<std::string_view, 10> kKnown = {"COMPUTE_CAPABILITY",
                                                     "CUTLASS_NVCC_ARCHS",
                                                     "CUDA_ARCH_LIST",
                                                     "CUDA_ARCHS",
                                                     "TORCH_CUDA_ARCH_LIST",
                                                     "CUDA_ARCH_BIN",
                                                     "GPU_TARGETS",
                                                     "SM",
                                                     "SMS",
                                                     "CUDA_NVCC_FLAGS"};

bool is_known(std::string_view name) {
  return std::find(kKnown.begin(), kKnown.end(), name) != kKnown.end();
}

/// Reports whether a part of the name refers to GPU architectures: MYLIB_CUDA_ARCH, GENCODES.
bool may_name_archs(const std::string& name) {
  if (is_known(name)) return true;
  if (starts_with(name, "CMAKE_") || starts_with(name, "ARCHGRID_")) return false;
  const auto parts = split(name, "_");
  return std::any_of(parts.begin(), parts.end(), [](const std::string& part) {
    return starts_with(part, "ARCH") || starts_with(part, "GENCODE") || starts_with(part, "GPU") ||
           starts_with(part, "CAPABILIT") || starts_with(part, "CUDA") || part == "SM" ||
           part == "SMS" || part == "CC";
  });
}

/// Returns the number in "80", "8.0", "8.0+PTX", "sm_80" or "80-real"; nothing for other words.
std::optional<int> number_of(std::string word) {
  for (const auto* suffix : {"+PTX", "-real", "-virtual"}) {
    if (ends_with(word, suffix)) word.resize(word.size() - std::string_view(suffix).size());
  }
  for (const auto* prefix : {"sm_", "compute_", "lto_"}) {
    if (starts_with(word, prefix)) word.erase(0, std::string_view(prefix).size());
  }
  const auto dot = word.find('.');
  if (dot != std::string::npos) word.erase(dot, 1);
  const auto arch = read_arch(word);
  return arch ? std::optional<int>(arch->number) : std::nullopt;
}

bool has_gencode(std::string_view value) {
  return value.find("code=") != std::string_view::npos;
}

/// Returns the arch numbers that `value` lists, or nothing if it contains anything else.
std::optional<std::set<int>> numbers_in(const std::string& value) {
  std::set<int> numbers;
  const bool flags = has_gencode(value);
  for (const auto& word : split(value, flags ? "; ,=[]\"'" : "; ,|")) {
    const auto number = number_of(word);
    if (number) numbers.insert(*number);
    if (!number && !flags) return std::nullopt;
  }
  return numbers;
}

bool is_word_for_many(std::string_view value) {
  for (const auto* word : {"all", "All", "ALL", "all-major", "native", "Auto", "Common"}) {
    if (value == word) return true;
  }
  return false;
}

/// Returns the placeholder that passes the archs in the spelling of `value`.
std::string placeholder_for(const std::string& name, const std::string& value) {
  if (name == "CUDA_NVCC_FLAGS") return "@GENCODE_LIST@";
  if (has_gencode(value))
    return value.find(';') == std::string::npos ? "@GENCODE@" : "@GENCODE_LIST@";
  const bool capabilities = name == "TORCH_CUDA_ARCH_LIST" || value.find('.') != std::string::npos;
  std::string word = value.find("+PTX") != std::string::npos || name == "TORCH_CUDA_ARCH_LIST"
                         ? "CAPABILITIES"
                     : capabilities                             ? "REAL_CAPABILITIES"
                     : value.find("sm_") != std::string::npos   ? "SM"
                     : value.find("-real") != std::string::npos ? "CMAKE_ARCHS"
                                                                : "ARCHS";
  if (value.find(',') != std::string::npos) {
    word += "_COMMA";
  } else if (value.find(' ') != std::string::npos) {
    word += "_SPACE";
  }
  return "@" + word + "@";
}

struct Candidate {
  std::string name;
  std::string value;
  int rank = 0;  ///< the higher the more likely; 0: no candidate
};

int rank_of(const ArchProof& proof, const std::set<int>& own, const std::string& name,
            const std::string& value) {
  if (!may_name_archs(name) || value.empty()) return 0;
  const int known = is_known(name) ? 1 : 0;
  if (is_word_for_many(value)) return 1 + known;
  const auto numbers = numbers_in(value);
  if (!numbers || numbers->empty()) return 0;
  if (*numbers == proof.numbers) return 5 + known;
  if (*numbers == own) return 0;  // correct: something else adds the others
  const bool part =
      std::includes(proof.numbers.begin(), proof.numbers.end(), numbers->begin(), numbers->end());
  return part ? 3 + known : 0;
}

/// Returns the variable that most likely sets the archs. `own`: the numbers of the cell's archs.
Candidate likeliest(const ArchProof& proof, const std::set<int>& own, const Cache& cache) {
  Candidate best;
  for (const auto& [name, value] : cache) {
    const auto rank = rank_of(proof, own, name, value);
    if (rank > best.rank) best = {name, value, rank};
  }
  return best;
}

/// Returns the variable of the toolchain file that most likely sets the archs.
Candidate likeliest(const ArchProof& proof, const std::set<int>& own, const Toolchain& toolchain) {
  Candidate best;
  for (const auto& [name, value] : toolchain.variables) {
    const bool has_archs = name == "CMAKE_CUDA_ARCHITECTURES" ||
                           (starts_with(name, "CMAKE_CUDA_FLAGS") && has_gencode(value));
    const auto rank = rank_of(proof, own, has_archs ? "CUDA_ARCHS" : name, value);
    if (rank > best.rank) best = {name, value, rank};
  }
  return best;
}

std::string definition(const std::string& name, const std::string& placeholder) {
  return fmt::format(R"(write "definitions": {{"{}": "{}"}} into the matrix file)", name,
                     placeholder);
}

/// Returns "a.so" or "a.so (and 2 more)".
std::string first_of(const std::set<std::string>& outputs) {
  if (outputs.size() == 1) return *outputs.begin();
  return fmt::format("{} (and {} more)", *outputs.begin(), outputs.size() - 1);
}

constexpr const char* kEnforce = R"(write "enforce_archs": true into the matrix file)";

}  // namespace

std::string advise(const ArchProof& proof, const Cache& cache, const std::string& archs,
                   const Toolchain& toolchain) {
  const auto own = numbers_in(archs).value_or(std::set<int>());
  const auto variable = likeliest(proof, own, cache);
  const auto of_toolchain = likeliest(proof, own, toolchain);
  if (of_toolchain.rank > 0 && of_toolchain.rank >= variable.rank) {
    const auto instead = starts_with(of_toolchain.name, "CMAKE_CUDA_FLAGS")
                             ? std::string()
                             : fmt::format(", or {}", kEnforce);
    return fmt::format("{}={} of the toolchain file {} seems to decide: take it out there{}",
                       of_toolchain.name, of_toolchain.value, toolchain.file, instead);
  }
  if (variable.rank > 0) {
    return fmt::format("{}={} seems to decide: {}", variable.name, variable.value,
                       definition(variable.name, placeholder_for(variable.name, variable.value)));
  }
  const auto overwritten = cache.find("CMAKE_CUDA_ARCHITECTURES");
  if (overwritten != cache.end() && overwritten->second != archs) {
    return fmt::format("the project overwrites CMAKE_CUDA_ARCHITECTURES (with {}): {}",
                       overwritten->second, kEnforce);
  }
  if (cache.count("CUDA_NVCC_FLAGS") != 0) {
    return fmt::format("FindCUDA takes no CMAKE_CUDA_ARCHITECTURES: {}",
                       definition("CUDA_NVCC_FLAGS", "@GENCODE_LIST@"));
  }
  if (cache.count("ARCHGRID_COMMAND_CONFIG") != 0) {  // archgrid_add_matrix(... COMMAND ...)
    const auto flags =
        cache.count("NVCC_APPEND_FLAGS") != 0
            ? std::string()
            : "; if it names no archs, " + definition("NVCC_APPEND_FLAGS", "@GENCODE@");
    return fmt::format(
        "the project's own build of {} decides: make it read NVCC_GENCODE or TORCH_CUDA_ARCH_LIST "
        "from the environment, or pass @GENCODE@ (or another placeholder) in COMMAND{}",
        first_of(proof.outputs), flags);
  }
  if (proof.targets.empty() && !proof.outputs.empty()) {
    return fmt::format(
        "the command that makes {} decides: take its archs from CMAKE_CUDA_ARCHITECTURES, or from "
        "a variable that \"definitions\" of the matrix file set",
        first_of(proof.outputs));
  }
  const auto targets = fmt::format("{}", fmt::join(proof.targets, ", "));
  if (proof.flags_of_project) {
    return fmt::format(
        "flags of the project name them ({}): take -gencode and -arch out of its "
        "CMAKE_CUDA_FLAGS and compile options",
        targets);
  }
  return fmt::format(
      "the project sets CMAKE_CUDA_ARCHITECTURES, or CUDA_ARCHITECTURES of {}: take out what is a "
      "mistake, or {}, and only builds by archgrid are proved",
      targets.empty() ? "its targets" : targets, kEnforce);
}

}  // namespace archgrid::cell
