// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

#include "choice.hpp"

#include <algorithm>
#include <iterator>
#include <vector>

namespace archgrid::gtest {
namespace {

std::string described(const std::vector<device::Gpu>& gpus) {
  std::string text;
  for (const device::Gpu& gpu : gpus) {
    if (!text.empty()) text += ", ";
    text += gpu.name + " (" + device::text_of(gpu.capability) + ")";
  }
  return text;
}

std::vector<device::Gpu> usable(const device::Machine& machine, const Settings& settings) {
  std::vector<device::Gpu> gpus;
  std::copy_if(
      machine.gpus.begin(), machine.gpus.end(), std::back_inserter(gpus),
      [&](const device::Gpu& gpu) { return gpu.ordinal == settings.gpu.value_or(gpu.ordinal); });
  return gpus;
}

std::vector<device::Gpu> asked_for(std::vector<device::Gpu> gpus, const Settings& settings) {
  const auto is_another = [&](const device::Gpu& gpu) {
    return gpu.capability != settings.device.value_or(gpu.capability);
  };
  gpus.erase(std::remove_if(gpus.begin(), gpus.end(), is_another), gpus.end());
  return gpus;
}

/// Returns each reason once: GPUs of one compute capability share a reason.
std::string reasons(const std::vector<device::Gpu>& gpus, const NotFor& not_for) {
  std::string text;
  for (const device::Gpu& gpu : gpus) {
    const std::string reason = not_for(gpu.capability);
    if (text.find(reason) != std::string::npos) continue;
    text += (text.empty() ? "" : "; ") + reason;
  }
  return text;
}

/// Returns a skip, or a failure if a GPU is required.
Choice stand_aside(const std::string& code, const std::string& message, const Settings& settings) {
  return {settings.require_gpu ? Outcome::fail : Outcome::skip, code, message, {}};
}

Choice choose_of(const std::vector<device::Gpu>& gpus, const Settings& settings,
                 const NotFor& not_for) {
  const std::vector<device::Gpu> asked = asked_for(gpus, settings);
  if (asked.empty()) {
    return stand_aside("wrong-gpu",
                       "these tests are for " + device::text_of(*settings.device) +
                           " (ARCHGRID_DEVICE); here is " + described(gpus),
                       settings);
  }
  const auto right = std::find_if(asked.begin(), asked.end(), [&](const device::Gpu& gpu) {
    return not_for(gpu.capability).empty();
  });
  if (right != asked.end()) return {Outcome::run, "", "", *right};
  return stand_aside("wrong-gpu", reasons(asked, not_for) + "; here is " + described(gpus),
                     settings);
}

}  // namespace

Choice choose(const device::Machine& machine, const Settings& settings, const NotFor& not_for) {
  if (machine.problem == device::Problem::other) {
    return {Outcome::fail, "broken-gpu", machine.message, {}};
  }
  if (machine.problem != device::Problem::none) {
    return stand_aside("no-gpu", machine.message, settings);
  }
  const std::vector<device::Gpu> gpus = usable(machine, settings);
  if (gpus.empty()) {
    return {Outcome::fail,
            "broken-gpu",
            "ctest allotted GPU " + std::to_string(settings.gpu.value_or(0)) +
                ", which is not here; here are " + described(machine.gpus) +
                ": correct ctest's resource specification",
            {}};
  }
  return choose_of(gpus, settings, not_for);
}

std::string closing_line(const Choice& choice) {
  const std::string word = choice.outcome == Outcome::skip ? "skipped" : "failed";
  return "archgrid: " + word + ": " + choice.code + ": " + choice.message;
}

std::string foreign_runtime(int compiled_version, int linked_version, const Settings& settings) {
  const std::string compiled = device::text_of_version(compiled_version);
  if (!settings.toolkit.empty() && settings.toolkit != compiled) {
    return "this is to be CUDA " + settings.toolkit +
           " (ARCHGRID_TOOLKIT), and was compiled against the headers of " + compiled +
           ": set CUDAToolkit_ROOT and CMAKE_CUDA_COMPILER to the same toolkit";
  }
  const std::string linked = device::text_of_version(linked_version);
  if (linked_version == 0 || linked == compiled) return "";
  return "compiled with CUDA " + compiled + " but linked against another toolkit's runtime, " +
         linked + ": see which libcudart the link line and LD_LIBRARY_PATH name";
}

}  // namespace archgrid::gtest
