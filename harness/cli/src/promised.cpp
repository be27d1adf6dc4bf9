// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include "promised.hpp"

#include <fmt/format.h>

#include "commands.hpp"
#include "words.hpp"

namespace archgrid::cli {
namespace {

/// The device that "80", "sm_90a" or "9" means; nothing if there is none.
std::optional<coverage::Device> device_meant(std::string text) {
  for (const std::string prefix : {"sm_", "sm", "compute_"}) {
    if (text.rfind(prefix, 0) == 0) text.erase(0, prefix.size());
  }
  const auto arch = coverage::parse_arch(text);
  if (!arch) return coverage::parse_device(text + ".0");
  return coverage::table().find_architecture(arch->number)->device;
}

coverage::Device parse_device(const std::string& text) {
  if (const auto device = coverage::parse_device(text)) return *device;
  std::vector<std::string> known;
  for (const auto& row : coverage::table().architectures) known.push_back(row.device.text());
  const auto meant = device_meant(text);
  throw UsageError(fmt::format("--device: \"{}\" is no device: write {}", text,
                               meant ? meant->text() : either(known)));
}

}  // namespace

std::vector<coverage::Device> parse_devices(const std::vector<std::string>& texts) {
  std::vector<coverage::Device> devices;
  for (const auto& text : texts) devices.push_back(parse_device(text));
  return devices;
}

std::optional<coverage::Driver> parse_driver(const std::string& text) {
  if (text.empty()) return std::nullopt;
  const auto driver = coverage::parse_driver(text);
  if (!driver) {
    throw UsageError(
        fmt::format("--driver: \"{}\" is no driver that archgrid knows: write a branch "
                    "like 580 or a CUDA version like 13.0",
                    text));
  }
  return driver;
}

}  // namespace archgrid::cli
