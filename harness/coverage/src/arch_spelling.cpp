// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <archgrid/coverage/arch_plan.hpp>
#include <array>

namespace archgrid::coverage {
namespace {

using fatbin::Arch;

// The values that TORCH_CUDA_ARCH_LIST accepts; it rejects all others. Source: torch 2.15.0,
// torch/utils/cpp_extension.py. No `f`; 10.1 was accepted before CUDA 13 renamed it.
constexpr const char* kTorch = "torch 2.15";
constexpr std::array<const char*, 29> kTorchKnows = {
    "3.5",   "3.7",  "5.0",   "5.2",  "5.3",   "6.0",  "6.1",   "6.2",  "7.0",   "7.2",
    "7.5",   "8.0",  "8.6",   "8.7",  "8.9",   "9.0",  "9.0a",  "10.0", "10.0a", "10.3",
    "10.3a", "10.7", "10.7a", "11.0", "11.0a", "12.0", "12.0a", "12.1", "12.1a"};

std::string cmake_text(const PlannedArch& planned) {
  const auto* kind = planned.sass && planned.ptx ? "" : planned.sass ? "-real" : "-virtual";
  return planned.arch.text() + kind;
}

void add_nvcc(std::vector<std::string>& arguments, const PlannedArch& planned) {
  const auto arch = planned.arch.text();
  const auto add = [&](const char* kind) {
    arguments.push_back(fmt::format("-gencode arch=compute_{},code={}_{}", arch, kind, arch));
  };
  if (planned.sass) add("sm");
  if (planned.ptx) add("compute");
}

std::string torch_text(Arch arch) {
  auto text = fmt::format("{}.{}", arch.number / 10, arch.number % 10);
  if (arch.suffix != '\0') text += arch.suffix;
  return text;
}

/// Returns why TORCH_CUDA_ARCH_LIST cannot express it, or an empty string.
std::string torch_problem(const PlannedArch& planned) {
  const auto name = torch_text(planned.arch);
  if (std::find(kTorchKnows.begin(), kTorchKnows.end(), name) == kTorchKnows.end()) {
    return fmt::format("{} does not know {}", kTorch, name);
  }
  if (!planned.sass) return fmt::format("it has no PTX of {} without its machine code", name);
  return {};
}

}  // namespace

Spellings spell(const std::vector<PlannedArch>& archs) {
  Spellings result;
  std::vector<std::string> nvcc;
  std::vector<std::string> torch;
  for (const auto& planned : archs) {
    result.matrix.push_back(cmake_text(planned));
    add_nvcc(nvcc, planned);
    torch.push_back(torch_text(planned.arch) + (planned.ptx ? "+PTX" : ""));
    const auto problem = torch_problem(planned);
    if (problem.empty()) continue;
    result.torch_problem += (result.torch_problem.empty() ? "" : ", ") + problem;
  }
  result.cmake = fmt::format("{}", fmt::join(result.matrix, ";"));
  result.nvcc = fmt::format("{}", fmt::join(nvcc, " "));
  if (result.torch_problem.empty()) result.torch = fmt::format("{}", fmt::join(torch, ";"));
  return result;
}

}  // namespace archgrid::coverage
