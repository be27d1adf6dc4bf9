// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

#include <archgrid/device.hpp>
#include <fstream>
#include <sstream>
#include <string_view>

namespace archgrid::device {
namespace {

// Values of cudaError_t, unchanged in every CUDA toolkit since 11.0.
constexpr int kInsufficientDriver = 35;
constexpr int kNoDevice = 100;

/// Reports whether `word` is a driver release such as "535.183.01": numbers separated by dots, the
/// first of three digits.
bool is_release(std::string_view word) {
  const bool has_branch = word.find('.') == 3;
  const bool ends_well = !word.empty() && word.back() != '.';
  return has_branch && ends_well && word.find_first_not_of("0123456789.") == std::string_view::npos;
}

}  // namespace

std::string text_of(Capability capability) {
  return std::to_string(capability.major) + "." + std::to_string(capability.minor);
}

std::string text_of_version(int version) {
  return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}

Machine diagnose(const Answer& answer) {
  Machine machine;
  machine.driver_version = answer.driver_version;
  machine.runtime_version = answer.runtime_version;
  if (answer.error == 0) return machine;
  if (answer.error == kInsufficientDriver && answer.driver_version == 0) {
    machine.problem = Problem::no_driver;
    machine.message = "no NVIDIA driver is installed: libcuda.so.1 was not found or would not load";
  } else if (answer.error == kInsufficientDriver) {
    machine.problem = Problem::driver_too_old;
    machine.message = "the NVIDIA driver knows CUDA " + text_of_version(answer.driver_version) +
                      ", and this program's runtime needs a newer one: update the driver";
  } else if (answer.error == kNoDevice) {
    machine.problem = Problem::no_device;
    machine.message =
        "the NVIDIA driver shows no GPU: none is there, or CUDA_VISIBLE_DEVICES hides it";
  } else {
    machine.problem = Problem::other;
    machine.message = "the CUDA runtime cannot use this machine's GPUs: " + answer.error_name +
                      " (" + std::to_string(answer.error) + "), " + answer.error_text;
  }
  return machine;
}

std::string driver_release(const std::filesystem::path& file) {
  std::ifstream stream(file);
  std::string line;
  while (std::getline(stream, line)) {
    if (line.rfind("NVRM version:", 0) != 0) continue;
    std::istringstream words(line);
    for (std::string word; words >> word;) {
      if (is_release(word)) return word;
    }
  }
  return "";
}

}  // namespace archgrid::device
