// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

#include "kernel_check.hpp"

#include <link.h>

#include <algorithm>
#include <filesystem>
#include <string_view>

namespace archgrid::gtest {
namespace {

using coverage::Device;
using coverage::Verdict;

Device device_of(device::Capability capability) {
  return {capability.major, capability.minor};
}

bool holds(const std::vector<Device>& devices, Device device) {
  return std::find(devices.begin(), devices.end(), device) != devices.end();
}

bool is_virtual(std::string_view arch) {
  constexpr std::string_view suffix = "-virtual";
  return arch.size() > suffix.size() && arch.substr(arch.size() - suffix.size()) == suffix;
}

int append_name(dl_phdr_info* object, std::size_t, void* names) {
  const std::string name = object->dlpi_name;
  // The executable has no name, and what the kernel maps in itself has no file.
  if (!name.empty() && name.rfind("linux-", 0) != 0) {
    static_cast<std::vector<std::string>*>(names)->push_back(name);
  }
  return 0;
}

/// What could not be read may hide a kernel, and what was stripped did.
void add_unreadable(const fatbin::File& file, std::vector<std::string>& failures) {
  for (const fatbin::Error& error : file.errors) {
    failures.push_back("unreadable: " + file.path + " at offset " + std::to_string(error.offset) +
                       ": " + error.message);
  }
  if (!file.dangling.empty()) {
    failures.push_back("stripped: " + file.path + " registers " +
                       std::to_string(file.dangling.size()) +
                       " fat binaries that are not in it. Fix: do not strip .nv_fatbin");
  }
}

}  // namespace

std::vector<std::string> loaded_files() {
  std::vector<std::string> files = {std::filesystem::read_symlink("/proc/self/exe").string()};
  dl_iterate_phdr(append_name, &files);
  return files;
}

KernelCheck::KernelCheck(const Settings& settings) : settings_(settings) {
  if (settings.matrix.empty()) return;
  try {
    const coverage::Matrix matrix = coverage::read_matrix(settings.matrix);
    const auto toolkit = coverage::parse_version(settings.toolkit);
    promises_ = toolkit ? coverage::promises_for(matrix, *toolkit) : matrix.promises;
    ignores_ = matrix.ignores;
  } catch (const coverage::MatrixError& error) {
    throw UsageError(error.what());
  }
  // A cell of nothing but PTX is there to be compiled at run time.
  if (!is_virtual(settings.arch)) return;
  for (coverage::Promise& promise : promises_) promise.accept.insert(Verdict::jit);
}

coverage::Verdicts KernelCheck::accepted_on(Device device) const {
  coverage::Verdicts accepted;
  for (const coverage::Promise& promise : promises_) {
    if (holds(promise.devices, device))
      accepted.insert(promise.accept.begin(), promise.accept.end());
  }
  return accepted;
}

bool KernelCheck::accepts_jit() const {
  return std::any_of(promises_.begin(), promises_.end(), [&](const coverage::Promise& promise) {
    const bool is_asked_for =
        !settings_.device || holds(promise.devices, device_of(*settings_.device));
    return is_asked_for && promise.accept.count(Verdict::jit) > 0;
  });
}

std::string KernelCheck::not_for(device::Capability gpu) const {
  const Device device = device_of(gpu);
  coverage::Verdicts accepted = coverage::default_verdicts();
  if (!settings_.matrix.empty()) {
    accepted = accepted_on(device);
    if (accepted.empty()) {
      return settings_.matrix + " promises nothing for " + device.text() + " with CUDA " +
             settings_.toolkit;
    }
  }
  if (settings_.arch.empty() || coverage::arch_serves(settings_.arch, device, accepted)) return "";
  return "this cell is compiled for " + settings_.arch + ", which does not serve " + device.text();
}

bool KernelCheck::forgives(const coverage::Served& served, Device device) const {
  const coverage::KernelRow row{served.kernel, served.demangled, {}, false};
  return std::any_of(ignores_.begin(), ignores_.end(), [&](const coverage::Ignore& ignore) {
    const bool names_device = ignore.devices.empty() || holds(ignore.devices, device);
    return names_device && coverage::matches_kernel(ignore.kernel, row);
  });
}

std::string KernelCheck::told(const coverage::Served& served, Device device) const {
  const std::string cell = settings_.cell.empty() ? "" : " of cell " + settings_.cell;
  return std::string(coverage::name_of(served.judgement.verdict)) + " on " + device.text() + ": " +
         served.demangled + " in " + served.path + cell + ": " + served.judgement.reason +
         ". Fix: " + served.fix;
}

KernelReport KernelCheck::judge(const std::vector<std::string>& files, device::Capability gpu,
                                int driver_version) const {
  KernelReport report;
  std::vector<fatbin::File> contents;
  for (const std::string& path : files) {
    contents.push_back(fatbin::read(path));
    add_unreadable(contents.back(), report.failures);
  }
  const Device device = device_of(gpu);
  const auto driver = coverage::parse_driver(device::text_of_version(driver_version));
  const auto toolkit = coverage::parse_version(settings_.toolkit);
  for (const coverage::Served& served :
       coverage::serve(contents, device, driver ? &*driver : nullptr, promises_, toolkit)) {
    ++report.kernels;
    if (served.accepted) continue;
    if (forgives(served, device)) {
      ++report.forgiven;
    } else {
      report.failures.push_back(told(served, device));
    }
  }
  return report;
}

}  // namespace archgrid::gtest
