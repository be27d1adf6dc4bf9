// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <archgrid/coverage/load_rules.hpp>
#include <archgrid/coverage/newer.hpp>
#include <set>
#include <tuple>
#include <utility>

namespace archgrid::coverage {
namespace {

// A device for all GPUs that the table does not list. Above all real numbers: no machine code is
// for it, and no family contains it.
constexpr ComputeCapability kFuture{999, 9};

/// Returns the newest device of the table on which machine code of a kernel runs.
std::optional<ComputeCapability> newest_served(const fatbin::File& file,
                                               const ImageSelector& selector) {
  const auto& rows = selector.kernels();
  const auto& devices = table().architectures;
  const auto found = std::find_if(devices.rbegin(), devices.rend(), [&](const auto& known) {
    return may_meet(file, known) &&
           std::any_of(rows.begin(), rows.end(), [&](const KernelRow& row) {
             return is_machine_code(selector.verdict(row, known.device, nullptr));
           });
  });
  return found == devices.rend() ? std::nullopt : std::optional<ComputeCapability>(found->device);
}

std::vector<ComputeCapability> devices_above(ComputeCapability newest, const fatbin::File& file) {
  std::vector<ComputeCapability> devices;
  for (const auto& known : table().architectures) {
    if (newest < known.device && may_meet(file, known)) devices.push_back(known.device);
  }
  return devices;
}

/// The PTX that a device uses for kernels, and the number of these kernels.
struct Jit {
  std::size_t kernels = 0;
  std::size_t idle = 0;  ///< further kernels, whose bodies in the PTX do no work
  std::set<std::string> archs;
};

Jit jit_on(ComputeCapability device, const ImageSelector& selector) {
  Jit jit;
  for (const auto& row : selector.kernels()) {
    const auto verdict = selector.verdict(row, device, nullptr);
    if (verdict != Verdict::jit && verdict != Verdict::empty) continue;
    std::set<std::string> archs;
    for (const auto* image : selector.taken_images(row, device, nullptr)) {
      if (image->kind == fatbin::Kind::ptx) archs.insert("compute_" + image->arch.text());
    }
    if (verdict == Verdict::empty && archs.empty()) continue;  // machine code
    ++(verdict == Verdict::jit ? jit.kernels : jit.idle);
    jit.archs.merge(archs);
  }
  return jit;
}

/// Returns why a kernel's verdict on the device is unknown; nothing if all are known.
std::optional<Reason> doubt_on(ComputeCapability device, const ImageSelector& selector) {
  for (const auto& row : selector.kernels()) {
    auto prediction = selector.predict(row, device, nullptr);
    if (prediction.verdict == Verdict::unknown) return std::move(prediction.reason);
  }
  return std::nullopt;
}

std::set<std::string> suffixed_ptx(const fatbin::File& file) {
  std::set<std::string> archs;
  for (const auto& image : file.images) {
    if (image.kind == fatbin::Kind::ptx && image.arch.suffix != '\0') {
      archs.insert("compute_" + image.arch.text());
    }
  }
  return archs;
}

}  // namespace

std::optional<NewerGpus> newer_gpus(const fatbin::File& file, const ImageSelector& selector) {
  const auto newest = newest_served(file, selector);
  if (!newest) return std::nullopt;
  NewerGpus newer;
  newer.newest = *newest;
  auto jit = jit_on(kFuture, selector);
  newer.serves_future = jit.kernels > 0;
  newer.doubt = doubt_on(kFuture, selector);
  for (const auto device : devices_above(*newest, file)) {
    if (!newer.doubt) {
      newer.doubt = doubt_on(device, selector);
      if (newer.doubt) newer.doubtful = device;
    }
    auto here = jit_on(device, selector);
    (here.kernels > 0 ? newer.served : newer.unserved).push_back(device);
    const bool is_more = std::tie(jit.kernels, jit.idle) < std::tie(here.kernels, here.idle);
    if (!newer.serves_future && is_more) jit = std::move(here);
  }
  newer.kernels = jit.kernels;
  newer.idle = jit.idle;
  newer.of_kernels = selector.kernels().size();
  newer.ptx = std::move(jit.archs);
  newer.suffixed_ptx = suffixed_ptx(file);
  return newer;
}

}  // namespace archgrid::coverage
