// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// The data table: architectures, toolkits and drivers, embedded when archgrid is built.
#ifndef ARCHGRID_COVERAGE_TABLE_HPP
#define ARCHGRID_COVERAGE_TABLE_HPP

#include <archgrid/fatbin.hpp>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

namespace archgrid::coverage {

/// 12.4: of a toolkit, of a PTX ISA.
struct Version {
  int major = 0;
  int minor = 0;
  [[nodiscard]] std::string text() const;
};

inline bool operator==(Version left, Version right) {
  return left.major == right.major && left.minor == right.minor;
}
inline bool operator<(Version left, Version right) {
  return std::tie(left.major, left.minor) < std::tie(right.major, right.minor);
}

/// A GPU by compute capability: 9.0, whose arch number is 90.
struct Device {
  int major = 0;
  int minor = 0;
  [[nodiscard]] int number() const { return major * 10 + minor; }
  [[nodiscard]] std::string text() const;
};

inline bool operator==(Device left, Device right) {
  return left.number() == right.number();
}
inline bool operator!=(Device left, Device right) {
  return !(left == right);
}
inline bool operator<(Device left, Device right) {
  return left.number() < right.number();
}

/// "8.0, 9.0"
std::string list_devices(const std::vector<Device>& devices);
std::string list_devices(const std::set<Device>& devices);

struct Architecture {
  int number = 0;
  Device device;
  std::string generation;
  std::vector<std::string> products;
  bool integrated = false;  ///< Tegra: desktop code is not sure to load, nor the other way round
  std::string host_cpu;     ///< "aarch64" where every board has an Arm CPU; else empty
  std::string suffixes;     ///< "af"
  int first_driver = 0;     ///< the oldest branch that knows it; 0: all of the table, or not known
  int last_driver = 0;      ///< the newest; 0: there is none yet, or not known
};

struct Toolkit {
  Version cuda;
  Version ptx_isa;
  int min_driver = 0;               ///< the oldest branch that runs what it makes
  std::vector<fatbin::Arch> archs;  ///< plain and suffixed ones that its nvcc compiles for
};

struct DriverBranch {
  int branch = 0;
  Version cuda;
  Version ptx_isa;
};

struct Table {
  std::map<int, std::vector<int>> families;  ///< by first number; what `f` code runs on
  std::vector<Architecture> architectures;   ///< ascending
  std::vector<Toolkit> toolkits;             ///< ascending
  std::vector<DriverBranch> drivers;         ///< ascending

  [[nodiscard]] const Architecture* find_architecture(int number) const;
  [[nodiscard]] const Toolkit* find_toolkit(Version cuda) const;
  [[nodiscard]] bool is_integrated(int number) const;
  [[nodiscard]] bool same_family(int number, int other) const;
  /// The toolkits whose nvcc compiles for `arch`, ascending.
  [[nodiscard]] std::vector<Version> toolkits_for(fatbin::Arch arch) const;
};

const Table& table();

/// What a driver can load, and compile PTX of.
struct Driver {
  std::string name;     ///< "driver 580", "a driver for CUDA 13.0"
  Version cuda;         ///< that it is made for, or the newest before it that the table has
  Version ptx_isa;      ///< the newest PTX ISA that it is known to read
  bool beyond = false;  ///< newer than the table: it may read more
};

/// Whether the driver is older than all that run what the toolkit makes: those are made for the
/// toolkit's major release, or for a later one.
bool is_too_old(const Driver& driver, const Toolkit& toolkit);

enum class DriverFit { fits, too_old, too_new };

/// Whether the driver is of a branch before the first, or after the last, that knows the GPU.
DriverFit fit_of(const Driver& driver, const Architecture& gpu);

/// "9.0"; nothing unless the table has such a device.
std::optional<Device> parse_device(std::string_view text);

/// Returns the GPUs that a product name may mean, ascending: "H100", "RTX 4090", and as nvidia-smi
/// prints it "NVIDIA A100-SXM4-40GB". Several for an ambiguous name ("RTX 6000"), none for an
/// unknown one.
std::vector<Device> devices_named(std::string_view name);

/// "12.4"
std::optional<Version> parse_version(std::string_view text);

/// "90", "90a", "100f"; nothing unless the table has such an architecture and suffix.
std::optional<fatbin::Arch> parse_arch(std::string_view text);

/// A driver by branch ("580", "580.65.06", "R580") or by the CUDA version that it is made for
/// ("13.0"). Nothing if it is older than every driver of the table, or no number.
std::optional<Driver> parse_driver(std::string_view text);

}  // namespace archgrid::coverage

#endif
