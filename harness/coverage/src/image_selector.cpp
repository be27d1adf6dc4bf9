// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <archgrid/coverage/image_selector.hpp>
#include <utility>

#include "file_index.hpp"
#include "kernel_rows.hpp"
#include "module_evaluator.hpp"

namespace archgrid::coverage {

using fatbin::Image;

struct ImageSelector::Impl {
  Impl(const fatbin::File& file, const Working* elsewhere)
      : index(index_file(file, elsewhere)), evaluator(index), rows(kernel_rows_of(index)) {}

  FileIndex index;
  ModuleEvaluator evaluator;
  std::vector<KernelRow> rows;
};

namespace {

std::optional<std::size_t> number_of(const KernelRow& row, const FileIndex& index) {
  if (row.number) return row.number;
  const auto found = index.kernels.numbers.find(row.name.str());
  if (found == index.kernels.numbers.end()) return std::nullopt;
  return found->second;
}

/// Returns the relocatable object of a linked module that contains the kernel; nothing for none.
std::optional<std::size_t> part_with(const KernelRow& row, std::size_t module,
                                     const FileIndex& index) {
  const auto number = number_of(row, index);
  for (const auto part : parts_of(index.links, index.file.modules[module])) {
    if (contain_kernel(index.kernels, index.images[part], number)) return part;
  }
  return std::nullopt;
}

std::vector<LaunchPrediction> predict_each(const Launch& launch, const KernelRow& row,
                                           const ModuleEvaluator& evaluator) {
  std::vector<LaunchPrediction> predictions;
  for (const auto module : row.modules) {
    predictions.push_back(evaluator.evaluate(launch, module));
  }
  return predictions;
}

bool is_better(const LaunchPrediction& left, const LaunchPrediction& right) {
  return left.verdict < right.verdict;
}

// Each implementation needs a module of its own that serves the device. Which module contains which
// one is unknown if their archs differ, so for two implementations the second best module counts.
LaunchPrediction predict_by_implementation(const Launch& launch, const KernelRow& row,
                                           const ModuleEvaluator& evaluator) {
  auto predictions = predict_each(launch, row, evaluator);
  std::stable_sort(predictions.begin(), predictions.end(), is_better);
  auto& result = predictions.at(row.implementations - 1);
  result.reason.picked_from = static_cast<std::uint32_t>(row.modules.size());
  result.reason.implementations = static_cast<std::uint32_t>(row.implementations);
  return std::move(result);
}

bool has_image(const LaunchPrediction& prediction) {
  const auto why = prediction.reason.why;
  return why != Why::no_image && why != Why::suffix;
}

// The launch finds a module with an image that loads; which of several is unknown.
LaunchPrediction predict_by_stub(const Launch& launch, const KernelRow& row,
                                 const ModuleEvaluator& evaluator) {
  auto predictions = predict_each(launch, row, evaluator);
  const auto first = predictions.begin();
  const auto loading = std::stable_partition(first, predictions.end(), has_image);
  return *std::max_element(first, loading == first ? predictions.end() : loading, is_better);
}

LaunchPrediction predict_by_module(const Launch& launch, const KernelRow& row,
                                   const ModuleEvaluator& evaluator) {
  LaunchPrediction result;
  bool first = true;
  for (const auto module : row.modules) {
    auto prediction = evaluator.evaluate(launch, module);
    const bool better = prediction.verdict < result.verdict;
    const bool worse = result.verdict < prediction.verdict;
    if (first || (row.loaded_explicitly ? better : worse)) result = std::move(prediction);
    first = false;
  }
  if (row.loaded_explicitly && row.modules.size() > 1) {
    result.reason.picked_from = static_cast<std::uint32_t>(row.modules.size());
  }
  return result;
}

}  // namespace

ImageSelector::ImageSelector(const fatbin::File& file, const Working* elsewhere)
    : impl_(std::make_unique<const Impl>(file, elsewhere)) {}

ImageSelector::~ImageSelector() = default;

const std::vector<KernelRow>& ImageSelector::kernels() const {
  return impl_->rows;
}

LaunchPrediction ImageSelector::predict(const KernelRow& row, ComputeCapability device,
                                        const Driver* driver) const {
  const Launch launch{number_of(row, impl_->index), device, driver};
  if (row.has_shared_stub) return predict_by_stub(launch, row, impl_->evaluator);
  return row.implementations > 1 ? predict_by_implementation(launch, row, impl_->evaluator)
                                 : predict_by_module(launch, row, impl_->evaluator);
}

Verdict ImageSelector::verdict(const KernelRow& row, ComputeCapability device,
                               const Driver* driver) const {
  return predict(row, device, driver).verdict;
}

const std::string& ImageSelector::unit_of(const KernelRow& row, std::size_t module) const {
  const auto& index = impl_->index;
  return index.file.modules[part_with(row, module, index).value_or(module)].unit;
}

bool ImageSelector::takes_machine_code(std::size_t module, ComputeCapability device) const {
  return impl_->evaluator.takes_machine_code(module, device);
}

bool ImageSelector::is_named_by_host(const KernelRow& row) const {
  const auto& index = impl_->index;
  const auto number = number_of(row, index);
  return std::any_of(row.modules.begin(), row.modules.end(), [&](std::size_t module) {
    const auto& images = index.images[module];
    return std::any_of(images.begin(), images.end(), [&](const Image* image) {
      const auto* kernel = find_kernel(index.kernels, *image, number);
      return kernel != nullptr && kernel->named_by_host;
    });
  });
}

const fatbin::Kernel* ImageSelector::taken_kernel(const KernelRow& row, std::size_t module,
                                                  ComputeCapability device) const {
  const auto& index = impl_->index;
  const auto taken = choose_candidates(index.images[module], device);
  const auto* image = taken.sure != nullptr ? taken.sure : taken.ptx;
  return image == nullptr ? nullptr : find_kernel(index.kernels, *image, number_of(row, index));
}

bool ImageSelector::works_for_newer_arch(const KernelRow& row, std::size_t module,
                                         fatbin::Arch taken, ComputeCapability device) const {
  const auto& index = impl_->index;
  const auto number = number_of(row, index);
  const auto& images = index.images[module];
  return std::any_of(images.begin(), images.end(), [&](const Image* image) {
    if (image->arch.number <= taken.number || image->arch.number > device.number()) return false;
    const auto* kernel = find_kernel(index.kernels, *image, number);
    return kernel != nullptr && !fatbin::is_idle(kernel->body);
  });
}

bool ImageSelector::is_of_part_without_code(const KernelRow& row, std::size_t module,
                                            ComputeCapability device) const {
  const auto part = part_with(row, module, impl_->index);
  if (!part) return false;
  const auto chosen = choose_for_link(impl_->index.images[*part], device);
  return chosen.image == nullptr && chosen.opaque == nullptr;
}

std::string ImageSelector::undefined_in(std::size_t module) const {
  const auto& undefined = impl_->index.undefined;
  for (const auto* image : impl_->index.images[module]) {
    const auto found = undefined.find(image);
    if (found != undefined.end()) return fatbin::demangle(std::string(found->second));
  }
  return {};
}

std::vector<const Image*> ImageSelector::taken_images(const KernelRow& row,
                                                      ComputeCapability device,
                                                      const Driver* driver) const {
  const auto& index = impl_->index;
  std::vector<const Image*> taken;
  const auto add = [&taken](const Image* image) {
    if (image != nullptr) taken.push_back(image);
  };
  auto modules = row.modules;
  if (row.loaded_explicitly) modules = {predict(row, device, driver).module};
  for (const auto module : modules) {
    const auto found = choose_candidates(index.images[module], device);
    add(found.sure);
    if (found.sure != nullptr) continue;
    for (const auto* image : {found.ptx, found.unsure, found.opaque}) add(image);
    for (const auto part : parts_of(index.links, index.file.modules[module])) {
      const auto chosen = choose_for_link(index.images[part], device);
      add(chosen.image != nullptr ? chosen.image : chosen.opaque);
    }
  }
  return taken;
}

}  // namespace archgrid::coverage
