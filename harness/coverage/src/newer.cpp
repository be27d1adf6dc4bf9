// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <archgrid/coverage/newer.hpp>
#include <set>

namespace archgrid::coverage {
namespace {

// Above all numbers that there are: no machine code is for it, and no family holds it. It stands
// for the GPUs that the table does not know.
constexpr Device kFuture{999, 9};

bool is_machine_code(Verdict verdict) {
  return verdict == Verdict::native || verdict == Verdict::compatible;
}

/// The newest device of the table on which machine code of a kernel runs.
std::optional<Device> newest_served(const fatbin::File& file, const Coverage& coverage) {
  const auto& rows = coverage.kernels();
  const auto& devices = table().architectures;
  const auto found = std::find_if(devices.rbegin(), devices.rend(), [&](const auto& known) {
    return may_meet(file, known) &&
           std::any_of(rows.begin(), rows.end(), [&](const KernelRow& row) {
             return is_machine_code(coverage.verdict(row, known.device, nullptr));
           });
  });
  return found == devices.rend() ? std::nullopt : std::optional<Device>(found->device);
}

std::vector<Device> devices_above(Device newest, const fatbin::File& file) {
  std::vector<Device> devices;
  for (const auto& known : table().architectures) {
    if (newest < known.device && may_meet(file, known)) devices.push_back(known.device);
  }
  return devices;
}

/// The PTX that a device takes for kernels, and how many kernels that serves.
struct Jit {
  std::size_t kernels = 0;
  std::set<std::string> archs;
};

Jit jit_on(Device device, const Coverage& coverage) {
  Jit jit;
  for (const auto& row : coverage.kernels()) {
    if (coverage.verdict(row, device, nullptr) != Verdict::jit) continue;
    ++jit.kernels;
    for (const auto* image : coverage.taken_images(row, device, nullptr)) {
      if (image->kind == fatbin::Kind::ptx) jit.archs.insert("compute_" + image->arch.text());
    }
  }
  return jit;
}

/// Why it is not known what a kernel gets on the device; empty if it is for all.
std::string doubt_on(Device device, const Coverage& coverage) {
  const auto& rows = coverage.kernels();
  const auto found = std::find_if(rows.begin(), rows.end(), [&](const KernelRow& row) {
    return coverage.verdict(row, device, nullptr) == Verdict::unknown;
  });
  if (found == rows.end()) return {};
  auto doubt = coverage.judge(*found, device, nullptr).reason.str();
  const auto future = kFuture.text();  // no GPU that anybody knows
  const auto at = doubt.find(future);
  return at == std::string::npos ? doubt : doubt.replace(at, future.size(), "them");
}

/// "compute_90a", of PTX that no newer GPU takes.
std::string suffixed_ptx(const fatbin::File& file) {
  std::set<std::string> archs;
  for (const auto& image : file.images) {
    if (image.kind == fatbin::Kind::ptx && image.arch.suffix != '\0') {
      archs.insert("compute_" + image.arch.text());
    }
  }
  return fmt::format("{}", fmt::join(archs, ", "));
}

}  // namespace

std::string newer_gpus(const fatbin::File& file, const Coverage& coverage) {
  const auto newest = newest_served(file, coverage);
  if (!newest) return {};
  auto jit = jit_on(kFuture, coverage);
  const bool future = jit.kernels > 0;
  auto doubt = doubt_on(kFuture, coverage);
  std::vector<Device> served;
  std::vector<Device> unserved;
  for (const auto device : devices_above(*newest, file)) {
    if (doubt.empty()) doubt = doubt_on(device, coverage);
    auto here = jit_on(device, coverage);
    (here.kernels > 0 ? served : unserved).push_back(device);
    if (!future && jit.kernels < here.kernels) jit = std::move(here);
  }
  if (!doubt.empty()) {
    return fmt::format("what GPUs newer than {} get is not known: {}", newest->text(), doubt);
  }
  if (jit.kernels == 0) {
    const auto suffixed = suffixed_ptx(file);
    return fmt::format(
        "{}: GPUs newer than {} get nothing",
        suffixed.empty() ? "no PTX" : "no PTX but " + suffixed + ", for its own GPU or family",
        newest->text());
  }
  const auto by = jit.archs.empty() ? "relocatable machine code, linked anew at load time"
                                    : fmt::format("PTX {}", fmt::join(jit.archs, ", "));
  auto text = fmt::format("GPUs newer than {} are served by {} (JIT)", newest->text(), by);
  const auto all = coverage.kernels().size();
  if (jit.kernels < all) text += fmt::format(" for {} of {} kernels only", jit.kernels, all);
  if (!future) text += fmt::format(", but only {}", list_devices(served));
  if (future && !unserved.empty()) {
    text += fmt::format(", but {} get nothing", list_devices(unserved));
  }
  return text;
}

}  // namespace archgrid::coverage
