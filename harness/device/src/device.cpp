// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

#include <archgrid/device.hpp>
#include <charconv>
#include <fstream>
#include <regex>
#include <sstream>

namespace archgrid::device {
namespace {

// Values of cudaError_t, the same in every CUDA toolkit since 11.0.
constexpr int kInsufficientDriver = 35;
constexpr int kNoDevice = 100;

std::optional<int> parse_number(std::string_view text) {
  const bool has_leading_zero = text.size() > 1 && text.front() == '0';
  int value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool is_signed = !text.empty() && text.front() == '-';
  const bool whole = error == std::errc{} && end == text.data() + text.size();
  if (!whole || has_leading_zero || is_signed) return std::nullopt;
  return value;
}

}  // namespace

std::string text_of(Capability capability) {
  return std::to_string(capability.major) + "." + std::to_string(capability.minor);
}

std::optional<Capability> parse_capability(std::string_view text) {
  const std::size_t point = text.find('.');
  if (point == std::string_view::npos) return std::nullopt;
  const auto major = parse_number(text.substr(0, point));
  const auto minor = parse_number(text.substr(point + 1));
  if (!major || !minor || *minor > 9) return std::nullopt;
  return Capability{*major, *minor};
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
  if (!stream) return "";
  std::ostringstream content;
  content << stream.rdbuf();
  static const std::regex release(R"(NVRM version:.*?\s(\d{3,}\.\d+(\.\d+)?)\s)");
  std::smatch match;
  const std::string text = content.str();
  return std::regex_search(text, match, release) ? match[1].str() : "";
}

}  // namespace archgrid::device
