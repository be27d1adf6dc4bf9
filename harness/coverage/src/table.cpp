// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <archgrid/coverage/table.hpp>
#include <charconv>
#include <map>
#include <nlohmann/json.hpp>

#include "embedded.hpp"

namespace archgrid::coverage {
namespace {

using nlohmann::json;

// Driver branches start above any CUDA version.
constexpr int kSmallestBranch = 100;

std::optional<int> parse_int(std::string_view text) {
  int number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size() || number < 0) return std::nullopt;
  return number;
}

int branch_at(const json& row, const char* key) {
  return parse_int(row.at(key).get<std::string>()).value();
}

Version version_at(const json& row, const char* key) {
  return parse_version(row.at(key).get<std::string>()).value();
}

std::optional<fatbin::Arch> split_arch(std::string_view text) {
  fatbin::Arch arch;
  if (!text.empty() && (text.back() == 'a' || text.back() == 'f')) {
    arch.suffix = text.back();
    text.remove_suffix(1);
  }
  const auto number = parse_int(text);
  if (!number) return std::nullopt;
  arch.number = *number;
  return arch;
}

Architecture architecture_of(const json& row) {
  const auto device = version_at(row, "device");
  Architecture result;
  result.number = parse_int(row.at("number").get<std::string>()).value();
  result.device = {device.major, device.minor};
  result.generation = row.at("generation").get<std::string>();
  for (const auto& product : row.at("products")) result.products.push_back(product);
  result.integrated = row.at("integrated").get<bool>();
  result.host_cpu = row.value("host_cpu", "");
  for (const auto& suffix : row.at("suffixes")) result.suffixes += suffix.get<std::string>();
  if (row.contains("first_driver")) result.first_driver = branch_at(row, "first_driver");
  if (row.contains("last_driver")) result.last_driver = branch_at(row, "last_driver");
  return result;
}

Toolkit toolkit_of(const json& row) {
  Toolkit result;
  result.cuda = version_at(row, "cuda");
  result.ptx_isa = version_at(row, "ptx_isa");
  result.min_driver = branch_at(row, "min_driver");
  for (const auto* key : {"archs", "suffixed"}) {
    for (const auto& arch : row.at(key)) {
      result.archs.push_back(split_arch(arch.get<std::string>()).value());
    }
  }
  return result;
}

Table load() {
  Table result;
  const auto architectures = json::parse(embedded::architectures);
  for (const auto& [first, numbers] : architectures.at("families").items()) {
    auto& family = result.families[parse_int(first).value()];
    for (const auto& number : numbers) {
      family.push_back(parse_int(number.get<std::string>()).value());
    }
  }
  for (const auto& row : architectures.at("architectures")) {
    result.architectures.push_back(architecture_of(row));
  }
  const auto toolkits = json::parse(embedded::toolkits);
  for (const auto& row : toolkits.at("toolkits")) result.toolkits.push_back(toolkit_of(row));
  const auto drivers = json::parse(embedded::drivers);
  for (const auto& row : drivers.at("drivers")) {
    result.drivers.push_back(
        {branch_at(row, "branch"), version_at(row, "cuda"), version_at(row, "ptx_isa")});
  }
  const auto by = [](auto member) {
    return [member](const auto& left, const auto& right) { return left.*member < right.*member; };
  };
  std::sort(result.architectures.begin(), result.architectures.end(), by(&Architecture::number));
  std::sort(result.toolkits.begin(), result.toolkits.end(), by(&Toolkit::cuda));
  std::sort(result.drivers.begin(), result.drivers.end(), by(&DriverBranch::branch));
  return result;
}

std::optional<Driver> driver_of_branch(int branch) {
  const auto& drivers = table().drivers;
  const auto above =
      std::upper_bound(drivers.begin(), drivers.end(), branch,
                       [](int wanted, const DriverBranch& row) { return wanted < row.branch; });
  if (above == drivers.begin()) return std::nullopt;
  const bool beyond = above == drivers.end() && branch > drivers.back().branch;
  return Driver{"driver " + std::to_string(branch), std::prev(above)->cuda,
                std::prev(above)->ptx_isa, beyond};
}

// Both tables list CUDA versions: some drivers had no toolkit (12.7), and some toolkits are newer
// than all driver branches of the table.
std::optional<Driver> driver_of_cuda(Version cuda) {
  std::map<Version, Version> isa_of;
  for (const auto& row : table().toolkits) isa_of[row.cuda] = row.ptx_isa;
  for (const auto& row : table().drivers) isa_of[row.cuda] = row.ptx_isa;
  const auto above = isa_of.upper_bound(cuda);
  if (above == isa_of.begin()) return std::nullopt;
  const auto& [known, isa] = *std::prev(above);
  const bool beyond = above == isa_of.end() && known < cuda;
  if (known < cuda && !beyond) return std::nullopt;  // 12.22 is not between 12.9 and 13.0
  return Driver{"a driver for CUDA " + cuda.text(), known, isa, beyond};
}

}  // namespace

std::string Version::text() const {
  return std::to_string(major) + "." + std::to_string(minor);
}
std::string ComputeCapability::text() const {
  return std::to_string(major) + "." + std::to_string(minor);
}

std::string list_devices(const std::vector<ComputeCapability>& devices) {
  std::string text;
  for (const auto device : devices) text += (text.empty() ? "" : ", ") + device.text();
  return text;
}

std::string list_devices(const std::set<ComputeCapability>& devices) {
  return list_devices(std::vector<ComputeCapability>(devices.begin(), devices.end()));
}

const Architecture* Table::find_architecture(int number) const {
  const auto row =
      std::lower_bound(architectures.begin(), architectures.end(), number,
                       [](const Architecture& known, int wanted) { return known.number < wanted; });
  return row != architectures.end() && row->number == number ? &*row : nullptr;
}

const Toolkit* Table::find_toolkit(Version cuda) const {
  for (const auto& row : toolkits) {
    if (row.cuda == cuda) return &row;
  }
  return nullptr;
}

bool Table::is_integrated(int number) const {
  const auto* row = find_architecture(number);
  return row != nullptr && row->integrated;
}

bool Table::same_family(int number, int other) const {
  for (const auto& [first, members] : families) {
    const auto contains = [&members = members](int wanted) {
      return std::find(members.begin(), members.end(), wanted) != members.end();
    };
    if (contains(number) && contains(other)) return true;
  }
  return false;
}

std::vector<Version> Table::toolkits_for(fatbin::Arch arch) const {
  std::vector<Version> result;
  for (const auto& row : toolkits) {
    if (std::find(row.archs.begin(), row.archs.end(), arch) != row.archs.end()) {
      result.push_back(row.cuda);
    }
  }
  return result;
}

const Table& table() {
  static const Table loaded = load();
  return loaded;
}

DriverFit fit_of(const Driver& driver, const Architecture& gpu) {
  for (const auto& row : table().drivers) {
    const bool first = row.branch == gpu.first_driver;
    if (first && !driver.beyond && driver.cuda < row.cuda) return DriverFit::too_old;
    if (row.branch == gpu.last_driver && row.cuda < driver.cuda) return DriverFit::too_new;
  }
  return DriverFit::fits;
}

bool is_too_old(const Driver& driver, const Toolkit& toolkit) {
  if (driver.beyond) return false;
  for (const auto& row : table().drivers) {
    if (row.branch >= toolkit.min_driver) return driver.cuda < row.cuda;
  }
  return driver.cuda.major < toolkit.cuda.major;
}

std::optional<Version> parse_version(std::string_view text) {
  const auto dot = text.find('.');
  if (dot == std::string_view::npos) return std::nullopt;
  const auto major = parse_int(text.substr(0, dot));
  const auto minor = parse_int(text.substr(dot + 1));
  if (!major || !minor) return std::nullopt;
  return Version{*major, *minor};
}

std::optional<ComputeCapability> parse_device(std::string_view text) {
  const auto version = parse_version(text);
  if (!version) return std::nullopt;
  const ComputeCapability device{version->major, version->minor};
  for (const auto& row : table().architectures) {
    if (row.device == device && row.device.text() == text) return device;
  }
  return std::nullopt;
}

std::optional<fatbin::Arch> parse_arch(std::string_view text) {
  const auto arch = split_arch(text);
  if (!arch) return std::nullopt;
  const auto* row = table().find_architecture(arch->number);
  const bool known = row != nullptr && (arch->suffix == '\0' ||
                                        row->suffixes.find(arch->suffix) != std::string::npos);
  return known ? arch : std::nullopt;
}

std::optional<Driver> parse_driver(std::string_view text) {
  if (!text.empty() && (text[0] == 'R' || text[0] == 'r')) text.remove_prefix(1);
  const auto branch = parse_int(text.substr(0, text.find('.')));
  if (!branch) return std::nullopt;
  if (*branch >= kSmallestBranch) return driver_of_branch(*branch);
  const auto cuda = parse_version(text);
  return cuda ? driver_of_cuda(*cuda) : std::nullopt;
}

std::string spelling_of(const Driver& driver) {
  return driver.name.substr(driver.name.rfind(' ') + 1);
}

}  // namespace archgrid::coverage
