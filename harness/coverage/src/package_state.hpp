// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// The files of a package, and the devices that they serve.
#ifndef ARCHGRID_COVERAGE_PACKAGE_STATE_HPP
#define ARCHGRID_COVERAGE_PACKAGE_STATE_HPP

#include <archgrid/coverage/audit.hpp>
#include <cstddef>
#include <map>
#include <memory>
#include <set>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "running.hpp"

namespace archgrid::coverage {

/// A kernel in a file.
struct Place {
  std::size_t file = 0;
  const KernelRow* row = nullptr;
};

using Places = std::unordered_map<std::string_view, std::vector<Place>>;  ///< by kernel

/// An audit without promises in progress. Files in no archive form one package.
struct PackageState {
  const std::vector<std::unique_ptr<ImageSelector>>& selectors;  ///< by file
  const Request& request;
  Audit& result;
  std::vector<std::vector<const KernelRow*>> launched = {};  ///< launched_rows(), by file
  std::vector<std::vector<OnDevice>> served = {};            ///< by file
  /// Files and devices: whether the request's driver refuses to load the file.
  std::map<std::pair<std::size_t, ComputeCapability>, bool> refused = {};
  /// Packages with devices: most of the package's kernels are in files that serve the device.
  std::set<std::pair<std::string_view, ComputeCapability>> shipped = {};
  /// Packages with asked devices: the answer for most kernels, which the rules go by.
  std::map<std::pair<std::string_view, ComputeCapability>, Answer> answers = {};
  /// The same with any driver.
  std::map<std::pair<std::string_view, ComputeCapability>, Answer> answers_by_code = {};
  std::map<std::string_view, Places> places = {};  ///< by package
  std::vector<ComputeCapability> devices = {};     ///< to judge, ascending
};

/// Fills in everything of the state but `refused`.
void find_shipped(PackageState& package);

/// Fills in the devices of the audit, and those of each file that PTX serves beyond them.
void publish_devices(PackageState& package);

/// Returns the package of a file; empty for files in no archive, which form one package.
std::string_view package_of(const PackageState& package, std::size_t index);

/// Reports whether the request names the device. Others are judged only for evidence.
bool is_asked(const PackageState& package, ComputeCapability device);

/// Returns what metadata of the file's package claim; null without metadata.
const Claim* claim_of(const PackageState& package, std::size_t index);

/// Reports whether the metadata of the file's package exclude the device.
bool is_left_out(const PackageState& package, std::size_t index, ComputeCapability device);

/// Reports whether the metadata of the file's package name the device.
bool is_claimed(const PackageState& package, std::size_t index, ComputeCapability device);

/// Reports whether no product with the device is known, and no file has code for just it.
bool is_in_no_product(const PackageState& package, ComputeCapability device);

/// Reports whether the driver does not support a GPU that the request does not name. A GPU that
/// the request names is a finding instead.
bool is_without_driver(const PackageState& package, ComputeCapability device);

/// Returns the file's service of a device; null if there is none.
const OnDevice* find_served(const PackageState& package, std::size_t index,
                            ComputeCapability device);

bool ships(const PackageState& package, std::size_t index, ComputeCapability device);

/// Reports whether the file ships the device, and some kernel works there.
bool serves(const PackageState& package, std::size_t index, ComputeCapability device);

/// Reports whether some file of the package serves the device.
bool is_served(const PackageState& package, std::string_view name, ComputeCapability device);

/// Reports whether no file of the package is for the CPU of the boards with this GPU.
bool is_beside_other_cpu(const PackageState& package, std::string_view name,
                         ComputeCapability device);

}  // namespace archgrid::coverage

#endif
