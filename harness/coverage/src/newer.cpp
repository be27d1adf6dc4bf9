// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <archgrid/coverage/newer.hpp>
#include <set>

namespace archgrid::coverage {
namespace {

// Above all numbers that there are: no machine code is for it, and no family holds it.
constexpr Device kFuture{999, 9};

bool is_machine_code(Verdict verdict) {
  return verdict == Verdict::native || verdict == Verdict::compatible;
}

/// The newest device of the table on which machine code of a kernel runs.
std::optional<Device> newest_served(const Coverage& coverage) {
  const auto& rows = coverage.kernels();
  const auto& devices = table().architectures;
  const auto found = std::find_if(devices.rbegin(), devices.rend(), [&](const auto& known) {
    return std::any_of(rows.begin(), rows.end(), [&](const KernelRow& row) {
      return is_machine_code(coverage.verdict(row, known.device, nullptr));
    });
  });
  return found == devices.rend() ? std::nullopt : std::optional<Device>(found->device);
}

/// The PTX that newer GPUs take for kernels, and how many kernels that serves.
struct Jit {
  std::size_t kernels = 0;
  std::set<int> archs;
};

Jit jit_of(const Coverage& coverage) {
  Jit jit;
  for (const auto& row : coverage.kernels()) {
    if (coverage.verdict(row, kFuture, nullptr) != Verdict::jit) continue;
    ++jit.kernels;
    for (const auto* image : coverage.taken_images(row, kFuture, nullptr)) {
      if (image->kind == fatbin::Kind::ptx) jit.archs.insert(image->arch.number);
    }
  }
  return jit;
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
  const auto newest = newest_served(coverage);
  if (!newest) return {};
  const auto jit = jit_of(coverage);
  const auto all = coverage.kernels().size();
  if (jit.kernels == 0) {
    const auto suffixed = suffixed_ptx(file);
    return fmt::format("{}: GPUs newer than {} get nothing",
                       suffixed.empty() ? "no PTX" : "no PTX but " + suffixed + ", for its own GPU",
                       newest->text());
  }
  std::vector<std::string> archs;
  for (const auto number : jit.archs) archs.push_back(fmt::format("compute_{}", number));
  const auto ptx = fmt::format("{}", fmt::join(archs, ", "));
  if (jit.kernels == all) {
    return fmt::format("GPUs newer than {} are served by PTX {} (JIT)", newest->text(), ptx);
  }
  return fmt::format("GPUs newer than {} are served by PTX {} (JIT) for {} of {} kernels only",
                     newest->text(), ptx, jit.kernels, all);
}

}  // namespace archgrid::coverage
