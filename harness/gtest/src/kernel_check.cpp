// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

#include "kernel_check.hpp"

#include <algorithm>
#include <archgrid/coverage/code_finder.hpp>
#include <archgrid/words.hpp>
#include <iterator>
#include <set>
#include <string_view>
#include <utility>

namespace archgrid::gtest {
namespace {

using coverage::ComputeCapability;
using coverage::Verdict;

ComputeCapability device_of(device::Capability capability) {
  return {capability.major, capability.minor};
}

bool contains(const std::vector<ComputeCapability>& devices, ComputeCapability device) {
  return std::find(devices.begin(), devices.end(), device) != devices.end();
}

bool is_virtual(std::string_view arch) {
  constexpr std::string_view suffix = "-virtual";
  return arch.size() > suffix.size() && arch.substr(arch.size() - suffix.size()) == suffix;
}

/// Adds unreadable parts, which may hide a kernel, and stripped code, which does.
void add_unreadable(const fatbin::File& file, std::vector<KernelFailure>& failures) {
  for (const fatbin::Error& error : file.errors) {
    failures.push_back(
        {file.path, std::nullopt, "unreadable: " + coverage::error_text(file.path, error)});
  }
  if (!file.dangling.empty()) {
    failures.push_back({file.path, std::nullopt,
                        "stripped: " + file.path + " registers " +
                            std::to_string(file.dangling.size()) +
                            " fat binaries that are not in it. Fix: do not strip .nv_fatbin"});
  }
}

/// Leaves only the images that the driver considers when it is forced to compile PTX.
void leave_ptx_alone(fatbin::File& file) {
  auto& images = file.images;
  const auto is_machine_code = [](const fatbin::Image& image) {
    return image.kind == fatbin::Kind::sass;
  };
  images.erase(std::remove_if(images.begin(), images.end(), is_machine_code), images.end());
}

/// Fails the kernels of `all` that are not in `of_ptx`.
void add_without_ptx(const std::vector<coverage::Served>& all,
                     const std::vector<coverage::Served>& of_ptx, ComputeCapability device,
                     std::vector<KernelFailure>& failures) {
  std::set<std::pair<std::string, std::string>> found;
  for (const coverage::Served& served : of_ptx) found.emplace(served.path, served.kernel.str());
  for (const coverage::Served& served : all) {
    if (found.count({served.path, served.kernel.str()}) > 0) continue;
    const std::string name = served.demangled.str();
    failures.push_back({name, Verdict::missing,
                        "missing on " + device.text() + ": " + name + " in " + served.path +
                            ": it has no PTX that could be compiled at run time. Fix: compile it "
                            "for a -virtual arch too"});
  }
}

coverage::Matrix read_matrix(const Settings& settings) {
  if (settings.matrix.empty()) return {};
  try {
    return coverage::read_matrix(settings.matrix);
  } catch (const coverage::MatrixError& error) {
    throw UsageError(error.what());
  }
}

/// Returns the promises of the settings' matrix file for the settings' toolkit.
coverage::Request request_of(const coverage::Matrix& matrix, const Settings& settings) {
  coverage::Request request;
  request.toolkit = coverage::parse_version(settings.toolkit);
  if (settings.matrix.empty()) return request;
  try {
    request.promises =
        request.toolkit ? coverage::promises_for(matrix, *request.toolkit) : matrix.promises;
  } catch (const coverage::MatrixError& error) {
    throw UsageError(error.what());
  }
  request.ignores = matrix.ignores;
  return request;
}

}  // namespace

KernelCheck::KernelCheck(const Settings& settings)
    : settings_(settings), matrix_(read_matrix(settings)), request_(request_of(matrix_, settings)) {
  // Everything that can be compiled at run time is, promised or not.
  if (!is_virtual(settings.arch) && settings.load != Load::jit) return;
  request_.unpromised.insert(Verdict::jit);
  for (coverage::Promise& promise : request_.promises) promise.accept.insert(Verdict::jit);
}

bool KernelCheck::is_promised(ComputeCapability device) const {
  const auto& promises = request_.promises;
  return std::any_of(promises.begin(), promises.end(), [&](const coverage::Promise& promise) {
    return contains(promise.devices, device);
  });
}

coverage::Verdicts KernelCheck::accepted_on(ComputeCapability device) const {
  if (!is_promised(device)) return request_.unpromised;
  coverage::Verdicts accepted;
  for (const coverage::Promise& promise : request_.promises) {
    if (contains(promise.devices, device))
      accepted.insert(promise.accept.begin(), promise.accept.end());
  }
  return accepted;
}

bool KernelCheck::accepts_jit() const {
  if (request_.unpromised.count(Verdict::jit) > 0) return true;
  const auto& promises = request_.promises;
  return std::any_of(promises.begin(), promises.end(), [&](const coverage::Promise& promise) {
    const bool is_asked_for =
        !settings_.device || contains(promise.devices, device_of(*settings_.device));
    return is_asked_for && promise.accept.count(Verdict::jit) > 0;
  });
}

std::string KernelCheck::skip_reason(const std::string& test, device::Capability gpu) const {
  const auto* skip = coverage::skip_for(matrix_, test, device_of(gpu));
  return skip == nullptr ? "" : settings_.matrix + ": " + skip->place + ": " + skip->reason;
}

std::string KernelCheck::not_for(device::Capability gpu) const {
  const ComputeCapability device = device_of(gpu);
  // A single cell is for every GPU that its arch serves, promised or not.
  if (!settings_.arch.empty()) return not_served(device);
  if (settings_.matrix.empty() || is_promised(device)) return "";
  return settings_.matrix + " promises nothing for " + device.text() + " with CUDA " +
         settings_.toolkit;
}

std::string KernelCheck::not_served(ComputeCapability device) const {
  const std::string& arch = settings_.arch;
  if (coverage::arch_serves(arch, device, accepted_on(device))) return "";
  const bool runs =
      coverage::arch_serves(arch, device, {Verdict::native, Verdict::compatible, Verdict::jit});
  return "this cell is compiled for " + arch + ", which does not serve " + device.text() +
         (runs ? " in a way that is accepted" : "");
}

std::string KernelCheck::told(const coverage::Served& served, ComputeCapability device) const {
  const std::string cell = settings_.cell.empty() ? "" : " of cell " + settings_.cell;
  return std::string(coverage::name_of(served.prediction.verdict)) + " on " + device.text() + ": " +
         served.demangled.str() + " in " + served.path + cell + ": " +
         report::reason_text(served.prediction.reason, device.text()) +
         ". Fix: " + report::fix_of(served);
}

KernelReport KernelCheck::judge(const std::vector<std::string>& files, device::Capability gpu,
                                int driver_version) const {
  KernelReport report;
  const ComputeCapability device = device_of(gpu);
  const bool forced_jit = settings_.load == Load::jit;
  fatbin::ReadOptions reading = fatbin::Detail::bodies;
  if (!forced_jit) {
    reading.needs_ptx = [device](const auto& images) {
      return coverage::needs_ptx(images, {device});
    };
  }
  std::vector<fatbin::File> contents;
  for (const std::string& path : files) {
    contents.push_back(fatbin::read(path, reading));
    add_unreadable(contents.back(), report.failures);
  }
  coverage::Request request = request_;
  request.driver = coverage::parse_driver(device::text_of_version(driver_version));
  report.verdicts = coverage::serve(contents, device, request);
  if (forced_jit) {
    const auto all = std::move(report.verdicts);
    for (fatbin::File& file : contents) leave_ptx_alone(file);
    report.verdicts = coverage::serve(contents, device, request);
    add_without_ptx(all, report.verdicts, device, report.failures);
  }
  for (const coverage::Served& served : report.verdicts) {
    if (served.ignored) {
      ++report.ignored;
    } else if (!served.accepted) {
      report.failures.push_back(
          {served.demangled.str(), served.prediction.verdict, told(served, device)});
    }
  }
  return report;
}

ExecutedCode KernelCheck::executed(const std::string& file,
                                   const std::map<std::string, std::string>& test_by_kernel,
                                   device::Capability gpu, int driver_version) const {
  const ComputeCapability device = device_of(gpu);
  const auto driver = coverage::parse_driver(device::text_of_version(driver_version));
  fatbin::ReadOptions reading = fatbin::Detail::bodies;
  reading.wants_identities = [device](const fatbin::Image& image) {
    return image.arch.number <= device.number();
  };
  fatbin::File content = fatbin::read(file, reading);
  if (!content.errors.empty()) return {};
  if (settings_.load == Load::jit) leave_ptx_alone(content);
  const coverage::ImageSelector selector(content);
  coverage::CodeFinder finder(selector);
  ExecutedCode found;
  if (settings_.load == Load::as_built) found.hash = coverage::code_hash_of(selector, device);
  for (const coverage::KernelRow& row : selector.kernels()) {
    const auto launched = test_by_kernel.find(row.name.str());
    if (launched == test_by_kernel.end()) continue;
    const auto code = finder.code_of(row, device, driver ? &*driver : nullptr);
    if (code.size() != 1 || code.front().identity.empty()) continue;
    found.kernels.push_back(
        {row.name.str(), code.front().arch, code.front().identity, launched->second});
  }
  return found;
}

}  // namespace archgrid::gtest
