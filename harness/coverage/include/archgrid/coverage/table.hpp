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

/// A version of a toolkit or PTX ISA: 12.4.
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
struct ComputeCapability {
  int major = 0;
  int minor = 0;
  [[nodiscard]] int number() const { return major * 10 + minor; }
  [[nodiscard]] std::string text() const;
};

inline bool operator==(ComputeCapability left, ComputeCapability right) {
  return left.number() == right.number();
}
inline bool operator!=(ComputeCapability left, ComputeCapability right) {
  return !(left == right);
}
inline bool operator<(ComputeCapability left, ComputeCapability right) {
  return left.number() < right.number();
}

/// Returns "8.0, 9.0".
std::string list_devices(const std::vector<ComputeCapability>& devices);
std::string list_devices(const std::set<ComputeCapability>& devices);

struct Architecture {
  int number = 0;
  ComputeCapability device;
  std::string generation;
  std::vector<std::string> products;
  bool integrated = false;  ///< Tegra: desktop code is not sure to load, nor the reverse
  std::string host_cpu;     ///< "aarch64" if all boards have an Arm CPU; else empty
  std::string suffixes;     ///< "af"
  int first_driver = 0;     ///< the oldest branch that supports it; 0: all of the table, or unknown
  int last_driver = 0;      ///< the newest branch that supports it; 0: none yet, or unknown
};

struct Toolkit {
  Version cuda;
  Version ptx_isa;
  int min_driver = 0;               ///< the oldest branch that runs its output
  std::vector<fatbin::Arch> archs;  ///< that its nvcc compiles for, plain and suffixed
};

struct DriverBranch {
  int branch = 0;
  Version cuda;
  Version ptx_isa;
};

struct Table {
  std::map<int, std::vector<int>> families;  ///< by first number; `f` code runs on the whole family
  std::vector<Architecture> architectures;   ///< ascending
  std::vector<Toolkit> toolkits;             ///< ascending
  std::vector<DriverBranch> drivers;         ///< ascending

  [[nodiscard]] const Architecture* find_architecture(int number) const;
  [[nodiscard]] const Toolkit* find_toolkit(Version cuda) const;
  [[nodiscard]] bool is_integrated(int number) const;
  [[nodiscard]] bool same_family(int number, int other) const;
  /// Returns the toolkits whose nvcc compiles for `arch`, ascending.
  [[nodiscard]] std::vector<Version> toolkits_for(fatbin::Arch arch) const;
};

const Table& table();

/// The capabilities of a driver: what it loads and which PTX it compiles.
struct Driver {
  std::string name;     ///< "driver 580", "a driver for CUDA 13.0"
  Version cuda;         ///< its CUDA version, or the newest earlier one in the table
  Version ptx_isa;      ///< the newest PTX ISA that it is known to read
  bool beyond = false;  ///< newer than the table: it may read newer PTX
};

/// Returns "580" or "13.0", which parse_driver() reads.
std::string spelling_of(const Driver& driver);

/// Reports whether the driver is too old for the toolkit's output, which needs a driver for the
/// toolkit's major release or a later one.
bool is_too_old(const Driver& driver, const Toolkit& toolkit);

enum class DriverFit { fits, too_old, too_new };

/// Reports whether the driver's branch is older than the first or newer than the last for the GPU.
DriverFit fit_of(const Driver& driver, const Architecture& gpu);

/// Parses "9.0". Returns nothing if the table has no such device.
std::optional<ComputeCapability> parse_device(std::string_view text);

/// Returns the GPUs that a product name may mean, ascending: "H100", "RTX 4090", or nvidia-smi's
/// "NVIDIA A100-SXM4-40GB". Returns several for an ambiguous name ("RTX 6000"), none for an unknown
/// one.
std::vector<ComputeCapability> devices_named(std::string_view name);

/// Parses "12.4".
std::optional<Version> parse_version(std::string_view text);

/// Parses "90", "90a", "100f". Returns nothing if the table has no such architecture and suffix.
std::optional<fatbin::Arch> parse_arch(std::string_view text);

/// Parses a driver branch ("580", "580.65.06", "R580") or a driver's CUDA version ("13.0"). Returns
/// nothing if it is older than every driver of the table, or not a number.
std::optional<Driver> parse_driver(std::string_view text);

}  // namespace archgrid::coverage

#endif
