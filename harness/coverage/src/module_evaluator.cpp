// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include "module_evaluator.hpp"

#include <algorithm>
#include <map>
#include <mutex>
#include <tuple>
#include <utility>
#include <vector>

namespace archgrid::coverage {

using fatbin::Image;
using fatbin::Kernel;
using fatbin::Kind;

/// Candidates of every module for one device, on the assumption that they contain the kernel.
struct ModuleEvaluator::OnDevice {
  std::once_flag once;
  std::vector<Candidates> candidates;  ///< by module
};

/// Details of reasons, each shared by thousands of kernels.
struct ModuleEvaluator::Details {
  using Key = std::tuple<const Image*, Why, std::string, std::string>;  ///< object, driver
  std::mutex mutex;
  std::map<Key, std::shared_ptr<const ReasonDetail>> known;
};

ModuleEvaluator::ModuleEvaluator(const FileIndex& index)
    : index_(index),
      on_device_(std::make_unique<OnDevice[]>(table().architectures.size())),
      details_(std::make_unique<Details>()) {}

ModuleEvaluator::~ModuleEvaluator() = default;

LaunchPrediction ModuleEvaluator::evaluate(const Launch& launch, std::size_t module) const {
  auto prediction = evaluate_images(launch, module);
  prediction.module = module;
  if (!has_parts(index_.links, index_.file.modules[module])) return prediction;
  // The driver links again only if no linked machine code fits, even if that code lacks the kernel.
  if (takes_machine_code(module, launch.device) || prediction.verdict == Verdict::empty)
    return prediction;
  auto relinked = evaluate_link(launch, module);
  relinked.module = module;
  const bool better = prediction.verdict < relinked.verdict && relinked.verdict != Verdict::empty;
  return better ? prediction : relinked;
}

bool ModuleEvaluator::takes_machine_code(std::size_t module, ComputeCapability device) const {
  const auto& images = index_.images[module];
  return std::any_of(images.begin(), images.end(),
                     [&](const Image* image) { return is_sure_to_load(*image, device); });
}

/// Returns null for a device that is not in the table.
const Candidates* ModuleEvaluator::known_candidates(ComputeCapability device,
                                                    std::size_t module) const {
  const auto* row = table().find_architecture(device.number());
  if (row == nullptr) return nullptr;
  auto& found = on_device_[static_cast<std::size_t>(row - table().architectures.data())];
  std::call_once(found.once, [&] {
    found.candidates.reserve(index_.images.size());
    for (const auto& images : index_.images) {
      found.candidates.push_back(choose_candidates(images, device));
    }
  });
  return &found.candidates[module];
}

Candidates ModuleEvaluator::candidates_of(const Launch& launch, std::size_t module) const {
  const auto* any = known_candidates(launch.device, module);
  // Look for the kernel only in images that may load, and only if none is sure to load.
  const bool for_all = any != nullptr && (any->sure != nullptr ||
                                          (any->unsure == nullptr && any->suffixed == nullptr));
  if (for_all) return *any;
  return choose_candidates(index_.images[module], launch.device, [&](const Image& image) {
    return find_kernel(index_.kernels, image, launch.kernel) != nullptr;
  });
}

LaunchPrediction ModuleEvaluator::evaluate_images(const Launch& launch, std::size_t module) const {
  const auto candidates = candidates_of(launch, module);
  if (const auto* sure = candidates.sure) {
    const bool exact = sure->arch.number == launch.device.number();
    return evaluate_chosen(
        launch, *sure,
        {exact ? Verdict::native : Verdict::compatible, reason(Why::machine_code, sure)});
  }
  auto best = candidates.ptx != nullptr
                  ? evaluate_chosen(launch, *candidates.ptx, compile(launch, *candidates.ptx))
                  : LaunchPrediction{Verdict::missing, reason(Why::no_image)};
  const auto offer = [&](Verdict verdict, Why why, const Image* image) {
    if (image != nullptr && verdict < best.verdict) best = {verdict, reason(why, image)};
  };
  offer(Verdict::unknown, Why::disagreement, candidates.unsure);
  offer(Verdict::unknown, Why::opaque, candidates.opaque);
  // The driver compiles PTX that reaches the device, whatever its bodies do.
  if (candidates.ptx == nullptr) offer(Verdict::wrong_suffix, Why::suffix, candidates.suffixed);
  return best;
}

LaunchPrediction ModuleEvaluator::evaluate_chosen(const Launch& launch, const Image& chosen,
                                                  LaunchPrediction good) const {
  if (!chosen.error.empty()) {
    return {Verdict::unknown, reason(Why::unreadable, &chosen, chosen.error)};
  }
  const Kernel* kernel = find_kernel(index_.kernels, chosen, launch.kernel);
  if (kernel == nullptr) return evaluate_lacking(launch, chosen);
  if (const auto undefined = index_.undefined.find(&chosen); undefined != index_.undefined.end()) {
    return {Verdict::unknown, reason(Why::undefined, &chosen, std::string(undefined->second))};
  }
  const bool loads = good.verdict < Verdict::unknown;
  if (loads && is_idle_unlike_others(*kernel, *launch.kernel)) {
    auto idle = reason(Why::idle, &chosen);
    idle.body = kernel->body;
    return {Verdict::empty, std::move(idle)};
  }
  return good;
}

/// Reports whether a kernel's body does no work while another of its bodies does. A body whose only
/// effect is calls that cannot be followed may also just print or wait, like this one.
bool ModuleEvaluator::is_idle_unlike_others(const Kernel& kernel, std::size_t number) const {
  if (!fatbin::is_idle(kernel.body)) return false;
  const bool doubtful =
      fatbin::prints_or_asserts(kernel.body) || kernel.body == fatbin::Body::inert;
  return doubtful ? index_.kernels.surely_working[number] : index_.kernels.working[number];
}

/// Judges a kernel that the chosen image lacks, but another image of the same arch may contain.
LaunchPrediction ModuleEvaluator::evaluate_lacking(const Launch& launch,
                                                   const Image& chosen) const {
  const auto& images = index_.images[chosen.module];
  const bool has_twin = std::any_of(images.begin(), images.end(), [&](const Image* image) {
    return image != &chosen && image->kind == chosen.kind && image->arch == chosen.arch &&
           find_kernel(index_.kernels, *image, launch.kernel) != nullptr;
  });
  if (has_twin) return {Verdict::unknown, reason(Why::twins, &chosen)};
  return {Verdict::missing, reason(Why::lacking, &chosen)};
}

// If no linked machine code fits, the driver compiles the PTX of every object (or uses its machine
// code for the device) and links again. One object with neither makes the load fail. Source: CUDA
// Compiler Driver NVCC, "JIT Linking Support".
LaunchPrediction ModuleEvaluator::evaluate_link(const Launch& launch, std::size_t module) const {
  const auto parts = parts_of(index_.links, index_.file.modules[module]);
  const bool held = std::any_of(parts.begin(), parts.end(), [&](std::size_t part) {
    return contain_kernel(index_.kernels, index_.images[part], launch.kernel) ||
           std::any_of(index_.images[part].begin(), index_.images[part].end(),
                       [&](const Image* image) { return is_opaque(*image, launch.device); });
  });
  if (!held) return {Verdict::missing, reason(Why::no_object)};
  LaunchPrediction worst{Verdict::jit, reason(Why::relinked)};
  worst.reason.objects = static_cast<std::uint32_t>(parts.size());
  for (const auto part : parts) {
    auto prediction = relink(launch, part);
    if (index_.links.is_of_some_link[part] && prediction.verdict != Verdict::jit) {
      prediction.verdict = Verdict::unknown;
      prediction.reason.is_of_one_link = true;
    }
    if (worst.verdict < prediction.verdict) worst = std::move(prediction);
  }
  return worst;
}

std::string ModuleEvaluator::object_name(std::size_t part) const {
  const auto& unit = index_.file.modules[part].unit;
  return unit.empty() ? "module " + std::to_string(part) : unit;
}

// Judges one object of a device link at load time: its machine code for the device, else its PTX.
// In the object with the kernel, that image must contain the kernel, with a body.
LaunchPrediction ModuleEvaluator::relink(const Launch& launch, std::size_t part) const {
  const auto chosen = choose_for_link(index_.images[part], launch.device);
  if (chosen.image == nullptr && chosen.opaque != nullptr) {
    auto opaque = reason(Why::object_opaque, chosen.opaque, "", object_name(part));
    opaque.arch = {};  // the link may use any arch of it
    return {Verdict::unknown, std::move(opaque)};
  }
  if (chosen.image == nullptr) {
    return {Verdict::missing, reason(Why::object_without_ptx, nullptr, "", object_name(part))};
  }
  if (!chosen.image->error.empty()) {
    return {Verdict::unknown,
            reason(Why::object_unreadable, chosen.image, chosen.image->error, object_name(part))};
  }
  auto good = chosen.image->kind == Kind::sass
                  ? LaunchPrediction{Verdict::jit, reason(Why::machine_code, chosen.image)}
                  : compile(launch, *chosen.image);
  return contain_kernel(index_.kernels, index_.images[part], launch.kernel)
             ? evaluate_chosen(launch, *chosen.image, std::move(good))
             : good;
}

/// Judges PTX that reaches the device: `jit` if the driver is known to read its ISA.
LaunchPrediction ModuleEvaluator::compile(const Launch& launch, const Image& ptx) const {
  if (const auto* driver = launch.driver) {
    const auto isa = parse_version(ptx.ptx_isa);
    if (!isa) return {Verdict::unknown, reason(Why::ptx_without_isa, &ptx)};
    if (driver->ptx_isa < *isa) {
      const auto why = driver->beyond ? Why::ptx_beyond_table : Why::ptx_too_new;
      return {driver->beyond ? Verdict::unknown : Verdict::ptx_too_new,
              reason(why, &ptx, ptx.ptx_isa, "", driver)};
    }
  }
  return {Verdict::jit, reason(Why::ptx, &ptx)};
}

Reason ModuleEvaluator::reason(Why why, const Image* image, const std::string& text,
                               const std::string& object, const Driver* driver) const {
  Reason reason;
  reason.why = why;
  if (image != nullptr) {
    reason.kind = image->kind == Kind::tile ? Kind::other : image->kind;  // reported alike
    reason.arch = image->arch;
  }
  if (text.empty() && object.empty()) return reason;
  const std::lock_guard lock(details_->mutex);
  auto& detail =
      details_->known[{image, why, object, driver == nullptr ? std::string() : driver->name}];
  if (detail == nullptr) {
    detail = std::make_shared<const ReasonDetail>(ReasonDetail{
        text, object, driver == nullptr ? std::nullopt : std::optional<Driver>(*driver)});
  }
  reason.detail = detail;
  return reason;
}

}  // namespace archgrid::coverage
