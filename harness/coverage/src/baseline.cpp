// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <archgrid/coverage/audit.hpp>
#include <archgrid/coverage/json_text.hpp>
#include <nlohmann/json.hpp>

#include "file_names.hpp"

namespace archgrid::coverage {
namespace {

using nlohmann::json;

constexpr const char* kSchema = "archgrid.audit/1";

/// The place of a file in its package, or the name of one that is in none.
std::string file_key(const std::string& path) {
  const auto member = path.rfind('!');
  const auto begin = member != std::string::npos ? member : path.rfind('/');
  return without_versions(begin == std::string::npos ? path : path.substr(begin + 1));
}

/// What a finding shares with the one that it is compared with. `subject` is a kernel, or the
/// sentence of what is about none; empty for a cause.
std::string key_of(const std::string& code, const std::string& cell, const std::string& path,
                   const std::string& subject) {
  return fmt::format("{}\n{}\n{}\n{}", code, cell, file_key(path), subject);
}

std::string text_at(const json& object, const char* key) {
  return object.contains(key) ? object.at(key).get<std::string>() : std::string();
}

Device device_at(const json& value) {
  const auto text = value.get<std::string>();
  const auto device = parse_device(text);
  if (!device) throw std::invalid_argument(fmt::format("\"{}\" is no GPU", text));
  return *device;
}

void add(const json& finding, Baseline& baseline) {
  Baseline::Entry entry;
  if (finding.contains("device")) entry.devices.insert(device_at(finding.at("device")));
  if (finding.contains("kernels")) entry.kernels = finding.at("kernels").get<std::size_t>();
  const bool is_cause = finding.contains("rule");
  if (is_cause) {
    for (const auto& device : finding.at("devices")) entry.devices.insert(device_at(device));
  }
  const auto kernel = text_at(finding, "kernel");
  const auto subject = is_cause         ? std::string()
                       : kernel.empty() ? text_at(finding, "message")
                                        : kernel;
  baseline.entries.emplace(key_of(finding.at("code").get<std::string>(), text_at(finding, "cell"),
                                  text_at(finding, "path"), subject),
                           std::move(entry));
}

}  // namespace

Baseline read_baseline(const std::filesystem::path& path) {
  Baseline baseline;
  baseline.path = path.string();
  try {
    const auto document = json::parse(read_json_text(path));
    if (text_at(document, "schema") != kSchema) {
      throw std::invalid_argument(fmt::format("its \"schema\" is not \"{}\"", kSchema));
    }
    for (const char* list : {"findings", "suspects"}) {
      for (const auto& finding : document.at(list)) add(finding, baseline);
    }
  } catch (const JsonError& error) {
    throw BaselineError(error.what());
  } catch (const std::exception& error) {  // json's, and those above
    throw BaselineError(fmt::format("{}: {}: a baseline is what `archgrid audit --json=FILE` wrote",
                                    baseline.path, error.what()));
  }
  return baseline;
}

bool is_known(const Baseline& baseline, const Finding& finding) {
  std::set<Device> devices;
  if (const auto device = parse_device(finding.device)) devices.insert(*device);
  std::string subject;
  if (finding.cause) {
    devices.insert(finding.cause->devices.begin(), finding.cause->devices.end());
  } else {
    subject = finding.kernel.empty() ? finding.message.str() : finding.kernel.str();
  }
  const auto key = key_of(finding.code, finding.cell, finding.path, subject);
  const auto [first, last] = baseline.entries.equal_range(key);
  return std::any_of(first, last, [&](const auto& known) {
    const auto& entry = known.second;
    return finding.kernels <= entry.kernels &&
           std::includes(entry.devices.begin(), entry.devices.end(), devices.begin(),
                         devices.end());
  });
}

Forgiven known_in(const Baseline& baseline, Finding finding) {
  return {std::move(finding), "known from " + baseline.path};
}

}  // namespace archgrid::coverage
